package paper

import (
	"context"
	_ "embed" // for the template
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
)

// Markdown writes a report as CommonMark, for a pull request or a mail. Each number has its
// query, and the text of handoffs is escaped so that it makes no link, mention, image or
// HTML.
func Markdown(w io.Writer, r *report.Report, o render.Options) error {
	o.Width, o.Color = 0, false
	if slices.Contains([]render.Dates{{}, render.DatesRelative, render.DatesISO}, o.Dates) {
		o.Dates = render.DatesShort // a mail is read on another day
	}
	var b strings.Builder
	if err := markdown(o, r.Whole).Execute(&b, r); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

//go:embed markdown.tmpl
var markdownSource string

// markdown returns the template of the Markdown form. With whole, nothing of the report is
// left out.
func markdown(o render.Options, whole bool) *template.Template {
	const few = 31 // days that fit a line
	return template.Must(template.New("markdown").Funcs(template.FuncMap{
		"asked": asked, "closing": closing, "code": code, "date": o.Date, "handoffs": handoffs, "inert": inert,
		"pipes": pipes, "said": countText, "thousands": render.Thousands,
		"whole": func() bool { return whole },
		"cell":  func(c report.Cell) string { return cell(c, o) },
		"spark": func(counts []int) string { return spark(squeezed(counts, few)) },
	}).Parse(markdownSource))
}

// asked returns the query of a number in parentheses, "" if it has none.
func asked(n report.Number) string {
	if n.Query == "" {
		return ""
	}
	return " (" + code(n.Query) + ")"
}

// pipes escapes the pipes of a table's cell: even in code a pipe ends a cell.
func pipes(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// inert returns a line as Markdown without any mark-up, except that text between backticks
// stays code.
func inert(text string) string {
	parts := strings.Split(render.Line(text), "`")
	paired := len(parts)%2 == 1
	for i := 1; i < len(parts); i += 2 {
		paired = paired && strings.TrimSpace(parts[i]) != ""
	}
	if !paired {
		return escaped(render.Line(text))
	}
	var b strings.Builder
	for i, part := range parts {
		if i%2 == 1 {
			b.WriteString(pipes("`" + part + "`"))
			continue
		}
		b.WriteString(escaped(part))
	}
	return b.String()
}

// escaped returns a text as plain Markdown. Signs that could begin mark-up are escaped.
// Hosts also make links, mentions and references of bare text: it gets an empty character
// inserted where they look for that.
func escaped(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case strings.ContainsRune("\\`*_[]|~$", r), i == 0 && strings.ContainsRune("#+-=>", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case (r == '.' || r == ')') && i > 0 && i < 10 && strings.Trim(text[:i], "0123456789") == "":
			b.WriteByte('\\') // a numbered list
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		if r == '@' || r == '#' || r == ':' && strings.HasPrefix(text[i:], "://") || isHost(text, i) {
			b.WriteString(empty)
		}
	}
	return b.String()
}

// empty is an invisible character that separates the text around it.
const empty = "&#8203;"

// isHost reports whether the character at i is the last w of "www.".
func isHost(text string, i int) bool {
	return (text[i] == 'w' || text[i] == 'W') && i >= 2 && i+1 < len(text) && text[i+1] == '.' &&
		strings.EqualFold(text[i-2:i+1], "www")
}

// code returns a text as inline code in Markdown. Its fence is longer than any backticks in
// the text.
func code(text string) string {
	text = render.Line(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// A Template is the text form of a report that a user defined: a template of package
// text/template that gets a report.Report. Its functions are those of package text/template
// and date and ago (a time as text), section (the section with a name), search (the command
// for the query of a number) and cut (a text cut to a width).
type Template struct{ t *template.Template }

// ParseTemplate parses the template of a report. An empty text is a template that writes
// nothing.
func ParseTemplate(text string) (*Template, error) {
	t, err := template.New("report").Option("missingkey=error").Funcs(functions(nil, render.Options{})).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "template: "))
	}
	return &Template{t}, nil
}

// functions returns the functions that templates have besides those of text/template.
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

// Write writes a report with the template. Control sequences are removed from the whole
// output.
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
