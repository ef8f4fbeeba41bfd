package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"handex/parse"
	"handex/query"
)

const (
	// maxSnippets is how many lines are shown of a hit, maxCells how wide.
	maxSnippets = 3
	maxCells    = 160
	// leadCells stand before the first match of a line that is cut.
	leadCells = 40
	// snippetBatch is how many texts are held at once.
	snippetBatch = 128
)

// snippets gives each hit the lines that answer the query: those that match its
// words; where it has none, those it asks for by state, or what is next.
func (x *search) snippets(ctx context.Context, plan *query.Plan, ids []int64) error {
	leaves := slices.DeleteFunc(slices.Clone(plan.Leaves), func(l query.Leaf) bool { return l.Negated })
	for from := 0; from < len(ids); from += snippetBatch {
		to := min(from+snippetBatch, len(ids))
		var err error
		switch {
		case len(leaves) > 0:
			err = x.matching(ctx, leaves, ids[from:to], x.result.Hits[from:to])
		case asks(x.query.Expr, "escalated"):
			err = x.escalations(ctx, ids[from:to], x.result.Hits[from:to])
		default:
			err = x.openings(ctx, ids[from:to], x.result.Hits[from:to])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// asks reports whether the query wants a state.
func asks(e query.Expr, state string) bool {
	switch e := e.(type) {
	case query.And:
		return slices.ContainsFunc(e.List, func(x query.Expr) bool { return asks(x, state) })
	case query.Or:
		return slices.ContainsFunc(e.List, func(x query.Expr) bool { return asks(x, state) })
	case query.Is:
		return e.State == state
	case query.Has:
		return state == "escalated" && e.Field == "escalation"
	case query.All, query.None, query.Not, query.Text, query.Key, query.Amount, query.During, query.Same:
	}
	return false
}

// matching cuts the lines that hold what the leaves look for.
func (x *search) matching(ctx context.Context, leaves []query.Leaf, ids []int64, hits []Hit) error {
	bodies, err := x.q.Bodies(ctx, numberList(ids))
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	for i := range bodies {
		b, err := unpack(bodies[i].Pack)
		if err != nil {
			return err
		}
		hits[at[bodies[i].ID]].Snippets = cutMatches(passages(b), leaves)
	}
	return nil
}

// A passage is a run of a handoff's text with what a leaf asks for.
type passage struct {
	column  string // of body
	slug    string // of the section it is in
	section string // as shown
	line    int    // its first, as in piece.firstLine
	text    string
}

// passages lists the text of a handoff in the order in which lines of it are
// best shown.
func passages(b packedText) []passage {
	var fields, sections []passage
	slugged := ""
	first := 0
	for _, p := range b.pieces {
		if p.level == levelField {
			fields = append(fields, passage{string(p.kind), "", string(p.kind), p.firstLine, p.text})
			continue
		}
		if first == 0 {
			first = p.line
		}
		if p.section() {
			slugged = slug(p.headingStr)
			if p.headingStr != "" {
				sections = append(sections, passage{"heading", "", "heading", p.line, p.headingStr})
			}
		}
		sections = append(sections, passage{string(p.kind), slugged, shown(p.kind, slugged), p.firstLine, p.text})
	}
	return append(append(fields, headPassages(b, first)...), sections...)
}

// shown names a section: by its kind, or by its heading if it is of no kind.
func shown(kind parse.Kind, slug string) string {
	if kind == parse.Other && slug != "" {
		return slug
	}
	return string(kind)
}

// headPassages are the title and the lines above the first section, which
// begins at line first. The title stands in the head of most formats.
func headPassages(b packedText, first int) []passage {
	line := 1
	if first > 0 {
		line = max(first-strings.Count(b.head, "\n"), 0)
	}
	head := passage{"head", "", "head", line, b.head}
	before, _, found := strings.Cut(b.head, b.title)
	title := passage{"title", "", "title", 0, b.title}
	if found && line > 0 {
		title.line = line + strings.Count(before, "\n")
	}
	return []passage{title, head}
}

// A matchedLine is a line with the leaves it holds.
type matchedLine struct {
	passage int
	line    int // within the passage, from 0
	leaves  map[int]bool
	spans   [][2]int // of the line
	text    string
}

// cutMatches picks the lines that hold most of what is looked for. It stops when
// it has seen enough: every leaf once, and as many lines as are shown.
func cutMatches(texts []passage, leaves []query.Leaf) []Snippet {
	var found []*matchedLine
	seen, taken := map[int]bool{}, map[int]bool{}
	for i, p := range texts {
		if len(seen) == len(leaves) && len(found) >= maxSnippets {
			break
		}
		lines := map[int]*matchedLine{}
		for l := range leaves {
			if !applies(&leaves[l], p) {
				continue
			}
			for _, span := range findIn(&leaves[l], p.text) {
				seen[l] = true
				note(lines, i, p.text, span, l)
			}
		}
		for _, n := range sortedKeys(lines) {
			// The line of a field stands in the head too.
			at := 0
			if p.line > 0 {
				at = p.line + n
			}
			if at == 0 || !taken[at] {
				taken[at] = true
				found = append(found, lines[n])
			}
		}
	}
	return best(texts, found)
}

// findIn is l.Find, but looks at the lines alone where a word can be: most words
// stand in few lines, and splitting text into words takes ten times as long as
// searching it.
func findIn(l *query.Leaf, text string) [][2]int {
	if len(l.Forms) == 0 || slices.ContainsFunc(l.Forms, func(f string) bool { return f == "" || !isASCII(f) }) {
		return l.Find(text)
	}
	var first [utf8.RuneSelf]bool
	for _, f := range l.Forms {
		first[f[0]|0x20], first[f[0]&^0x20] = true, true
	}
	var spans [][2]int
	for at := 0; at < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if mayHold(text[at:next], l.Forms, &first) {
			for _, span := range l.Find(text[at:next]) {
				spans = append(spans, [2]int{at + span[0], at + span[1]})
			}
		}
		at = next
	}
	return spans
}

// mayHold reports whether a line holds one of the words in any case, or a
// character that the index could fold to one of their letters. first are the
// letters the words begin with.
func mayHold(line string, words []string, first *[utf8.RuneSelf]bool) bool {
	for i := range len(line) {
		c := line[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if !first[c] {
			continue
		}
		for _, w := range words {
			// The last letter tells most words apart without a closer look.
			if end := i + len(w); end <= len(line) && line[end-1]|0x20 == w[len(w)-1]|0x20 && strings.EqualFold(line[i:end], w) {
				return true
			}
		}
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func sortedKeys(m map[int]*matchedLine) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// applies reports whether a leaf may match in the passage.
func applies(l *query.Leaf, p passage) bool {
	switch {
	case l.Section != "":
		return p.slug == l.Section
	case l.Columns != nil:
		return slices.Contains(l.Columns, p.column)
	}
	return true
}

// note adds a span to the line it begins on; what goes on in the next line is
// left out.
func note(lines map[int]*matchedLine, passage int, text string, span [2]int, leaf int) {
	start := strings.LastIndexByte(text[:span[0]], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	n := strings.Count(text[:start], "\n")
	m := lines[n]
	if m == nil {
		m = &matchedLine{passage: passage, line: n, leaves: map[int]bool{}, text: text[start:end]}
		lines[n] = m
	}
	m.leaves[leaf] = true
	m.spans = append(m.spans, [2]int{span[0] - start, min(span[1], end) - start})
}

// best answers the lines with the most leaves, in the order they were found.
func best(texts []passage, found []*matchedLine) []Snippet {
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(found[b].leaves), len(found[a].leaves)) })
	picked := order[:min(len(order), maxSnippets)]
	slices.Sort(picked)
	out := make([]Snippet, len(picked))
	for n, i := range picked {
		m, p := found[i], texts[found[i].passage]
		out[n] = cutLine(m.text, m.spans)
		out[n].Section = p.section
		if p.line != 0 {
			out[n].Line = lineOf(p.line, m.line)
		}
	}
	return out
}

// cutLine trims a line and cuts it to maxCells around its first match.
func cutLine(text string, spans [][2]int) Snippet {
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	left := len(text) - len(strings.TrimLeft(text, " \t\r"))
	right := len(strings.TrimRight(text, " \t\r"))
	focus := left
	if len(spans) > 0 {
		left = min(left, spans[0][0])
		focus = spans[0][0]
	}
	right = max(right, left)
	from, to := window(text, left, right, focus)
	s := Snippet{Text: text[from:to]}
	shift := -from
	if from > left {
		s.Text = "…" + s.Text
		shift += len("…")
	}
	if to < right {
		s.Text += "…"
	}
	last := 0
	for _, span := range spans {
		a, b := max(span[0], from, last), min(span[1], to)
		if a < b {
			s.Spans = append(s.Spans, [2]int{a + shift, b + shift})
			last = b
		}
	}
	return s
}

// window is the part of text[left:right] to show: all of it if it is narrow
// enough, else from a little before focus.
func window(text string, left, right, focus int) (from, to int) {
	if cells(text[left:right]) <= maxCells {
		return left, right
	}
	from = focus
	for room := leadCells; from > left && room > 0; {
		r, n := utf8.DecodeLastRuneInString(text[left:from])
		room -= cell(r)
		from -= n
	}
	// A line that ends soon behind the match shows more of what is before it.
	to = from
	room := maxCells
	for to < right && room > 0 {
		r, n := utf8.DecodeRuneInString(text[to:right])
		if room -= cell(r); room < 0 {
			break
		}
		to += n
	}
	for to == right && from > left && room > 0 {
		r, n := utf8.DecodeLastRuneInString(text[left:from])
		if room -= cell(r); room < 0 {
			break
		}
		from -= n
	}
	return from, to
}

func cells(s string) int {
	n := 0
	for _, r := range s {
		n += cell(r)
	}
	return n
}

// cell is about how wide r is shown.
func cell(r rune) int {
	if r >= 0x1100 && (r < 0x2000 || r >= 0x2e80) {
		return 2
	}
	return 1
}

// escalations are the lines that ask for a human.
func (x *search) escalations(ctx context.Context, ids []int64, hits []Hit) error {
	list, err := x.q.EscalationsOf(ctx, numberList(ids))
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	for _, e := range list {
		h := &hits[at[e.HandoffID]]
		if len(h.Snippets) == maxSnippets {
			continue
		}
		var spans [][2]int
		if i := strings.Index(e.Value, parse.EscalationSignal); i >= 0 {
			spans = [][2]int{{i, i + len(parse.EscalationSignal)}}
		}
		s := cutLine(e.Value, spans)
		s.Section, s.Line = "escalation", int(e.Line)
		h.Snippets = append(h.Snippets, s)
	}
	return nil
}

// openings are what blocks a handoff, if that was asked, or the first of what
// is next, or its goal.
func (x *search) openings(ctx context.Context, ids []int64, hits []Hit) error {
	rows, err := x.q.Openings(ctx, numberList(ids))
	if err != nil {
		return err
	}
	at := map[int64]int{}
	for i, id := range ids {
		at[id] = i
	}
	blocked := asks(x.query.Expr, "blocked")
	for _, row := range rows {
		columns := []column{{parse.Next, row.Next}, {parse.Goal, row.Goal}}
		if blocked {
			columns = slices.Insert(columns, 0, column{parse.Blockers, row.Blockers})
		}
		if s, ok := opening(row.Sections, columns); ok {
			hits[at[row.ID]].Snippets = []Snippet{s}
		}
	}
	return nil
}

type column struct {
	kind parse.Kind
	text string
}

// opening is the first line that says something in the first of the columns
// that has one.
func opening(sections string, columns []column) (Snippet, bool) {
	pieces, err := readPieces(sections)
	if err != nil {
		return Snippet{}, false
	}
	for _, c := range columns {
		for _, p := range pieces {
			if p.kind != c.kind {
				continue
			}
			text, rest, err := cut(c.text, p.body)
			if err != nil {
				break
			}
			c.text = rest
			if s, ok := firstSnippet(p, text); ok {
				return s, true
			}
		}
	}
	return Snippet{}, false
}

func firstSnippet(p piece, text string) (Snippet, bool) {
	n := 0
	for line := range strings.Lines(text) {
		if said := firstText(line); said != "" {
			s := cutLine(strings.TrimRight(said, "\n"), nil)
			s.Section = string(p.kind)
			if p.firstLine != 0 {
				s.Line = lineOf(p.firstLine, n)
			}
			return s, true
		}
		n++
	}
	return Snippet{}, false
}
