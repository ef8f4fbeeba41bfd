package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"
)

// Template is a form of output that a person wrote.
type Template struct {
	tmpl    *template.Template
	opt     Options
	columns []string
}

// NewTemplate reads a template as {{.project}} {{ago .date}}. The names are
// those of columns, an unknown one is an error; \n, \t and \\ outside of {{ }}
// mean what they mean in strings; the functions are ago, date, json and join.
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
		if !isColumn(name) {
			return nil, fmt.Errorf("unknown column %q in the template; columns: %s", name,
				strings.Join(slices.Sorted(maps.Keys(summary)), ", "))
		}
	}
	return &Template{t, o, columns}, nil
}

// Columns returns the columns the template names.
func (t *Template) Columns() []string { return t.columns }

// Write writes a row, and a newline if the template's text does not end in one.
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

// Execute returns what a template makes of data, or the error of ctx as soon as that
// ends. A template cannot be stopped: one in a long range then runs on until the process
// ends, so this is for programs that end when they are interrupted.
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

// shown returns a value as the template sees it: clean, so that only what the person
// wrote can act on the terminal.
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

// when is a date that knows how to be written.
type when struct {
	date
	opt Options
}

func (w when) String() string { return w.opt.Date(w.Time, w.precision) }

// as writes a date in a style, or in a layout of strftime.
func (w when) as(layout string) (string, error) {
	dates, err := ParseDates(layout)
	if err != nil {
		dates, err = ParseDates("format:" + layout)
	}
	w.opt.Dates = dates
	return w.String(), err
}

// asJSON returns a value of a template as JSON.
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

// named lists the names a template uses.
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

// unescape replaces the escapes of the text around actions.
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
