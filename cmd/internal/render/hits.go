package render

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Oneline writes one line for each hit: its number if it has one, id, date, project,
// format, states, the number of versions found if there are any, and title. On a terminal
// the columns are aligned and the line fits its width; elsewhere a line depends only on its
// hit, and empty columns are "-".
func Oneline(w io.Writer, hits []Row, o Options) error {
	return list(w, hits, false, o)
}

// Short writes the lines of Oneline, and below each the best matching line of its handoff.
func Short(w io.Writer, hits []Row, o Options) error {
	return list(w, hits, true, o)
}

// list writes a line for each hit and, with snippets, the matching line below it.
func list(w io.Writer, hits []Row, snippets bool, o Options) error {
	rows := Each(hits, o.row)
	if o.Width > 0 {
		align(rows, o.Width)
	}
	p := &printer{Options: o, w: w}
	for i, r := range rows {
		p.line(join(r)...)
		if snippets {
			p.below(hits[i])
		}
	}
	return p.err
}

// The columns of a row, from left to right.
const (
	colNumber = iota
	colID
	colDate
	colProject
	colFormat
	colStates
	colVersions
	colTitle
	columns
)

// row is the line of a hit: a cell for each column.
type row [columns][]Span

// row returns the cells of the line for a hit. Without a terminal, empty columns are "-",
// except those for the number and the versions.
func (o Options) row(h Row) row {
	id := h.ID
	if o.Width > 0 {
		id = ShortID(id)
	}
	r := row{
		colID:      {{id, Yellow}},
		colDate:    {{o.Date(h.Date, h.DatePrecision), Dim}},
		colProject: {{Line(h.Project), Cyan}},
		colFormat:  {{Line(h.Format), Dim}},
		colStates:  o.states(h.States),
		colTitle:   {{Title(h.Summary), Plain}},
	}
	if h.Number > 0 {
		r[colNumber] = []Span{{fmt.Sprintf("%2d", h.Number), Dim}}
	}
	if n := len(h.Versions); n > 0 {
		r[colVersions] = []Span{{"+" + Several(n, "version"), Dim}}
	}
	if h.Member != "" {
		r[colProject] = append(r[colProject], Span{" " + Line(h.Member), Dim})
	}
	if o.Width == 0 {
		for i, cell := range r {
			if i != colNumber && i != colVersions && width(cell) == 0 {
				r[i] = []Span{{Text: "-"}}
			}
		}
	}
	return r
}

// ShortID returns the first digits of an id, for people. They suffice unless another of
// some millions of handoffs has the same, in which case the program asks.
func ShortID(id string) string {
	const digits = 6
	return id[:min(len(id), len("h_")+digits)]
}

// Title returns the title of a handoff for a line: its title, or else its goal or the name
// of its file.
func Title(s index.Summary) string {
	for _, text := range []string{s.Title, s.Goal, filepath.Base(cmp.Or(s.VersionOf, s.Path))} {
		if text = Line(text); text != "" {
			return text
		}
	}
	return ""
}

// FromTo returns the writer and the receiver of a handoff as "from → to"; either can be
// missing.
func FromTo(from, to string) string {
	if to != "" {
		to = "→ " + to
	}
	return strings.TrimSpace(from + " " + to)
}

// quiet are the states that are not shown on a terminal, as they are usual. Other outputs
// have all states.
var quiet = []string{"latest", "valid", "warned", "legacy", "delegated"}

// looks are the looks of states; states without one are dim.
var looks = map[string]Look{
	"open": Green, "escalated": Alarm, "blocked": Red, "failed": Red, "invalid": Red,
	"waiting": Alarm, "stale": Yellow, "pending": Yellow, "in-progress": Green,
}

// Quiet reports whether a terminal need not show a state, given all states of the handoff.
func Quiet(state string, states []string) bool {
	return slices.Contains(quiet, state) || state == "closed" && len(states) > 1 ||
		state == "waiting" && slices.Contains(states, "escalated") ||
		state == "escalated" && slices.Contains(states, "acked")
}

// StateWord returns the word that people see for a state.
func StateWord(state string) string { return query.StateWord(state) }

// states returns the states of a handoff as spans. A terminal gets only those that are not
// quiet.
func (o Options) states(states []string) []Span {
	if o.Width == 0 {
		return []Span{{Text: strings.Join(states, ",")}}
	}
	var pieces []Span
	for _, s := range states {
		if Quiet(s, states) {
			continue
		}
		look, ok := looks[s]
		if !ok {
			look = Dim
		}
		if len(pieces) > 0 {
			pieces = append(pieces, Span{Text: " "})
		}
		pieces = append(pieces, Span{Line(StateWord(s)), look})
	}
	return pieces
}

// Widths in cells: the most that columns take, and the least that the title needs.
const (
	maxProject = 24
	fewProject = 12
	maxFormat  = 14
	maxStates  = 24
	minTitle   = 20
	gap        = 2
)

// align pads every column to one width, and cuts rows to room cells. If too little is left
// for the title, other columns shrink or vanish, in this order: the format, most of the
// project, the states, all of the project.
func align(rows []row, room int) {
	var widths [columns]int
	for _, r := range rows {
		for i, cell := range r[:colTitle] {
			widths[i] = max(widths[i], width(cell))
		}
	}
	widths[colProject] = min(widths[colProject], maxProject)
	widths[colFormat] = min(widths[colFormat], maxFormat)
	widths[colStates] = min(widths[colStates], maxStates)
	for _, give := range []struct{ column, to int }{
		{colFormat, 0},
		{colProject, fewProject},
		{colStates, 0},
		{colProject, 0},
	} {
		if room-total(widths) < minTitle {
			widths[give.column] = min(widths[give.column], give.to)
		}
	}
	left := room - total(widths)
	for n := range rows {
		for i, limit := range widths[:colTitle] {
			if limit == 0 {
				rows[n][i] = nil
				continue
			}
			rows[n][i] = pad(fit(rows[n][i], limit), limit)
		}
		rows[n][colTitle] = fit(rows[n][colTitle], max(left, 1))
	}
}

// total returns the sum of the widths of the columns that are not empty, and of the gaps
// behind them.
func total(widths [columns]int) int {
	sum := 0
	for _, w := range widths {
		if w > 0 {
			sum += w + gap
		}
	}
	return sum
}

// join returns the cells of a row as one line, with gaps between them.
func join(r row) []Span {
	var line []Span
	for _, cell := range r {
		if len(cell) == 0 {
			continue
		}
		if len(line) > 0 {
			line = append(line, Span{Text: strings.Repeat(" ", gap)})
		}
		line = append(line, cell...)
	}
	return line
}

// below writes the lines under a hit: the best snippet that does not repeat the title, and
// the words of the query that the handoff lacks.
func (p *printer) below(h Row) {
	title := Title(h.Summary)
	for _, s := range h.Snippets {
		if s = unmarked(s); !repeats(Line(s.Text), title) {
			p.line(p.snippet(s)...)
			break
		}
	}
	if len(h.Missing) > 0 {
		text := "    missing: " + Line(strings.Join(h.Missing, ", "))
		p.line(fit([]Span{{text, Dim}}, p.Width)...)
	}
}

// snippet returns the line of a snippet with the matches highlighted. On a terminal it is
// cut so that the first match is visible.
func (o Options) snippet(s index.Snippet) []Span {
	line := []Span{{"    " + place(s), Dim}}
	marked := marks(s)
	if o.Width == 0 {
		return append(line, marked...)
	}
	room := max(o.Width-width(line), 1)
	return append(line, fit(scroll(marked, room), room)...)
}

// markForm matches the signs of Markdown in a line.
var markForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^\\s*(?:(?:#{1,6}|[-*+>|]|\\d{1,9}[.)])\\s+)+(?:\\[[ xX]\\]\\s+)?|\\s\\||\\|\\s*$|\\*\\*|`")
})

// unmarked returns a snippet without Markdown signs in its text, with its spans moved
// accordingly.
func unmarked(s index.Snippet) index.Snippet {
	cuts := markForm().FindAllStringIndex(s.Text, -1)
	before := func(at int) (n int) {
		for _, cut := range cuts {
			n += max(min(cut[1], at)-cut[0], 0)
		}
		return at - n
	}
	spans := Each(s.Spans, func(span [2]int) [2]int { return [2]int{before(span[0]), before(span[1])} })
	var b strings.Builder
	at := 0
	for _, cut := range cuts {
		b.WriteString(s.Text[at:cut[0]])
		at = cut[1]
	}
	s.Text, s.Spans = b.String()+s.Text[at:], spans
	return s
}

// repeats reports whether a line says little more than a title: the title contains it, or
// the line contains the title and is less than twice as long.
func repeats(line, title string) bool {
	line = strings.TrimSuffix(line, "…")
	return strings.Contains(title, line) || strings.Contains(line, title) && 2*len(title) > len(line)
}

// place returns the section and line number of a snippet with blanks after it: "next:31 ".
func place(s index.Snippet) string {
	name := Line(s.Section)
	if s.Line > 0 {
		name += ":" + strconv.Itoa(s.Line)
	}
	if name == "" {
		return ""
	}
	return name + "  "
}

// marks splits the text of a snippet into spans that match and spans that do not. It
// ignores matches that are out of order or outside of the text.
func marks(s index.Snippet) []Span {
	var pieces []Span
	at := 0
	add := func(end int, look Look) {
		if text := squeeze(s.Text[at:end], at == 0, end == len(s.Text)); text != "" {
			pieces = append(pieces, Span{text, look})
		}
		at = end
	}
	for _, span := range s.Spans {
		start, end := boundary(s.Text, span[0]), boundary(s.Text, span[1])
		if start < at || end <= start {
			continue
		}
		add(start, Plain)
		add(end, Match)
	}
	add(len(s.Text), Plain)
	return pieces
}

// boundary returns the offset nearest to at that is in text, moved back to the start of a
// character.
func boundary(text string, at int) int {
	at = min(max(at, 0), len(text))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// squeeze cleans a part of a line as Line does, but keeps one blank at each end of the part
// that is not an end of the line. first and last say whether the part is at the line's
// ends.
func squeeze(text string, first, last bool) string {
	line := Line(text)
	if line == "" && text != "" && !first && !last {
		return " "
	}
	if line == "" {
		return ""
	}
	if !first && strings.TrimLeft(text[:1], " \t") == "" {
		line = " " + line
	}
	if !last && strings.TrimLeft(text[len(text)-1:], " \t") == "" {
		line += " "
	}
	return line
}

// scroll cuts the text before the first match so that the match is visible in room cells.
func scroll(pieces []Span, room int) []Span {
	if len(pieces) < 2 || pieces[0].Look == Match || width(pieces) <= room {
		return pieces
	}
	lead := Cells(pieces[0].Text)
	if lead+Cells(pieces[1].Text) < room {
		return pieces
	}
	text := truncateLeft(pieces[0].Text, lead-room/4)
	return append([]Span{{"…" + text, Plain}}, pieces[1:]...)
}
