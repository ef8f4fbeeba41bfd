package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Row is a hit. It has the text of its handoff if a column needs it.
type Row struct {
	index.Hit
	Full *index.Handoff // nil: not loaded
	// Kept are the values of the columns that only the index has; see InIndex.
	Kept map[string][]string
	// Number is the number of the row in a list on a terminal; 0 if it has none.
	Number int
}

// inIndex are the columns whose values are neither in a hit nor in the text of its handoff.
var inIndex = []string{"source", "commit", "priority", "progress", "phase", "words", "version", "sent"}

// InIndex reports whether only the index has the values of a column, so that Row.Kept must
// be filled for it.
func InIndex(column string) bool { return slices.Contains(inIndex, column) }

// kept returns the value that Row.Kept has for a column: a list, a number, a date or a
// text. A missing value is "".
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

// summary are the columns that need no text, with the functions that read their values from
// a hit.
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

// date is a time and its precision, as the value of a column.
type date struct {
	time.Time
	precision string
}

// NeedsText reports whether a column is read from the text of a handoff, so that Row.Full
// must be filled for it.
func NeedsText(column string) bool { return summary[column] == nil && !InIndex(column) }

// value returns the value of a column of the row: a string, a []string, a number or a date.
// It returns an error if the column is unknown or needs a text that is not loaded.
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

// meta returns the values that the metadata of the handoff has for a key.
func (r Row) meta(key string) []string {
	var values []string
	for _, f := range r.Full.Meta {
		if f.Key == key {
			values = append(values, f.Value)
		}
	}
	return values
}

// unique returns the texts of a list without empty and repeated ones.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// cell returns the value of a column as text. The text can have several lines and is not
// cleaned.
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

// columnCells returns, for each row, its values in the given columns as texts.
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

// Template is the output format for rows that a user wrote as a Go template.
type Template struct {
	tmpl    *template.Template
	opt     Options
	columns []string
}

// NewTemplate parses a template such as "{{.project}} {{ago .date}}". The names are those
// of columns, an unknown one is an error; outside of {{ }}, \n, \t and \\ mean what they
// mean in strings; the functions are ago, date, json and join.
func NewTemplate(text string, o Options) (*Template, error) {
	t := template.New("--format").Option("missingkey=error").Funcs(template.FuncMap{
		"ago":  func(d when) string { return o.ago(d.In(o.zone()), d.precision == "day") },
		"date": func(layout string, d when) (string, error) { return d.as(layout) },
		"json": asJSON,
		"join": func(sep string, list []string) string { return strings.Join(list, sep) },
	})
	t, err := t.Parse(unescape(text))
	if err != nil {
		return nil, fmt.Errorf("bad template: %s", strings.TrimPrefix(err.Error(), "template: "))
	}
	columns := named(text)
	for _, name := range columns {
		if _, err := (Row{Full: &index.Handoff{}}).value(name); err != nil {
			return nil, fmt.Errorf("unknown column %q in the template; columns: %s", name,
				strings.Join(slices.Sorted(maps.Keys(summary)), ", "))
		}
	}
	return &Template{t, o, columns}, nil
}

// Columns returns the names of the columns that the template uses.
func (t *Template) Columns() []string { return t.columns }

// Write writes the template filled with a row, and a newline if the result does not end in
// one.
func (t *Template) Write(ctx context.Context, w io.Writer, r Row) error {
	data := map[string]any{}
	for name := range summary {
		data[name], _ = r.value(name)
	}
	for _, name := range t.columns {
		value, err := r.value(name)
		if err != nil {
			return err
		}
		data[name] = value
	}
	for name, value := range data {
		data[name] = t.shown(value)
	}
	text, err := Execute(ctx, t.tmpl, data)
	if err != nil {
		return fmt.Errorf("template: %w", err)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = io.WriteString(w, text)
	return err
}

// Execute returns the output of a template for data. If ctx ends before, it returns the
// error of ctx. A template cannot be stopped: one in a long range then runs on until the
// process ends, so Execute is for programs that end when they are interrupted.
func Execute(ctx context.Context, t *template.Template, data any) (string, error) {
	var b strings.Builder
	done := make(chan error, 1)
	go func() { done <- t.Execute(&b, data) }()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case err := <-done:
		if err != nil {
			return "", errors.New(strings.TrimPrefix(err.Error(), "template: "))
		}
		return b.String(), nil
	}
}

// shown returns the value of a column as the template gets it. Texts are cleaned, so that
// only what the user wrote in the template can control the terminal.
func (t *Template) shown(value any) any {
	switch v := value.(type) {
	case string:
		return Clean(v)
	case []string:
		return Each(v, Clean)
	case date:
		return when{v, t.opt}
	}
	return value
}

// when is a date in a template. It is written in the style of the options.
type when struct {
	date
	opt Options
}

func (w when) String() string { return w.opt.Date(w.Time, w.precision) }

// as returns the date in a style that ParseDates knows, or in a layout of strftime.
func (w when) as(layout string) (string, error) {
	dates, err := ParseDates(layout)
	if err != nil {
		dates, err = ParseDates("format:" + layout)
	}
	w.opt.Dates = dates
	return w.String(), err
}

// asJSON returns the value of a column as JSON text, for the function json of templates.
func asJSON(value any) (string, error) {
	if w, ok := value.(when); ok {
		value = w.Time.UTC().Format(time.RFC3339)
	}
	var b strings.Builder
	err := JSON(&b, value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// actions and names find {{ }} and the .name in them that are not part of
// another word.
var (
	actions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)\{\{.*?\}\}`) })
	names   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s({|,])\.([A-Za-z_]\w*)`) })
)

// named returns the names of columns in the actions of a template, each once.
func named(text string) []string {
	var found []string
	for _, action := range actions().FindAllString(text, -1) {
		for _, m := range names().FindAllStringSubmatch(action, -1) {
			found = append(found, m[1])
		}
	}
	return unique(found)
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`)

// unescape replaces \n, \t and \\ in a template outside of its actions.
func unescape(text string) string {
	var b strings.Builder
	at := 0
	for _, span := range actions().FindAllStringIndex(text, -1) {
		b.WriteString(escapes.Replace(text[at:span[0]]) + text[span[0]:span[1]])
		at = span[1]
	}
	b.WriteString(escapes.Replace(text[at:]))
	return b.String()
}
