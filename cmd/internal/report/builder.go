package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// A builder makes the sections of one report from one view of the index.
type builder struct {
	ctx  context.Context //nolint:containedctx // lives as long as the report is made
	v    *index.View
	r    *Report
	o    Options
	base *query.Query // what the report is restricted to
	time query.Expr   // its time
	// columns are those of a user-defined section that is a table.
	columns []string
	err     error // the first one; what is read after it does not matter

	read  bool
	list  []index.Summary // the handoffs of its time, newest first; see handoffs
	names *names
	whole map[string]*index.Handoff
	refs  map[string]Ref    // the handoffs that are named, by id
	below map[string]string // paths below their projects of the handoffs that are named, by id
}

func newBuilder(ctx context.Context, v *index.View, r *Report, o Options, base *query.Query) *builder {
	return &builder{
		ctx: ctx, v: v, r: r, o: o, base: base, time: during(o.From, o.To), names: &names{
			shown: map[string]string{}, taken: map[string]string{}, claims: map[string]string{}, anyOf: map[string]string{},
		},
		whole: map[string]*index.Handoff{}, refs: map[string]Ref{}, below: map[string]string{},
	}
}

// run counts the handoffs and projects of the report and makes the sections of its kind. It
// returns the first error.
func (b *builder) run(kind Kind) error {
	latest := b.query(b.time)
	latest.LatestPer = []string{"project"}
	b.r.Handoffs, b.r.Projects = b.count("handoffs", b.time), b.ask("projects", latest)
	for i := 0; i < len(kind.sections) && b.err == nil; i++ {
		sections[kind.sections[i]](b)
	}
	for i := 0; i < len(kind.own) && b.err == nil; i++ {
		b.own(&kind.own[i])
	}
	return b.err
}

// fail records the first error, which run returns.
func (b *builder) fail(err error) { b.err = cmp.Or(b.err, err) }

// add adds a section to the report. The texts of its items are cleaned only here, as most
// items that are found are left out before.
func (b *builder) add(s Section) {
	for i := range s.Items {
		s.Items[i].Text = b.line(s.Items[i].Text)
		for j := range s.Items[i].Alike {
			s.Items[i].Alike[j].Text = b.line(s.Items[i].Alike[j].Text)
		}
	}
	b.r.Sections = append(b.r.Sections, s)
}

// note adds a note to the report, unless the report has it already.
func (b *builder) note(text string) {
	if !slices.Contains(b.r.Notes, text) {
		b.r.Notes = append(b.r.Notes, text)
	}
}

// query returns the query for the handoffs that match the report's own query and all the
// conditions.
func (b *builder) query(conditions ...query.Expr) *query.Query {
	q := *b.base
	q.Expr = query.Simplify(query.And{List: append([]query.Expr{b.base.Expr}, conditions...)})
	q.Limit = 0
	return &q
}

// count returns the number of handoffs that meet all the conditions, with its label and
// query.
func (b *builder) count(label string, conditions ...query.Expr) Number {
	return b.ask(label, b.query(conditions...))
}

// first returns the newest handoffs that a query finds, at most n, and the number of all.
func (b *builder) first(n int, label string, q *query.Query) ([]index.Summary, Number) {
	list, total, err := b.v.First(b.ctx, q, n)
	b.fail(err)
	return list, Number{Label: label, Value: total, Query: b.source(q)}
}

// ask returns the number of handoffs that a query finds, with its label and query.
func (b *builder) ask(label string, q *query.Query) Number {
	n, err := b.v.Count(b.ctx, q)
	b.fail(err)
	return Number{Label: label, Value: n, Query: b.source(q)}
}

// source returns the text of a query, or "" if it contains a secret: with the secret
// masked, the query would find something else.
func (b *builder) source(q *query.Query) string {
	text := q.Source()
	if !b.o.KeepSecrets {
		if _, n := redact.Text(text); n > 0 {
			b.r.Masked += n
			return ""
		}
	}
	return text
}

// counted returns a Number with a count that the caller already knows, and the query for
// the handoffs that meet the conditions.
func (b *builder) counted(label string, n int, conditions ...query.Expr) Number {
	return Number{Label: label, Value: n, Query: b.source(b.query(conditions...))}
}

// maxIDs is the maximum number of handoffs that one query names by id.
const maxIDs = 100

// named returns a Number whose query lists handoffs by their ids. list is newest first;
// only its first maxIDs are named.
func (b *builder) named(list []Ref) *Number {
	n := &Number{Label: "handoffs", Value: len(list)}
	if len(list) > maxIDs {
		n.Label = fmt.Sprintf("the newest of %d handoffs", len(list))
		n.Value = maxIDs
	}
	ids := render.Each(list[:n.Value], func(ref Ref) query.Expr {
		return query.Key{Field: "id", Op: query.KeyExact, Value: ref.ID}
	})
	q := *b.base
	q.Case = query.CaseAuto
	q.Expr = query.Simplify(query.Or{List: ids})
	n.Query = b.source(&q)
	return n
}

// handoffs returns the handoffs of the report's time, newest first. It reads them once and
// registers the names of their projects.
func (b *builder) handoffs() []index.Summary {
	if !b.read {
		b.read, b.list = true, b.summaries(0, b.time)
		for i := range b.list {
			b.meet(&b.list[i])
			b.names.claim(&b.list[i])
		}
	}
	return b.list
}

// summaries returns the newest n handoffs that meet the conditions; 0 is all.
func (b *builder) summaries(n int, conditions ...query.Expr) []index.Summary {
	q := b.query(conditions...)
	q.Limit = n
	list, err := b.v.Summaries(b.ctx, q)
	b.fail(err)
	return list
}

// load returns the whole handoffs for summaries, in the same order. Handoffs that were read
// before come from memory. After an error it returns nil.
func (b *builder) load(list []index.Summary) []*index.Handoff {
	var news []index.Summary
	asked := map[string]bool{}
	for _, h := range list {
		if b.whole[h.ID] == nil && !asked[h.ID] {
			asked[h.ID] = true
			news = append(news, h)
		}
	}
	got, err := b.v.Handoffs(b.ctx, news)
	if b.fail(err); err != nil {
		return nil
	}
	for _, h := range got {
		b.whole[h.ID] = h
	}
	return render.Each(list, func(h index.Summary) *index.Handoff { return b.whole[h.ID] })
}

// line returns a text as one line that is safe to show: without control characters, of
// limited length, and with secrets masked unless the options keep them.
func (b *builder) line(text string) string {
	text = digest.OneLine(text)
	if !b.o.KeepSecrets {
		var n int
		text, n = redact.Text(text)
		b.r.Masked += n
	}
	return render.Line(clip(text))
}

// maxText is the maximum length of a text in characters; the handoff has the rest.
const maxText = 400

// clip cuts a text that is longer than maxText, if possible at the end of a word, and adds
// "…".
func clip(text string) string {
	if len(text) <= maxText || utf8.RuneCountInString(text) <= maxText {
		return text
	}
	short := string([]rune(text)[:maxText-1])
	if at := strings.LastIndexByte(short, ' '); at > len(short)/2 {
		short = short[:at]
	}
	return strings.TrimRight(short, " ,;:") + "…"
}

// ref returns the reference to a handoff, to be put into items and cells.
func (b *builder) ref(h *index.Summary) Ref {
	if ref, ok := b.refs[h.ID]; ok {
		return ref
	}
	b.meet(h)
	b.below[h.ID] = below(h)
	b.refs[h.ID] = Ref{
		ID: h.ID, Title: b.line(render.Title(*h)), Project: b.projectName(h.Root),
		When: h.Date.In(b.o.Env.Zone), Precision: h.DatePrecision,
	}
	return b.refs[h.ID]
}

// who returns the writer and the receiver of a handoff as one line; either can be missing.
func (b *builder) who(h *index.Summary) string { return b.line(render.FromTo(h.From, h.To)) }

// is reports whether a handoff has a state.
func is(h *index.Summary, state string) bool { return slices.Contains(h.States, state) }

// distinct returns a list without the handoffs that have the same text as an earlier one in
// it, which are copies of a file.
func distinct(list []index.Summary) []index.Summary {
	seen := map[int64]bool{}
	var kept []index.Summary
	for _, h := range list {
		if !seen[h.Digest] {
			seen[h.Digest] = true
			kept = append(kept, h)
		}
	}
	return kept
}

// dated returns the handoffs of a list whose dates overlap the time between from and to.
func dated(list []index.Summary, from, to time.Time) []index.Summary {
	var met []index.Summary
	for i := range list {
		if h := &list[i]; h.Date.Before(to) && h.DateEnd.After(from) {
			met = append(met, *h)
		}
	}
	return met
}
