package parse

import (
	"slices"
	"strings"

	"handex/parse/internal/gitref"
	"handex/parse/internal/metadata"
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
)

// Where labelled lines are looked for beside the head of a text.
const (
	firstLines = 40
	lastLines  = 15
	// maxFacts is how much of a text is searched for the branch and the commit
	// that its sentences name.
	maxFacts = 64 << 10
)

// lineFacts are the fields that a labelled line gives wherever it is in the
// first and last lines of a text.
var lineFacts = scan.Set("branch", "commit", "session", "date", "updated", "status", "from", "to", "goal")

// facts completes the fields of the head with what the rest of the text says:
// labelled lines near its beginning and end, and the branch and the commit that
// a sentence names. A field that is already there stays.
func (r *reader) facts(d *Document) {
	for _, f := range r.labelledLines(d) {
		if name := metadata.FieldOf(f.Label); lineFacts[name] && f.Value != "" {
			r.addFact(d, name, f)
		}
	}
	r.trimFacts(d)
	if _, ok := d.Field("status"); !ok {
		r.statusOfTitle(d)
	}
	text := r.text[d.Span.Start:min(d.Span.End, d.Span.Start+maxFacts)]
	if _, ok := d.Field("branch"); !ok {
		name, at := gitref.FindBranch(text, r.format.shape != YAML && r.format.shape != JSON)
		r.addFound(d, "branch", name, at)
	}
	if _, ok := d.Field("commit"); !ok {
		hash, at := gitref.FindCommit(text)
		r.addFound(d, "commit", hash, at)
	}
	if _, ok := d.Field("session"); !ok {
		r.sessionNumber(d)
	}
}

// addFact adds a field unless the document has it.
func (r *reader) addFact(d *Document, name string, f outline.Field) {
	if _, have := d.Field(name); have {
		return
	}
	value := f.Value
	if name == "status" {
		if value = metadata.Status(f.Value); value == "" {
			return
		}
	}
	d.Fields = append(d.Fields, Field{name, f.Label, value, f.Span})
	if value != f.Value {
		d.Fields = append(d.Fields, Field{"meta.status", f.Label, f.Value, f.Span})
	}
}

// statusOfTitle takes the status that a title ends with: "Phase 3 Complete".
func (r *reader) statusOfTitle(d *Document) {
	if m := titleStatus().FindStringSubmatch(r.heading); m != nil {
		d.Fields = append(d.Fields, Field{Key: "status", Label: "title", Value: metadata.Status(m[1]), Span: r.titleSpan(d, m[1])})
	}
}

var titleStatus = scan.Pattern(`(?i)(?:^|[\s(—–-])(complete|completed|done|blocked|in progress|wip|진행 중|완료|完成|完了|进行中|terminée?)(?:\s*[✅✓!)，,]|\s*$|\s+[-—–]\s)`)

// maxFactLine is how long a line is that gives a fact.
const maxFactLine = 300

// labelledLines reads the fields of the first and last lines of a text that begin
// with the label of a fact; lines of code and boxes to tick give none.
func (r *reader) labelledLines(d *Document) []outline.Field {
	if r.format.shape != Markdown && r.format.shape != XML {
		return nil
	}
	c := outline.LineReader{Knows: func(label string) bool { return lineFacts[metadata.FieldOf(label)] }}
	code := scan.FencesOf(r.text[d.Span.Start:d.Span.End])
	first, last := r.lines.Line(d.Span.Start), r.lines.Line(max(d.Span.Start, d.Span.End-1))
	var out []outline.Field
	for n := first; n <= last; n++ {
		if n >= first+firstLines {
			n = max(n, last-lastLines+1)
		}
		at := r.linesSpan(n, n)
		line := strings.TrimRight(r.text[at.Start:at.End], "\n")
		if len(line) <= maxFactLine && beginsFact(line) && !code.Contains(at.Start-d.Span.Start) && !outline.Ruled(r.text[at.End:scan.LineEnd(r.text, at.End)]) {
			out = append(out, c.Fields(line, at.Start, r.lines)...)
		}
	}
	return out
}

// beginsFact reports whether a line begins with the label of a fact.
func beginsFact(line string) bool {
	rest := strings.TrimLeft(line[scan.MarkWidth(line):], "|*_ ")
	label := rest[:min(len(rest), scan.MaxBoldKey+8)]
	end := strings.IndexByte(label, ':')
	if end < 0 {
		end = strings.Index(label, "：")
	}
	if bar := strings.IndexByte(label, '|'); bar >= 0 && (end < 0 || bar < end) {
		end = bar
	}
	return end > 0 && label[0] != '[' && lineFacts[metadata.FieldOf(strings.TrimRight(label[:end], "*_` "))]
}

// trimFacts cuts the values of fields down to what they name: a branch has no
// blanks, a commit is a hash.
func (r *reader) trimFacts(d *Document) {
	if r.format.layout != nil {
		return // its specification says what a value is
	}
	for i := 0; i < len(d.Fields); i++ {
		f := d.Fields[i]
		switch f.Key {
		case "branch":
			d.Fields[i].Value = gitref.BranchName(f.Value)
			if _, have := d.Field("commit"); !have {
				if hash, _ := gitref.FirstHash(f.Value); hash != "" && strings.ContainsAny(f.Value, " @") {
					d.Fields = append(d.Fields, Field{"commit", f.Label, hash, f.Span})
				}
			}
		case "commit":
			if hash, _ := gitref.FirstHash(f.Value); hash != "" {
				d.Fields[i].Value = hash
			}
		case "session":
			d.Fields[i].Value = sessionName(f.Value)
		case "to":
			if name, _, ok := strings.Cut(f.Value, " (for "); ok && name != "" {
				d.Fields[i].Value = name
			}
		default:
			continue
		}
		if d.Fields[i].Value != f.Value && d.Fields[i].Value != "" {
			d.Fields = append(d.Fields, Field{"meta." + f.Key, f.Label, f.Value, f.Span})
		}
	}
	d.Fields = slices.DeleteFunc(d.Fields, func(f Field) bool { return f.Key == "branch" && f.Value == "" })
}

// sessionName is the number or id a value begins with, where a title follows:
// "33 - MinIO", "#12 (evening)".
func sessionName(v string) string {
	word, rest, ok := strings.Cut(v, " ")
	if !ok || !strings.ContainsAny(word, "0123456789") || strings.HasSuffix(word, "...") {
		return v
	}
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "(") && !strings.Contains(word, "-") {
		return strings.Trim(word, "#:")
	}
	return v
}

// addFound adds the field whose value is in the document's text at an offset.
func (r *reader) addFound(d *Document, name, value string, at int) {
	if value != "" {
		at += d.Span.Start
		d.Fields = append(d.Fields, Field{Key: name, Label: name, Value: value, Span: r.lines.Span(at, at+len(value))})
	}
}

var (
	sessionInTitle = scan.Pattern(`(?i)^(?:\W*)(?:session|sess\.?|sitzung|sessão|sesión|세션)\s*#?\s*([0-9]{1,4}[a-z]?)(?:[^0-9A-Za-z-]|$)`)
	sessionInName  = scan.Pattern(`(?i)(?:^|[-_ ])session[-_ ]?([0-9]{1,4})(?:[-_. ]|$)`)
)

// sessionNumber takes the number of the session from the title or the file's
// name.
func (r *reader) sessionNumber(d *Document) {
	if m := sessionInTitle().FindStringSubmatch(r.heading); m != nil {
		d.Fields = append(d.Fields, Field{Key: "session", Label: "session", Value: m[1], Span: r.titleSpan(d, m[1])})
		return
	}
	if d.Key != "" {
		return
	}
	name := r.src.Path[strings.LastIndexByte(r.src.Path, '/')+1:]
	if m := sessionInName().FindStringSubmatch(name); m != nil {
		d.Fields = append(d.Fields, Field{Key: "session", Label: "session", Value: m[1]})
	}
}
