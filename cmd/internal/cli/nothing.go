package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/query"
)

// maxParts bounds the counts that tell why nothing was found.
const maxParts = 8

// A blamer tells why a query found nothing. It counts each query once: to count
// can mean to read all texts.
type blamer struct {
	*app
	counts map[string]int // by the query's text
}

// blame tells which conditions of a query that found nothing are to blame, and
// what may be meant instead. none says that no handoff meets the conditions.
func (a *app) blame(q *query.Query, none bool) (list []render.Suggestion, reasons []string, err error) {
	b := blamer{a, map[string]int{}}
	if parts := q.Parts(); none && len(parts) == 1 {
		b.counts[parts[0].Alone.Text] = 0
	}
	return b.blame(q)
}

func (a *blamer) blame(q *query.Query) (list []render.Suggestion, reasons []string, err error) {
	everything, err := query.Parse("", query.Env{})
	if err != nil {
		return nil, nil, err
	}
	if n, err := a.count(everything); err != nil || n == 0 {
		return nil, []string{"no handoffs are indexed; handex roots list tells what is searched"}, err
	}
	var drops []render.Suggestion
	for _, part := range first(q.Parts(), maxParts) {
		near, reason, err := a.near(part)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, near...)
		if reason != "" {
			reasons = append(reasons, reason)
		}
		if part.Without == nil {
			continue
		}
		n, err := a.count(part.Without)
		if err != nil {
			return nil, nil, err
		}
		if n > 0 {
			drops = append(drops, render.Suggestion{Drop: part.Source, Hits: n, Text: fmt.Sprintf("without %s: %d", part.Source, n)})
		}
	}
	return append(list, drops...), append(reasons, q.Hints()...), nil
}

// near finds what to write in place of a condition that no handoff meets, or
// says what there is.
func (a *blamer) near(part query.Part) (list []render.Suggestion, reason string, err error) {
	if n, err := a.count(part.Alone); err != nil || n > 0 {
		return nil, "", err
	}
	names, values, err := a.names(part)
	if err != nil {
		return nil, "", err
	}
	for _, name := range names {
		alone, _ := part.Alone.Parts()[0].Replace(name)
		whole, source := part.Replace(name)
		known, err := a.count(alone)
		if err != nil {
			return nil, "", err
		}
		hits, err := a.count(whole)
		if err != nil {
			return nil, "", err
		}
		if known == 0 {
			continue // of folders that are not searched now
		}
		list = append(list, render.Suggestion{
			Replace: source, Hits: hits,
			Text: fmt.Sprintf("%s matches no handoff; did you mean %q (%d)?", part.Source, name, known),
		})
	}
	if len(list) == 0 {
		reason = part.Source + " matches no handoff" + some(part.Field, values)
	}
	return list, reason, nil
}

// some names values that a field has.
func some(field string, values []string) string {
	const most = 3
	switch n := len(values); {
	case field == "":
		return ""
	case n == 0:
		return "; none has " + field + ":"
	case n <= most:
		return "; values: " + strings.Join(values, ", ")
	}
	return fmt.Sprintf("; values: %s and %d more (handex values %s)", strings.Join(values[:most], ", "), len(values)-most, field)
}

// names are the words or values of the index near those of a condition, and
// all values of its field, those that look like it first.
func (a *app) names(part query.Part) (near, values []string, err error) {
	const most = 3
	if part.Word != "" {
		words := a.store.Lexicon(a.ctx)
		return first(words.Near(part.Word), most), nil, words.Err()
	}
	all, err := query.Parse("", query.Env{})
	if err != nil {
		return nil, nil, err
	}
	counts, ok := all.Counts(part.Field)
	if !ok {
		return nil, nil, nil
	}
	result, err := a.store.Search(a.ctx, counts, index.SearchOptions{Roots: a.store.roots})
	if err != nil {
		return nil, nil, err
	}
	for _, b := range result.Buckets {
		if b.Values[0] != "" {
			values = append(values, b.Values[0])
		}
	}
	slices.SortStableFunc(values, func(x, y string) int {
		return cmp.Compare(sharedStart(y, part.Value), sharedStart(x, part.Value))
	})
	return query.Suggest(part.Value, values), values, nil
}

// sharedStart counts the bytes both begin with, whatever their case.
func sharedStart(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// count is that of the app, once for each query.
func (a *blamer) count(q *query.Query) (int, error) {
	if n, ok := a.counts[q.Text]; ok {
		return n, nil
	}
	n, err := a.app.count(q)
	a.counts[q.Text] = n
	return n, err
}

func (a *app) count(q *query.Query) (int, error) {
	return a.store.Count(a.ctx, q, index.SearchOptions{Roots: a.store.roots})
}

func first[T any](list []T, most int) []T { return slices.Clip(list[:min(len(list), most)]) }
