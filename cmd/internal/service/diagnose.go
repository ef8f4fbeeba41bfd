package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// maxParts bounds the conditions that Diagnose looks at.
const maxParts = 8

// Diagnose returns why a query found nothing: suggestions for other queries that find
// something, and reasons as lines of text. none means that no handoff meets the conditions,
// and not only that the page is empty.
func (v *View) Diagnose(
	ctx context.Context, q *query.Query, none bool,
) (list []render.Suggestion, reasons []string, err error) {
	d := emptyDiagnosis{View: v, counts: map[string]int{}}
	parts := q.Parts()
	if none && len(parts) == 1 {
		d.counts[parts[0].Alone.Text] = 0
	}
	everything, err := query.Parse("", query.Env{})
	if err != nil {
		return nil, nil, err
	}
	if d.count(ctx, everything) == 0 {
		return nil, []string{"no handoffs are indexed; handex roots lists the folders that are searched"}, d.err
	}
	var drops []render.Suggestion
	for _, part := range first(parts, maxParts) {
		near, reason := d.near(ctx, part)
		list = append(list, near...)
		if reason != "" {
			reasons = append(reasons, reason)
		}
		if part.Without == nil {
			continue
		}
		if n := d.count(ctx, part.Without); n > 0 {
			text := fmt.Sprintf("without %s: %d", part.Source, n)
			drops = append(drops, render.Suggestion{Drop: part.Source, Hits: n, Text: text})
		}
	}
	reasons = append(append(reasons, d.named(ctx, q)...), q.Hints()...)
	return append(list, drops...), reasons, d.err
}

// An emptyDiagnosis is the work of Diagnose. It counts each query only once, as that can
// mean to read all texts. It keeps the first error, after which every count is 0.
type emptyDiagnosis struct {
	*View
	counts map[string]int // by the query's text
	err    error
}

// count returns how many handoffs a query finds, 0 after an error.
func (d *emptyDiagnosis) count(ctx context.Context, q *query.Query) int {
	n, ok := d.counts[q.Text]
	if !ok && d.err == nil {
		n, d.err = d.Count(ctx, q)
		d.counts[q.Text] = n
	}
	return n
}

// near returns suggestions for a condition that no handoff meets: similar words or values.
// If it has none, reason says that nothing matches and which values exist.
func (d *emptyDiagnosis) near(ctx context.Context, part query.Part) (list []render.Suggestion, reason string) {
	if d.count(ctx, part.Alone) > 0 {
		return nil, ""
	}
	names, values := d.names(ctx, part)
	for _, name := range names {
		alone, _ := part.Alone.Parts()[0].Replace(name)
		whole, source := part.Replace(name)
		known := d.count(ctx, alone)
		if known == 0 {
			continue // of folders that are not searched now
		}
		list = append(list, render.Suggestion{
			Replace: source, Hits: d.count(ctx, whole), Query: whole.Text,
			Text: fmt.Sprintf("%s matches no handoff; did you mean %q (%d)?", part.Source, name, known),
		})
	}
	list = append(list, d.inNames(ctx, part)...)
	if len(list) == 0 {
		reason = part.Source + " matches no handoff" + someOf(part.Field, values)
	}
	return list, reason
}

// inNames returns, for a word that is in no text, a suggestion to search the names of
// projects for it, or the paths if it has a slash.
func (d *emptyDiagnosis) inNames(ctx context.Context, part query.Part) (list []render.Suggestion) {
	if part.Text == "" {
		return nil
	}
	source := "project:*" + part.Text + "*"
	if strings.Contains(part.Text, "/") {
		source = "path:" + part.Text
	}
	alone, whole, ok := part.ReplaceWith(source)
	if !ok {
		return nil
	}
	if known := d.count(ctx, alone); known > 0 {
		list = append(list, render.Suggestion{
			Replace: alone.Text, Hits: d.count(ctx, whole), Query: whole.Text,
			Text: fmt.Sprintf("%s is not in any text; did you mean %s (%d)?", part.Source, alone.Text, known),
		})
	}
	return list
}

// named returns a hint if the whole query is a reference by which handex show finds a
// handoff, such as a session or a former path of a file.
func (d *emptyDiagnosis) named(ctx context.Context, q *query.Query) []string {
	ref := strings.TrimSpace(q.Text)
	if d.err != nil || strings.ContainsAny(ref, " \t\n") {
		return nil
	}
	if _, err := d.Find(ctx, ref); err == nil {
		return []string{"a handoff has this name; to read it: handex show " + ref}
	}
	return nil
}

// someOf returns a remark that lists some values of a field, "" if field is "".
func someOf(field string, values []string) string {
	const most = 3
	switch n := len(values); {
	case field == "":
		return ""
	case n == 0:
		return "; none has " + field + ":"
	case n <= most:
		return "; values: " + strings.Join(values, ", ")
	}
	return fmt.Sprintf("; values: %s and %d more (handex values %s)", strings.Join(values[:most], ", "), len(values)-most,
		field)
}

// names returns, for a word of a condition, similar words of the index, or for a value,
// similar values of its field and all its values, the most similar first.
func (d *emptyDiagnosis) names(ctx context.Context, part query.Part) (near, values []string) {
	const most = 3
	if d.err != nil {
		return nil, nil
	}
	if part.Word != "" {
		words := d.store.Lexicon(ctx)
		near = first(words.Near(part.Word), most)
		d.err = words.Err()
		return near, nil
	}
	counts, ok := countsOf(part.Field)
	if !ok {
		return nil, nil
	}
	var result *index.Result
	if result, d.err = d.Hits(ctx, counts, nil, false); d.err != nil {
		return nil, nil
	}
	for _, b := range result.Buckets {
		if b.Values[0] != "" {
			values = append(values, b.Values[0])
		}
	}
	slices.SortStableFunc(values, func(x, y string) int {
		return cmp.Compare(sharedStart(y, part.Value), sharedStart(x, part.Value))
	})
	return query.Suggest(part.Value, values), values
}

// sharedStart returns how many bytes at the beginning of a and b are equal, whatever their
// case.
func sharedStart(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// overtaken returns a note if q asks for open escalations, or for open handoffs that wait
// for a person, and there are escalations that newer handoffs replaced without an
// acknowledgement. A newer handoff closes an older escalation, but no human has looked.
// Else it is "".
func (v *View) overtaken(ctx context.Context, q *query.Query) (string, error) {
	and, ok := q.Expr.(query.And)
	asked := func(states ...string) bool { return slices.ContainsFunc(and.List, inState(states...)) }
	if !ok || !asked("open") || !asked("escalated", "waiting") {
		return "", nil
	}
	// What is escalated waits, so is:escalated takes the place of is:waiting.
	list := []query.Expr{}
	for _, e := range and.List {
		switch {
		case inState("open")(e):
		case inState("escalated", "waiting")(e):
			list = slices.DeleteFunc(list, inState("escalated"))
			list = append(list, query.Is{State: "escalated"})
		default:
			list = append(list, e)
		}
	}
	unseen := query.Not{X: query.Is{State: "acked"}}
	list = append(list, query.Is{State: "superseded"})
	other := *q
	other.LatestPer, other.CountBy, other.GroupBy, other.Facets, other.Select, other.Sort = nil, nil, nil, nil, nil, nil
	n, source := -1, ""
	// One that a handoff of another thread superseded is open and listed already.
	for _, list := range [][]query.Expr{list, append(slices.Clip(list), query.Is{State: "closed"})} {
		other.Expr = query.And{List: append(slices.Clip(list), unseen)}
		switch m, err := v.Count(ctx, &other); {
		case err != nil || m == 0:
			return "", err
		case n < 0 || m < n:
			n, source = m, other.Source()
		}
	}
	if n == 1 {
		return fmt.Sprintf("1 replaced escalation was never acknowledged (%s)", source), nil
	}
	return fmt.Sprintf("%d replaced escalations were never acknowledged (%s)", n, source), nil
}

// inState returns a function that reports whether an expression is the condition is: with
// one of the states.
func inState(states ...string) func(query.Expr) bool {
	return func(e query.Expr) bool {
		is, ok := e.(query.Is)
		return ok && slices.Contains(states, is.State)
	}
}
