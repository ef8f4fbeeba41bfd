package pages

import (
	"io"

	"handex/index"
)

// StatusPage tells what is indexed.
type StatusPage struct {
	Frame
	Status *index.Status
}

type statusView struct {
	StatusPage
	At       Stamp
	Roots    []rootView
	Projects []projectView
	Formats  []countView
	Problems []problemView
	Skips    []string
}

type rootView struct {
	Path, Trouble string
	Handoffs      int
}

type projectView struct {
	Linked
	Root     string
	Handoffs int
	Newest   Stamp
}

type problemView struct {
	Rule, Severity, Link string
	Handoffs             int
}

// maxListed bounds the lists of the page.
const maxListed = 200

// WriteStatus writes what is indexed.
func WriteStatus(w io.Writer, p StatusPage, o Options) error {
	s := p.Status
	v := statusView{StatusPage: p, At: o.stamp(s.RefreshedAt, "")}
	for _, r := range s.Roots {
		v.Roots = append(v.Roots, rootView{o.path(r.Path), o.line(r.Trouble), r.Handoffs})
	}
	for _, r := range s.Projects[:min(len(s.Projects), maxListed)] {
		v.Projects = append(v.Projects, projectView{Linked{o.line(r.Name), o.leads("project", r.Name)}, o.path(r.Root), r.Handoffs, o.stamp(r.Newest, "day")})
	}
	for _, b := range s.Formats {
		v.Formats = append(v.Formats, countView{Values: b.Values, Count: b.Count, Link: o.leads("format", b.Values[0])})
	}
	for _, r := range s.Problems {
		v.Problems = append(v.Problems, problemView{r.Rule, r.Severity.String(), o.leads("problem", r.Rule), r.Handoffs})
	}
	for _, skip := range s.Skips[:min(len(s.Skips), maxListed)] {
		v.Skips = append(v.Skips, o.path(skip.Path)+": "+o.line(skip.Reason))
	}
	return write(w, "status.tmpl", v)
}

// WriteFault writes a page that has nothing but an error.
func WriteFault(w io.Writer, title, text string) error {
	return write(w, "fault.tmpl", struct {
		Frame
		Text string
	}{Frame{Title: title, Theme: "auto"}, text})
}
