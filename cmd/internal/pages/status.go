package pages

import (
	"io"

	"github.com/OWNER/handex/index"
)

// StatusPage shows what is indexed.
type StatusPage struct {
	Frame
	Status *index.Status
}

// maxListed bounds the files of the page that could not be indexed.
const maxListed = 200

// WriteStatus writes what is indexed.
func WriteStatus(w io.Writer, p StatusPage, o Options) error {
	s := *p.Status
	s.Skips = s.Skips[:min(len(s.Skips), maxListed)]
	p.Status = &s
	return write(w, "status.tmpl", struct {
		StatusPage
		Options
	}{p, o})
}

// WriteFault writes a page that has nothing but an error.
func WriteFault(w io.Writer, f Frame, faults []Fault) error {
	return write(w, "fault.tmpl", struct {
		Frame
		Faults []Fault
	}{f, faults})
}
