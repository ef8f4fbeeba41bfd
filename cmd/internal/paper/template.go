package paper

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// A Template is the text form of a user's own report: a template of package
// text/template on a report.Report. Its functions are those of package
// text/template, date and ago of a time, section of a name, search of a number's
// query, and cut of a width and a text.
type Template struct{ t *template.Template }

// ParseTemplate reads a template. An empty one writes nothing.
func ParseTemplate(text string) (*Template, error) {
	t, err := template.New("report").Option("missingkey=error").Funcs(functions(nil, render.Options{})).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "template: "))
	}
	return &Template{t}, nil
}

// functions returns the functions of a template besides the usual ones.
func functions(r *report.Report, o render.Options) template.FuncMap {
	written := func(d render.Dates) func(time.Time) string {
		return func(t time.Time) string {
			with := o
			with.Dates = d
			return with.Date(t, "day")
		}
	}
	return template.FuncMap{
		"date": written(render.DatesShort),
		"ago":  written(render.DatesRelative),
		"section": func(name string) *report.Section {
			return r.Section(name)
		},
		"search": command,
		"cut":    func(room int, text string) string { return render.Cut(text, room) },
	}
}

// Write writes a report. What the template makes is cleaned of anything a terminal
// would obey.
func (t *Template) Write(ctx context.Context, w io.Writer, r *report.Report, o render.Options) error {
	bound, err := t.t.Clone()
	if err != nil {
		return err
	}
	text, err := render.Execute(ctx, bound.Funcs(functions(r, o)), r)
	if err != nil {
		return err
	}
	text = strings.TrimRight(render.Clean(text), "\n")
	if text != "" {
		text += "\n"
	}
	_, err = io.WriteString(w, text)
	return err
}
