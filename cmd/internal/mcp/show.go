package mcp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// The number of characters on a page: the default, the minimum and the maximum.
const (
	usualPage = 8000
	leastPage = 100
	mostPage  = 16_000
)

// mostSections is the maximum number of section names that the first page lists.
const mostSections = 12

var showTool = tool{
	name: "show", title: "Show a handoff",
	call: (*server).show,
	doc:  "Show one handoff, in pages. Ids are those that search, latest and brief return.",
	params: []param{
		{
			name: "id", doc: "id or session, or the beginning of one, or a path", required: true,
			example: "h_785bd11e7439",
		},
		{
			name: "section", doc: "only these sections: next, done, gotchas, risks, decisions, ... or a heading",
			example: "next",
		},
		{
			name: "chars", kind: "integer", least: leastPage, most: mostPage, example: 2000,
			doc: "characters per page; default: 8000",
		},
		cursorParam,
	},
}

// shown is the result of show. It is only written as text, as a page is long and an agent
// that got both forms of it would pay twice. The first page has the facts.
type shown struct {
	ID, Date, Age string
	States        []string
	Cloned        bool
	Facts         []string // project, title, branch, ...
	Sections      []string
	From, Chars   int // the first character of the quote, and how many the whole text has
	Quote         string
	page
}

// show returns a page of the text of a handoff, or of its sections with a name.
func (s *server) show(ctx context.Context, svc *service.Service, a args) (answer, error) {
	h, notes, err := s.load(ctx, svc, a.text("id"))
	if err != nil {
		return nil, err
	}
	q := s.quoter()
	whole, err := s.whole(q, h, a.text("section"))
	if err != nil {
		return nil, err
	}
	first, err := s.facts(ctx, svc, q, h)
	if err != nil {
		return nil, err
	}
	first.Sections = q.lines(render.SectionNames(h), mostSections, longestName)
	text := []rune(whole)
	at, err := readCursor(a.text("cursor"), "show", h.ID, a.text("section"), whole)
	if err != nil {
		return nil, fmt.Errorf("%w (a handoff may have changed since the cursor was made)", err)
	}
	from := min(at.at, len(text))
	out := shown{ID: h.ID}
	if from == 0 {
		out = first
	}
	end := from + pageEnd(text[from:], a.number("chars", usualPage))
	out.From, out.Chars, out.Quote = from, len(text), string(text[from:end])
	out.page = page{Masked: q.masked, Notes: q.notes(notes)}
	if end < len(text) {
		out.Next = at.next(end, len(text))
		out.Cut = fmt.Sprintf("for the rest: cursor %q, or more chars (up to %d), or a section", out.Next, mostPage)
	}
	return out, nil
}

// load returns the handoff that a reference names: an id or session, the beginning of one,
// or a path. If a file has several handoffs, it is the newest, and a note says so.
func (s *server) load(ctx context.Context, svc *service.Service, ref string) (h *index.Handoff, notes []string,
	err error,
) {
	if err := svc.Open(ctx); err != nil {
		return nil, nil, err
	}
	found, err := svc.Find(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	if notes, err = svc.StaleWarnings(ctx); err != nil {
		return nil, nil, err
	}
	one := service.Newest(found)
	if len(found) > 1 {
		notes = append(notes, fmt.Sprintf("%d handoffs are in that file; this is the newest; search path:%s finds all",
			len(found), filepath.Base(one.Path)))
	}
	h, err = svc.Load(ctx, one.ID)
	return h, s.notes(svc, notes...), err
}

// facts returns the result of show without the text of the handoff.
func (s *server) facts(ctx context.Context, svc *service.Service, q *quoter, h *index.Handoff) (shown, error) {
	foreign, err := svc.IsForeign(ctx, h.Summary)
	return shown{
		ID: h.ID, Date: s.date(h.Date, h.DatePrecision), Age: s.age(h.Date, h.DatePrecision),
		States: h.States, Cloned: foreign, Facts: q.facts(h),
	}, err
}

// whole returns the text of a handoff, or of its sections with a name, made safe.
func (s *server) whole(q *quoter, h *index.Handoff, section string) (string, error) {
	var b strings.Builder
	var err error
	if section == "" {
		err = render.HandoffText(&b, h, render.Options{Dates: render.DatesISO, Now: s.opt.Now(), Zone: s.opt.Zone})
	} else if sections := render.Sections(h, section); len(sections) > 0 {
		err = render.SectionText(&b, sections, render.Options{})
	} else {
		names := strings.Join(render.SectionNames(h), ", ")
		err = render.WithHint(fmt.Errorf("%s has no section %q", h.ID, section), "its sections: "+names)
	}
	return strings.TrimPrefix(q.text(b.String()), "\n"), err
}

// facts returns the metadata of a handoff as lines "name: value", the most important first,
// until the space for them is used.
func (q *quoter) facts(h *index.Handoff) []string {
	const longest, room = 120, 700
	var list []string
	used := 0
	for _, f := range []struct{ name, value string }{
		{"title", h.Title},
		{"project", h.Project},
		{"path", cmp.Or(h.VersionOf, h.Path)},
		{"status", h.Status},
		{"branch", h.Branch},
		{"from", h.From},
		{"to", h.To},
		{"session", h.Session},
		{"commit of this version", h.Revision},
	} {
		if fact := f.name + ": " + q.line(f.value, longest); f.value != "" && used+len(fact) <= room {
			list, used = append(list, fact), used+len(fact)
		}
	}
	return list
}

// pageEnd returns the number of characters of a page: n or, if a line ends shortly before,
// fewer.
func pageEnd(text []rune, n int) int {
	if n >= len(text) {
		return len(text)
	}
	for i := n; i > n*3/4; i-- {
		if text[i-1] == '\n' {
			return i
		}
	}
	return n
}

// write writes the page as text.
func (o shown) write(b *strings.Builder) {
	b.WriteString(about + "\n" + strings.Join(compact(o.ID, o.Date, o.Age, strings.Join(o.States, ",")), ", ") + "\n")
	if o.Cloned {
		b.WriteString("It came with a clone: it was not written on this machine.\n")
	}
	if len(o.Facts) > 0 {
		b.WriteString(barred(strings.Join(o.Facts, "\n")))
	}
	if len(o.Sections) > 0 {
		b.WriteString("sections: " + bar + strings.Join(o.Sections, ", ") + "\n")
	}
	if o.Quote != "" {
		fmt.Fprintf(b, "characters %d to %d of %d:\n", o.From+1, o.From+len([]rune(o.Quote)), o.Chars)
		b.WriteString(barred(o.Quote))
	}
}
