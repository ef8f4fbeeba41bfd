package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

//go:embed templates/*.tmpl
var sources embed.FS

// Style is the style sheet of all pages, Script the program of pages that serve writes,
// Icon their icon.
var (
	//go:embed static/style.css
	Style string
	//go:embed static/app.js
	Script string
	//go:embed static/icon.svg
	Icon string
)

// Options say how pages are written: links, masking and times.
type Options struct {
	Links Links
	// Mask returns a text with credentials masked; nil masks nothing.
	Mask func(string) string
	// Zone is the reader's time zone; nil is UTC. Ages count to Now.
	Zone *time.Location
	Now  time.Time
}

// Links return the addresses that links lead to. An empty address means no link.
type Links struct {
	Handoff func(id string) string
	Search  func(query string) string
	// NoDays leaves out the links of each day.
	NoDays bool
}

// Frame is the part of a served page around its content.
type Frame struct {
	// Title is the page's name, Query the text in its search box.
	Title, Query string
	// Theme is auto, light or dark.
	Theme string
	// CSRF is the token that forms send, Generation the generation of the index that is
	// shown.
	CSRF       string
	Generation uint64
	// Reports are the names of all reports, Here is the name of the current page in the
	// navigation bar, if it is there.
	Reports []string
	Here    string
}

// Themes returns the names of all themes.
func (Frame) Themes() []string { return []string{"auto", "light", "dark"} }

// Chosen returns the name of the page's theme.
func (f Frame) Chosen() string { return cmp.Or(f.Theme, "auto") }

// templates returns the templates, which are parsed at the first call: no other command
// needs them.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions).ParseFS(sources, "templates/*.tmpl"))
})

var functions = template.FuncMap{
	"style":     func() template.CSS { return template.CSS(Style) },
	"policy":    policy,
	"pair":      func(first, second any) pair { return pair{first, second} },
	"next":      func(i int) int { return i + 1 },
	"join":      strings.Join,
	"thousands": render.Thousands,
	"badges":    badges,
	"code":      code,
	"groups":    groupsOf,
	"look":      classOf,
	"omitted":   omitted,
	"rows":      rowsOf,
	"slug":      slug,
	"tile":      tile,
}

// A pair has two values for a template that takes one.
type pair struct{ First, Second any }

// policy returns the content security policy of a self-contained file: only its own style.
func policy() string {
	sum := sha256.Sum256([]byte(Style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// write writes the output of a template. It writes nothing if the template fails.
func write(w io.Writer, name string, data any) error {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// Line returns a text as one line that is safe to show, with credentials masked.
func (o Options) Line(text string) string { return o.masked(render.Line(text)) }

// masked returns a text with credentials masked.
func (o Options) masked(text string) string {
	if o.Mask == nil {
		return text
	}
	return o.Mask(text)
}

// Path returns the name of a file or folder, safe to show and with credentials masked.
func (o Options) Path(path string) string { return o.masked(render.Path(path)) }

// File returns the text of a file, safe to show and with credentials masked.
func (o Options) File(text string) string { return o.masked(render.Clean(text)) }

// Linked is a text with a link; Link is "" if it has none.
type Linked struct{ Text, Link string }

// Field returns the value of a field with a link to the handoffs that have it. There is no
// link if its address would reveal what is masked.
func (o Options) Field(field, value string) Linked {
	v := Linked{Text: o.Line(value)}
	if o.masked(value) == value {
		v.Link = o.Links.search(Condition(field, value))
	}
	return v
}

// HandoffLink returns the address of a handoff, "" if there is none.
func (o Options) HandoffLink(id string) string { return o.Links.handoff(id) }

// A Stamp is a time in three forms: for people, for programs, and as its age.
type Stamp struct{ Text, Machine, Age string }

// Stamp returns the stamp of a time, no finer than its precision; it is empty for the zero
// time.
func (o Options) Stamp(t time.Time, precision string) Stamp {
	if t.IsZero() {
		return Stamp{}
	}
	t = t.In(cmp.Or(o.Zone, time.UTC))
	form := map[string]string{"year": "2006", "month": "2006-01", "day": time.DateOnly}[precision]
	if form == "" {
		return Stamp{t.Format("2006-01-02 15:04"), t.Format(time.RFC3339), o.age(t, precision)}
	}
	return Stamp{t.Format(form), t.Format(form), o.age(t, precision)}
}

// age returns how long ago a time was, as text, or "" if Now is not set.
func (o Options) age(t time.Time, precision string) string {
	if o.Now.IsZero() {
		return ""
	}
	return render.Options{Dates: render.DatesRelative, Now: o.Now, Zone: o.Zone}.Date(t, precision)
}

// TitleOf returns the title of a handoff for lists, with credentials masked.
func (o Options) TitleOf(h index.Summary) string {
	if title := o.masked(render.Title(h)); title != "" {
		return title
	}
	return filepath.Base(h.Path)
}

// handoff returns the address of a handoff, "" if handoffs have no links.
func (l Links) handoff(id string) string {
	if l.Handoff == nil {
		return ""
	}
	return l.Handoff(id)
}

// search returns the address of a query's results, "" if queries have no links.
func (l Links) search(query string) string {
	if l.Search == nil {
		return ""
	}
	return l.Search(query)
}

// StatusPage is the page that shows the status of the index.
type StatusPage struct {
	Frame
	Status *index.Status
}

// maxListed is the maximum number of skipped files that the status page lists.
const maxListed = 200

// WriteStatus writes the page with the status of the index.
func WriteStatus(w io.Writer, p StatusPage, o Options) error {
	s := *p.Status
	s.Skips = s.Skips[:min(len(s.Skips), maxListed)]
	p.Status = &s
	return write(w, "status.tmpl", struct {
		StatusPage
		Options
	}{p, o})
}

// WriteFault writes a page that shows only errors.
func WriteFault(w io.Writer, f Frame, faults []Fault) error {
	return write(w, "fault.tmpl", struct {
		Frame
		Faults []Fault
	}{f, faults})
}

// counted returns a number with a noun in the singular or plural, such as "1,200 handoffs".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", render.Thousands(n), what)
}

// A Badge is a state of a handoff; Look is the class that colours it.
type Badge struct{ Text, Look string }

// badges returns a badge for each state of a handoff that is not quiet.
func badges(states []string) []Badge {
	var list []Badge
	for _, s := range states {
		if render.Quiet(s, states) {
			continue
		}
		list = append(list, Badge{render.StateWord(s), classOf(s)})
	}
	return list
}

// classOf returns the CSS class that colours a state.
func classOf(state string) string {
	switch state {
	case "escalated", "waiting", "invalid", "failed":
		return "alarm"
	case "blocked":
		return "stop"
	case "open", "worked":
		return "go"
	case "stale", "partial", "replaced":
		return "wait"
	}
	return "calm"
}

// slug returns a name in a form for the fragment of an address: lower case letters, digits
// and dashes.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// code splits a line into pieces and marks those between backticks as code.
func code(text string) []Piece {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 {
		return []Piece{{Text: text}}
	}
	var list []Piece
	for i, part := range parts {
		if part != "" {
			list = append(list, Piece{part, i%2 == 1})
		}
	}
	return list
}
