package parse

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A rule finds what makes a document of its format invalid.
type rule func(d *Document) []Problem

// validate runs what the format's row requires.
func (f *format) validate(d *Document) {
	for _, name := range f.required {
		if d.says(name) {
			continue
		}
		what := strings.TrimPrefix(name, "section:")
		d.Problems = append(d.Problems, Problem{f.severity(Error), f.name + "." + what + "-required", d.Span.Line, "no " + what})
	}
	for _, r := range f.rules {
		for _, p := range r(d) {
			p.Rule, p.Severity = f.name+"."+p.Rule, f.severity(p.Severity)
			d.Problems = append(d.Problems, p)
		}
	}
}

// severity is what breaking a rule means for a file that was found.
func (f *format) severity(s Severity) Severity {
	if f.lenient {
		return Warning
	}
	return s
}

// says reports whether the document has a value for a field, or text in a
// section kind ("section:next").
func (d *Document) says(name string) bool {
	if kind, ok := strings.CutPrefix(name, "section:"); ok {
		return d.textOf(Kind(kind)) != ""
	}
	f, ok := d.field(name)
	return ok && f.Value != ""
}

// field is the first field of that name.
func (d *Document) field(name string) (Field, bool) {
	for _, f := range d.Fields {
		if f.Key == name {
			return f, true
		}
	}
	return Field{}, false
}

// textOf is the text of all sections and parts of a kind.
func (d *Document) textOf(k Kind) string {
	var b strings.Builder
	for _, s := range d.Sections {
		if len(s.Parts) == 0 && s.Kind == k {
			b.WriteString(s.Body)
		}
		for _, p := range s.Parts {
			if p.Kind == k {
				b.WriteString(p.Text)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// statusIn wants the status to be one of the specification's words.
func statusIn(words ...string) rule {
	return func(d *Document) []Problem {
		f, ok := d.field("status")
		if !ok || f.Value == "" {
			return nil // told by required
		}
		raw := d.rawStatus()
		if slices.Contains(words, raw) {
			return nil
		}
		return []Problem{{Error, "status-enum", f.Span.Line, fmt.Sprintf("status is %q, not one of %s", raw, strings.Join(words, ", "))}}
	}
}

// rawStatus is the status as written.
func (d *Document) rawStatus() string {
	if f, ok := d.field("meta.status"); ok {
		return f.Value
	}
	f, _ := d.field("status")
	return f.Value
}

var isoTimes = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", time.DateOnly}

// isoTime wants a field to be an ISO 8601 date or time.
func isoTime(name string) rule {
	return func(d *Document) []Problem {
		f, ok := d.field(name)
		if !ok || f.Value == "" {
			return nil
		}
		for _, layout := range isoTimes {
			if _, err := time.Parse(layout, f.Value); err == nil {
				return nil
			}
		}
		return []Problem{{Error, name + "-iso8601", f.Span.Line, fmt.Sprintf("%s is %q, not an ISO 8601 time", f.Label, f.Value)}}
	}
}

// recommended wants a field without which the handoff is still readable.
func recommended(name, label string) rule {
	return func(d *Document) []Problem {
		if d.says(name) {
			return nil
		}
		_, what, _ := strings.Cut(label, ".")
		return []Problem{{Warning, what, d.Span.Line, "no " + strings.ReplaceAll(what, "-", "_")}}
	}
}

// remainingOrComplete is ACT's third rule.
func remainingOrComplete(d *Document) []Problem {
	if st, _ := d.field("status"); st.Value == "completed" || saysComplete(d) {
		return nil
	}
	for _, it := range d.Items {
		if it.Section == Next {
			return nil
		}
	}
	if d.textOf(Next) != "" {
		return nil
	}
	return []Problem{{Error, "work-remaining", d.Span.Line, "no item in work_remaining, and not marked complete"}}
}

// saysComplete: progress of 100 %, or a state that says so.
func saysComplete(d *Document) bool {
	if p, ok := d.field("progress"); ok {
		return p.Value == "100"
	}
	return false
}

var phaseOf = lazily(`^([0-9]+)(?:\s*/\s*([0-9]+))?`)

// phaseAndProgress is ACT's fourth rule. Inconsistent means: progress outside 0
// to 100, a phase beyond the last one, or the one complete and the other not at
// its end while work remains.
func phaseAndProgress(d *Document) []Problem {
	progress, hasProgress := d.number("progress")
	f, _ := d.field("phase")
	m := phaseOf().FindStringSubmatch(f.Value)
	switch {
	case hasProgress && (progress < 0 || progress > 100):
		p, _ := d.field("progress")
		return []Problem{{Error, "phase-progress", p.Span.Line, fmt.Sprintf("progress is %g %%", progress)}}
	case m == nil || m[2] == "":
		return nil
	}
	at, of := atoi(m[1]), atoi(m[2])
	switch {
	case at > of:
		return []Problem{{Error, "phase-progress", f.Span.Line, fmt.Sprintf("phase %d is beyond the last, %d", at, of)}}
	case hasProgress && progress >= 100 && at < of:
		return []Problem{{Error, "phase-progress", f.Span.Line, fmt.Sprintf("progress is %g %% in phase %d of %d", progress, at, of)}}
	}
	return nil
}

// number is a field's value as a number, a percent sign allowed.
func (d *Document) number(name string) (float64, bool) {
	f, ok := d.field(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(f.Value), "%"), 64)
	return n, err == nil
}

var companySource = lazily(`^discussion/[0-9]{3}-.*-response\.md$`)

// companyRules are the protocol's structural rules 1 to 6 and rule 10; the
// contextual rules 7 to 9 need neighbour files and belong to a check of the
// tree.
var companyRules = []rule{
	func(d *Document) []Problem {
		v, ok := d.field("version")
		switch {
		case d.Legacy:
			return []Problem{{Warning, "version-missing", d.Span.Line, "no version: a legacy manifest, not validated"}}
		case ok && v.Value != "1":
			return []Problem{{Error, "version", v.Span.Line, fmt.Sprintf("version is %q, not 1", v.Value)}}
		}
		return nil
	},
	structural(func(d *Document) []Problem {
		f, _ := d.field("source")
		if companySource().MatchString(f.Value) {
			return nil
		}
		return []Problem{{Error, "source-file", f.Span.Line, fmt.Sprintf("source_file is %q, not discussion/NNN-...-response.md", f.Value)}}
	}),
	structural(func(d *Document) []Problem {
		f, _ := d.field("date")
		if _, err := time.Parse(time.DateOnly, f.Value); err == nil {
			return nil
		}
		return []Problem{{Error, "generated-at", f.Span.Line, fmt.Sprintf("generated_at is %q, not an ISO date", f.Value)}}
	}),
	structural(func(d *Document) []Problem {
		var out []Problem
		from, to := Field{}, Field{}
		for _, side := range []struct {
			name string
			f    *Field
		}{{"from", &from}, {"to", &to}} {
			f, _ := d.field(side.name)
			*side.f = f
			if f.Value == "" {
				out = append(out, Problem{Error, side.name + "-required", f.Span.Line, "no " + side.name})
			}
		}
		if from.Value != "" && from.Value == to.Value {
			out = append(out, Problem{Error, "from-is-to", to.Span.Line, fmt.Sprintf("from and to are both %q", to.Value)})
		}
		return out
	}),
	structural(statusIn("pending", "sent", "failed", "received")),
	structural(func(d *Document) []Problem {
		if f, _ := d.field("status"); f.Value != "" {
			return nil
		}
		return []Problem{{Error, "status-required", d.Span.Line, "no status"}}
	}),
	structural(func(d *Document) []Problem {
		var out []Problem
		for _, f := range d.Files {
			if path.IsAbs(f.Path) || f.Path == ".." || strings.HasPrefix(path.Clean(f.Path), "../") {
				out = append(out, Problem{Warning, "files-changed-path", f.Line, fmt.Sprintf("%q is not a path inside the project", f.Path)})
			}
		}
		return out
	}),
}

// structural keeps a rule from a legacy manifest, which is not validated, and
// from entries of the log, which have no version of their own.
func structural(r rule) rule {
	return func(d *Document) []Problem {
		if d.Legacy || d.Key != "" {
			return nil
		}
		return r(d)
	}
}
