package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Row is a hit with its text, where a column needs it.
type Row struct {
	index.Hit
	Full *index.Handoff // nil: not loaded
	// Kept are the values of columns that only the index has, see InIndex.
	Kept map[string][]string
	// Number is the place in a list on a terminal, 0 for none.
	Number int
}

// inIndex are the columns whose values neither a hit nor its text has.
var inIndex = []string{"source", "commit", "priority", "progress", "phase", "words", "version", "sent"}

// InIndex reports whether a column needs Row.Kept.
func InIndex(column string) bool { return slices.Contains(inIndex, column) }

// kept returns the value of a column that the index keeps: a list, a number, a date or
// a text.
func (r Row) kept(column string) any {
	list := r.Kept[column]
	switch {
	case column == "commit":
		return list
	case len(list) == 0:
		return ""
	case column == "sent":
		milli, _ := strconv.ParseInt(list[0], 10, 64) // the index writes it
		return date{time.UnixMilli(milli), "instant"}
	case column == "source" || column == "priority":
		return list[0]
	}
	return json.Number(strings.TrimSuffix(list[0], ".0"))
}

// summary are the columns that need no text.
var summary = map[string]func(index.Hit) any{
	"id":             func(h index.Hit) any { return h.ID },
	"project":        func(h index.Hit) any { return h.Project },
	"root":           func(h index.Hit) any { return h.Root },
	"member":         func(h index.Hit) any { return h.Member },
	"format":         func(h index.Hit) any { return h.Format },
	"path":           func(h index.Hit) any { return h.Path },
	"entry":          func(h index.Hit) any { return h.Entry },
	"session":        func(h index.Hit) any { return h.Session },
	"from":           func(h index.Hit) any { return h.From },
	"to":             func(h index.Hit) any { return h.To },
	"agent":          func(h index.Hit) any { return slices.DeleteFunc([]string{h.From, h.To}, isBlank) },
	"date":           func(h index.Hit) any { return date{h.Date, h.DatePrecision} },
	"date_source":    func(h index.Hit) any { return h.DateSource },
	"date_precision": func(h index.Hit) any { return h.DatePrecision },
	"updated":        func(h index.Hit) any { return date{h.Updated, "instant"} },
	"label":          func(h index.Hit) any { return Title(h.Summary) },
	"title":          func(h index.Hit) any { return h.Title },
	"goal":           func(h index.Hit) any { return h.Goal },
	"status":         func(h index.Hit) any { return h.Status },
	"branch":         func(h index.Hit) any { return h.Branch },
	"states":         func(h index.Hit) any { return h.States },
	"score":          func(h index.Hit) any { return h.Score },
	"missing":        func(h index.Hit) any { return h.Missing },
	"versions":       func(h index.Hit) any { return h.Versions },
	"lines":          func(h index.Hit) any { return Each(h.Snippets, func(s index.Snippet) string { return s.Text }) },
}

func isBlank(s string) bool { return s == "" }

// date is a date as a column's value.
type date struct {
	time.Time
	precision string
}

// NeedsText reports whether a column needs Row.Full.
func NeedsText(column string) bool { return summary[column] == nil && !InIndex(column) }

// isColumn reports whether rows can have the column at all.
func isColumn(name string) bool {
	_, err := Row{Full: &index.Handoff{}}.value(name)
	return err == nil
}

// value returns what a row has in a column: a string, []string, number or date. What is
// not known of a handoff is an error, never empty.
func (r Row) value(column string) (any, error) {
	if of, ok := summary[column]; ok {
		return of(r.Hit), nil
	}
	if InIndex(column) {
		return r.kept(column), nil
	}
	if r.Full == nil {
		return nil, fmt.Errorf("column %q needs the text of the handoff", column)
	}
	switch column {
	case "file":
		return Each(r.Full.Files, func(f parse.File) string { return f.Path }), nil
	case "item":
		return r.Full.WorkItems, nil
	case "approach":
		return unique(Each(r.Full.Approaches, func(a parse.Approach) string { return a.Outcome })), nil
	case "problem":
		return unique(Each(r.Full.Problems, func(p parse.Problem) string { return p.Rule })), nil
	case "heading":
		return Each(r.Full.Sections, func(s parse.Section) string { return s.Heading }), nil
	case "text":
		return r.text(), nil
	}
	if key, ok := strings.CutPrefix(column, "meta."); ok {
		return r.meta(key), nil
	}
	slug, _ := strings.CutPrefix(column, "sec.")
	if slug == column && !slices.Contains(kinds, parse.Kind(column)) {
		return nil, fmt.Errorf("column %q cannot be shown", column)
	}
	bodies := Each(Sections(r.Full, slug), func(s parse.Section) string { return strings.TrimSpace(s.Body) })
	return strings.Join(bodies, "\n\n"), nil
}

var kinds = []parse.Kind{
	parse.Goal, parse.State, parse.Next, parse.Done, parse.Gotchas, parse.Risks, parse.Blockers, parse.Questions,
	parse.Human, parse.Decisions, parse.Approaches, parse.Worked, parse.Failed, parse.Partial, parse.Context, parse.Advice,
	parse.Reflection, parse.Hypothesis, parse.Outcome, parse.Checks, parse.Files, parse.Other,
}

// text returns the whole text of the handoff.
func (r Row) text() string {
	texts := Each(r.Full.Sections, func(s parse.Section) string { return strings.TrimSpace(s.Body) })
	texts = slices.Insert(texts, 0, strings.TrimSpace(r.Full.Head))
	return strings.Join(slices.DeleteFunc(texts, isBlank), "\n\n")
}

// meta returns the value of a key in the metadata of the handoff.
func (r Row) meta(key string) []string {
	var values []string
	for _, f := range r.Full.Meta {
		if f.Key == key {
			values = append(values, f.Value)
		}
	}
	return values
}

// unique leaves out empty texts and those that are repeated.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// cell returns a value as text. It can have several lines, and is not clean.
func (o Options) cell(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ", ")
	case date:
		return o.Date(v.Time, v.precision)
	case float64:
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return fmt.Sprint(value)
}

// columnCells returns the values of rows in columns, as text.
func (o Options) columnCells(rows []Row, columns []string) ([][]string, error) {
	all := make([][]string, len(rows))
	for i, r := range rows {
		for _, name := range columns {
			value, err := r.value(name)
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], o.cell(value))
		}
	}
	return all, nil
}
