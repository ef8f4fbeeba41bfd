package sync

import (
	"bytes"
	"cmp"
	"database/sql"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
	"github.com/OWNER/handex/parse"
)

// A record is a handoff that is to be written to the index: its document, and values that take time
// to compute, so that the readers compute them and not the one writer.
type record struct {
	doc      *parse.Document
	fields   map[string]string
	layout   store.Layout
	sections string
	head     string
	signs    string // their marks
	words    int
	digest   int64
}

// newRecord returns the record of document d; raw is the content of its file.
func newRecord(d *parse.Document, raw []byte) *record {
	r := &record{doc: d, fields: map[string]string{}, digest: textDigest(d, raw)}
	for _, f := range d.Fields {
		if _, ok := r.fields[f.Key]; !ok {
			r.fields[f.Key] = f.Value
		}
	}
	r.layout = store.NewLayout(d, raw)
	r.sections = r.layout.Sections()
	r.head = headOf(d)
	r.words = countWords(r.head)
	for _, t := range r.layout.Text {
		r.words += countWords(t)
	}
	r.signs = store.SignsOf(append([]string{store.WithoutNUL(d.Title), r.layout.Heading, store.WithoutNUL(r.head)},
		r.layout.Text[:]...)...)
	return r
}

// textDigest returns a digest of the handoff's text, and of the lines that ask for a human's review
// in the texts that belong to it. For an entry of a log, only its own part of raw counts. Blank
// space around the text does not count: a log grows behind its entries.
func textDigest(d *parse.Document, raw []byte) int64 {
	text := raw
	if d.Key != "" && d.Span.End <= len(raw) {
		text = raw[d.Span.Start:d.Span.End]
	}
	said := slices.Clone(bytes.TrimSpace(text))
	for _, e := range d.Escalations {
		said = append(append(said, 0), e.Text...)
	}
	return store.Sum64(said)
}

// headOf returns the text before the first section, followed by the fields whose text is neither in
// it nor in a section, a line each: a search must find every word of a file, the keys of its YAML
// and JSON too.
func headOf(d *parse.Document) string {
	lines := []string{}
	seen := map[string]bool{}
	for _, f := range d.Fields {
		line := f.Label + ": " + f.Value
		switch parse.Kind(f.Key) {
		case parse.Goal, parse.State, parse.Hypothesis, parse.Outcome:
			line = f.Label + ":" // the value has a column
		}
		if seen[line] || strings.Contains(d.Head, f.Label) && strings.Contains(d.Head, f.Value) || !standsAlone(d, f) {
			continue
		}
		seen[line] = true
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return d.Head
	}
	return strings.TrimRight(d.Head, "\n") + "\n" + strings.Join(lines, "\n") + "\n"
}

// standsAlone reports whether the text of a field is in no section and in no other field. It is
// false for a commit that a section mentions, and for a status in handex's words whose original
// text is another field.
func standsAlone(d *parse.Document, f parse.Field) bool {
	return !slices.ContainsFunc(d.Sections, func(s parse.Section) bool {
		return s.Span.Start <= f.Span.Start && f.Span.End <= s.Span.End && f.Span.End > 0
	}) && !slices.ContainsFunc(d.Fields, func(other parse.Field) bool {
		return other.Span == f.Span && other.Key == "meta."+f.Key
	})
}

// slack returns how many seconds the instant that the handoff's id stands for is outside the range
// of its date, or at the range's end. Queries that find dates by id need the maximum over all
// handoffs.
func (p placed) slack() int64 {
	at := p.id + ids.Epoch
	return max(p.doc.Date.End.Unix()+1-at, at-p.doc.Date.Time.Unix())
}

// countWords returns the number of words in s, which white space separates.
func countWords(s string) int {
	n, before := 0, uint8(1)
	for i := range len(s) {
		space := isBlank[s[i]]
		n += int(before &^ space)
		before = space
	}
	return n
}

// isBlank is 1 for white space: a number, because to branch on each byte costs most
// of the time that counting takes.
var isBlank = [256]uint8{' ': 1, '\n': 1, '\t': 1, '\r': 1}

// handoff returns the row of the handoff, without its checksums.
func (p placed) handoff() sqlitedb.Handoff {
	d, r := p.doc, p.record
	return sqlitedb.Handoff{
		ID: p.id, Hid: p.hid, FileID: p.file, Entry: int64(d.Entry), ProjectID: p.project.ID,
		Declared: r.fields["project"], Member: p.member, Format: d.Format, Session: r.fields["session"],
		Sender: r.fields["from"], Recipient: r.fields["to"], Status: r.fields["status"],
		Branch: r.fields["branch"], Source: r.fields["source"], Version: r.fields["version"],
		Priority: r.priority(), Progress: number(r.fields["progress"]), Phase: number(r.fields["phase"]),
		Words: int64(r.words),
		Date:  d.Date.Time.UnixMilli(), DateEnd: d.Date.End.UnixMilli(), Sort: d.Date.Sort.UnixMilli(),
		DateSource: d.Date.Source, DatePrecision: d.Date.Precision,
		Updated: p.mtimeNS / int64(time.Millisecond), Sent: instant(r.fields["sent"], d.Date.Time.Location()),
		Earlier: flag(p.version != nil), Escalated: flag(len(d.Escalations) > 0), Blocked: flag(d.Blocked),
		Waiting: flag(d.Waiting || len(d.Escalations) > 0), Legacy: flag(d.Legacy), Processed: maybe(d.Processed),
		Severity: int64(worst(d.Problems)), Digest: r.digest, Sections: r.sections,
	}
}

// pathSummed returns the part of the file's row that is included in the checksum of the handoff's
// row.
func (p placed) pathSummed() string {
	if p.version == nil {
		return p.path
	}
	return store.PathSummed(p.path, p.version.Origin, p.version.Commit)
}

// name returns the column "name" of the handoff, the names by which a person looks for it. Its
// three lines are the project's name, the words into which capitals divide the names of project and
// file, and the file's name.
func (p placed) name() string {
	path := p.path
	if p.version != nil {
		path = p.version.Origin
	}
	name, file := store.WithoutNUL(p.project.Name), filepath.Base(path)
	return name + "\n" + strings.Join(append(camelWords(name), camelWords(file)...), " ") + "\n" + file
}

// camelWords returns the words into which capitals divide a name: parseHTTPHeader has three. Parts
// of the name with a single word are left out, as they are words of the index anyway.
func camelWords(name string) (words []string) {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsDigit(r)
	}) {
		runes, from := []rune(part), 0
		for i := 1; i < len(runes); i++ {
			begins := unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) &&
				unicode.IsLower(runes[i+1]))
			if begins {
				words = append(words, string(runes[from:i]))
				from = i
			}
		}
		if from > 0 {
			words = append(words, string(runes[from:]))
		}
	}
	return words
}

// meta returns the tokens of the column meta, separated by blanks, by which a filter can be inside
// a MATCH.
func (r *record) meta(project int64, name string) string {
	tokens := []string{
		store.ProjectMark(project), store.MarkFormat + store.MetaToken(r.doc.Format), store.MarkStatus +
			store.MetaToken(cmp.Or(r.fields["status"], "none")),
	}
	if declared := r.fields["project"]; declared != "" {
		tokens = append(tokens, store.MarkDeclared+store.MetaToken(declared))
	}
	for _, signs := range []string{r.signs, store.SignsOf(name)} {
		if signs != "" {
			tokens = append(tokens, signs)
		}
	}
	return strings.Join(tokens, " ")
}

// write appends the rows of the handoff to w and returns the values of its row of body, in the
// order of the columns.
func (p placed) write(w *tables) (body []any) {
	h := p.handoff()
	title, head := store.WithoutNUL(p.doc.Title), store.WithoutNUL(p.head)
	name := p.name()
	meta := p.meta(p.project.ID, name)
	h.CardSum = w.scratch.CardSum(&h, p.project.Name, p.project.Root, p.pathSummed(), title,
		beginning(p.layout.Text[store.ColumnOf()[parse.Goal]]))
	texts := append([]string{title, p.layout.Heading, head, name, meta}, p.layout.Text[:]...)
	h.TextSum = w.scratch.TextSum(h.ID, h.Sections, texts...)
	h.FactsSum = p.writeAttrs(w, p.id)
	for i, e := range p.doc.Problems {
		row := w.problem.Problem(&sqlitedb.Problem{
			HandoffID: p.id, Ord: int64(i), Severity: int64(e.Severity), Rule: e.Rule,
			Line: int64(e.Line), Message: e.Message,
		})
		h.FactsSum ^= store.FactSum(row)
	}
	w.handoff.Row().Handoff(&h).Int(h.CardSum, h.TextSum, h.FactsSum).End()
	body = make([]any, 0, len(texts)+1)
	body = append(body, p.id, title, p.layout.Heading)
	for _, t := range p.layout.Text {
		body = append(body, t)
	}
	return append(body, head, name, meta)
}

// beginning returns the first 1,000 characters of a text, as substr counts them.
func beginning(text string) string {
	at := 0
	for range 1000 {
		if at == len(text) {
			break
		}
		at++
		if text[at-1] < 0xc0 {
			continue
		}
		for at < len(text) && text[at]&0xc0 == 0x80 {
			at++
		}
	}
	return text[:at]
}

// writeAttrs appends the attributes of the handoff to w and returns their checksum.
func (r *record) writeAttrs(w *tables, id int64) (sum int64) {
	d := r.doc
	ord := map[string]int64{}
	add := func(name, value, note string, line int) {
		sum ^= store.FactSum(w.attr.Attr(&sqlitedb.Attr{
			HandoffID: id, Name: name, Ord: ord[name], Value: value, Note: note,
			Line: int64(line),
		}))
		ord[name]++
	}
	for _, f := range d.Files {
		add("file", f.Path, f.Action, f.Line)
	}
	for _, item := range d.WorkItems {
		add("item", item, "", 0)
	}
	items := r.layout.ItemLines(len(d.Approaches) > 0)
	for _, a := range d.Approaches {
		text := a.Text
		if items[a.Line] == text {
			text = ""
		}
		add("approach", text, a.Outcome, a.Line)
	}
	for _, l := range d.Links {
		add("link", l.Target, l.Relation, l.Line)
	}
	for _, e := range d.Escalations {
		add("escalation", e.Text, "", e.Number)
	}
	for _, f := range d.Fields {
		if f.Key == "commit" || strings.HasPrefix(f.Key, "meta.") {
			add(f.Key, f.Value, f.Label, f.Span.Line)
		}
	}
	return sum
}

var priorities = []string{"low", "medium", "high", "critical"}

// priority returns the highest priority of the handoff and its items, from 0 for low; NULL if there
// is none.
func (r *record) priority() sql.NullInt64 {
	best := slices.Index(priorities, strings.ToLower(r.fields["priority"]))
	for _, it := range r.doc.Items {
		best = max(best, slices.Index(priorities, it.Priority))
	}
	return sql.NullInt64{Int64: int64(max(best, 0)), Valid: best >= 0}
}

// number returns the number at the beginning of value ("60 %", "4/6"), NULL if there is none.
func number(value string) sql.NullFloat64 {
	value = strings.TrimSpace(value)
	end := strings.IndexFunc(value, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if end >= 0 {
		value = value[:end]
	}
	n, err := strconv.ParseFloat(strings.TrimRight(value, "."), 64)
	return sql.NullFloat64{Float64: n, Valid: err == nil}
}

var instants = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04", "2006-01-02",
}

// instant returns the time in value, in milliseconds, NULL if value is not a time. Times without a
// zone are read in zone.
func instant(value string, zone *time.Location) sql.NullInt64 {
	for _, form := range instants {
		if t, err := time.ParseInLocation(form, strings.TrimSpace(value), zone); err == nil {
			return sql.NullInt64{Int64: t.UnixMilli(), Valid: true}
		}
	}
	return sql.NullInt64{}
}

// flag returns 1 for true and 0 for false.
func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// maybe returns 1 for true, 0 for false and NULL for nil.
func maybe(b *bool) sql.NullInt64 {
	if b == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: flag(*b), Valid: true}
}

// worst returns the highest severity of the problems, zero if there are none.
func worst(problems []parse.Problem) parse.Severity {
	var s parse.Severity
	for _, p := range problems {
		s = max(s, p.Severity)
	}
	return s
}
