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

// maxListed bounds the lists of the page.
const maxListed = 200

// WriteStatus writes what is indexed.
func WriteStatus(w io.Writer, p StatusPage, o Options) error {
	s := *p.Status
	s.Projects, s.Skips = s.Projects[:min(len(s.Projects), maxListed)], s.Skips[:min(len(s.Skips), maxListed)]
	p.Status = &s
	return write(w, "status.tmpl", struct {
		StatusPage
		Options
	}{p, o})
}

// WriteFault writes a page that has nothing but an error.
func WriteFault(w io.Writer, title, text string) error {
	return write(w, "fault.tmpl", struct {
		Frame
		Text string
	}{Frame{Title: title, Theme: "auto"}, text})
}
