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

// Style is the style sheet of all pages, Script the program of those that serve
// makes, Icon their sign.
var (
	//go:embed static/style.css
	Style string
	//go:embed static/app.js
	Script string
	//go:embed static/icon.svg
	Icon string
)

// Options say how pages are written.
type Options struct {
	Links Links
	// Mask takes out of a text what nobody should see; nil takes out nothing.
	Mask func(string) string
	// Zone is the reader's; nil is UTC. Now is what ages count to.
	Zone *time.Location
	Now  time.Time
}

// Links say where names lead. An address that is "" leads nowhere.
type Links struct {
	Handoff func(id string) string
	Search  func(query string) string
	// NoDays leaves out the links of each day.
	NoDays bool
}

// Frame is what surrounds a page that is served.
type Frame struct {
	// Title is the page's name, Query the text in its search box.
	Title, Query string
	// Theme is auto, light or dark.
	Theme string
	// CSRF is what a form has to bring along, Generation what the page is of.
	CSRF       string
	Generation uint64
	// Reports are the names of the reports there are, Here the page that is shown, if
	// the bar leads to it.
	Reports []string
	Here    string
}

// Themes returns the colours a page can have, Chosen the one it has.
func (Frame) Themes() []string { return []string{"auto", "light", "dark"} }

// Chosen returns the colours the page has.
func (f Frame) Chosen() string { return cmp.Or(f.Theme, "auto") }

// templates are read when the first page is written: no other command needs them.
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

// A pair is what a template hands on where it needs two.
type pair struct{ First, Second any }

// policy allows a self-contained file its own style and nothing else.
func policy() string {
	sum := sha256.Sum256([]byte(Style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}

// write writes a template whole or not at all.
func write(w io.Writer, name string, data any) error {
	var out bytes.Buffer
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// Line returns a text of a handoff on one line, without what is masked.
func (o Options) Line(text string) string { return o.masked(render.Line(text)) }

func (o Options) masked(text string) string {
	if o.Mask == nil {
		return text
	}
	return o.Mask(text)
}

// Path returns the name of a file or folder, without what is masked.
func (o Options) Path(path string) string { return o.masked(render.Path(path)) }

// File returns the text of a file, without what is masked.
func (o Options) File(text string) string { return o.masked(render.Clean(text)) }

// Linked is a text that may lead somewhere.
type Linked struct{ Text, Link string }

// Field returns the value of a field, which leads to the handoffs that have it, unless the
// address would reveal what is masked.
func (o Options) Field(field, value string) Linked {
	v := Linked{Text: o.Line(value)}
	if o.masked(value) == value {
		v.Link = o.Links.search(Condition(field, value))
	}
	return v
}

// HandoffLink returns the address of a handoff.
func (o Options) HandoffLink(id string) string { return o.Links.handoff(id) }

// A Stamp is a time as it is shown, and as programs read it.
type Stamp struct{ Text, Machine, Age string }

// Stamp shows a time no finer than it is known.
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

// age returns how long ago something was.
func (o Options) age(t time.Time, precision string) string {
	if o.Now.IsZero() {
		return ""
	}
	return render.Options{Dates: render.DatesRelative, Now: o.Now, Zone: o.Zone}.Date(t, precision)
}

// TitleOf returns what a list calls a handoff.
func (o Options) TitleOf(h index.Summary) string {
	if title := o.masked(render.Title(h)); title != "" {
		return title
	}
	return filepath.Base(h.Path)
}

func (l Links) handoff(id string) string {
	if l.Handoff == nil {
		return ""
	}
	return l.Handoff(id)
}

func (l Links) search(query string) string {
	if l.Search == nil {
		return ""
	}
	return l.Search(query)
}

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

// counted writes how many there are of something.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", render.Thousands(n), what)
}

// A Badge is a state of a handoff; Look is the class that colours it.
type Badge struct{ Text, Look string }

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

// classOf returns the class of the style sheet that shows a state.
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

// slug returns a name as it can be in an address of the page.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// code splits a line at its code, which is between backticks.
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
