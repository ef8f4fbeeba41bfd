package render

import (
	"regexp"
	"strings"
	"sync"

	"github.com/OWNER/handex/parse"
)

// The patterns that recognize Markdown, compiled when a text is shown. They match in linear
// time, as handoffs can be hostile.
var (
	inlineForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("`([^`]+)`" + `|\*\*([^*]+)\*\*|__([^_]+)__|\[([^\]]+)\]\(([^)\s]+)\)|` +
			parse.EscalationSignal)
	})
	itemForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?`)
	})
	headingForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s{0,3}#{1,6}\s+`) })
	ruleForm    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[\s|:*_-]*(?:---|\*\*\*|___|` +
			`-\|)[\s|:*_-]*$`)
	})
)

const (
	// wrappedBy is the width from which a line counts as broken because it was full, so
	// that the next line continues it. A shorter line ends there.
	wrappedBy = 50
	// maxKey is the maximum length of the key in a line "key: value"; such a line is not
	// joined to the one before.
	maxKey = 24
)

// A markdown writes text in Markdown to a terminal, line by line.
type markdown struct {
	*printer
	first, rest string // what the first and the other lines of the paragraph begin with
	text        string // of the paragraph so far
	full        bool   // its last line is as wide as lines that are wrapped
	table       [][]string
	fence       string // what ends the block of code, "" outside
}

// markdown writes a text in Markdown: paragraphs and items wrapped to the width, tables
// aligned, code unchanged.
func (p *printer) markdown(text string) {
	m := &markdown{printer: p}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		m.add(strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " "))
	}
	m.end()
}

// add processes the next line of the text: it writes it, or keeps it for the paragraph or
// table that it belongs to.
func (m *markdown) add(line string) {
	trimmed := strings.TrimSpace(line)
	isTable := m.fence == "" && strings.HasPrefix(trimmed, "|")
	if !isTable && m.table != nil {
		m.end()
	}
	switch {
	case m.fence != "":
		if strings.HasPrefix(trimmed, m.fence) {
			m.fence = ""
		} else {
			m.line(Span{"    " + line, Dim})
		}
	case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
		m.end()
		m.fence = trimmed[:3]
	case isTable:
		m.paragraph()
		m.row(trimmed)
	case trimmed == "":
		m.end()
		m.line()
	case ruleForm().MatchString(line):
		m.end()
		m.line(Span{strings.Repeat("─", m.Width), Dim})
	case headingForm().MatchString(line):
		m.end()
		m.line(Span{m.heading(trimmed), Bold})
	default:
		m.prose(line)
	}
}

// heading returns the text of a heading without its "#" signs. Without a terminal or colour
// it keeps them, as nothing else shows that it is a heading.
func (o Options) heading(text string) string {
	if o.Width == 0 || !o.Color {
		return text
	}
	return strings.TrimLeft(text, "# ")
}

// prose adds a line to the current paragraph or item, or writes that and begins a new one.
func (m *markdown) prose(line string) {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	item := itemForm().FindStringSubmatch(line)
	quote := strings.HasPrefix(text, ">")
	name, _, key := strings.Cut(strings.ReplaceAll(text, ":**", ": "), ": ")
	key = key && len(name) <= maxKey
	if item == nil && !quote && !key && m.full && len(indent) <= len(m.rest) {
		m.text += " " + text
		m.full = Cells(line) >= wrappedBy
		return
	}
	begins := indent
	switch {
	case quote:
		begins, text = indent+"│ ", strings.TrimLeft(text, "> ")
	case item != nil:
		begins, text = indent+m.bullet(strings.TrimSpace(item[0]), item[1])+" ", line[len(item[0]):]
	}
	m.paragraph()
	m.first, m.rest, m.text, m.full = begins, begins, text, Cells(line) >= wrappedBy
	if item != nil {
		m.rest = strings.Repeat(" ", Cells(begins))
	}
}

// bullet returns the sign that is shown before an item: a box if it has a checkbox, a
// bullet, or its number. box is the content of its checkbox, "" without one.
func (m *markdown) bullet(sign, box string) string {
	switch {
	case box == " ":
		return "☐"
	case box != "":
		return "☑"
	case strings.ContainsAny(sign, "-*+"):
		return "•"
	}
	return sign
}

// paragraph writes the current paragraph, wrapped, and empties it.
func (m *markdown) paragraph() {
	if m.text == "" {
		return
	}
	begins := m.first
	for _, line := range wrap(m.inline(m.text), m.Width-Cells(begins)) {
		m.line(append([]Span{{begins, Plain}}, line...)...)
		begins = m.rest
	}
	m.text, m.full = "", false
}

// inline returns the spans of a text in Markdown: bold, code, links and the escalation
// signal get a look.
func (o Options) inline(text string) (spans []Span) {
	at := 0
	for _, g := range inlineForm().FindAllStringSubmatchIndex(text, -1) {
		spans = append(spans, Span{text[at:g[0]], Plain})
		at = g[1]
		group := func(n int) string { return text[max(g[2*n], 0):max(g[2*n+1], 0)] }
		switch bold := group(2) + group(3); {
		case strings.Contains(text[g[0]:g[1]], parse.EscalationSignal):
			spans = append(spans, Span{strings.Trim(text[g[0]:g[1]], "*_"), Alarm})
		case bold != "":
			spans = append(spans, Span{bold, Bold})
		case group(4) != "":
			spans = append(spans, Span{group(4), Plain}, Span{" (" + group(5) + ")", Dim})
		case o.Color:
			spans = append(spans, Span{group(1), Cyan})
		default:
			spans = append(spans, Span{text[g[0]:g[1]], Plain})
		}
	}
	return append(spans, Span{text[at:], Plain})
}

// wrap breaks spans at blanks into lines of at most room cells. A longer word stays whole
// on its own line, so that it can be copied.
func wrap(spans []Span, room int) (lines [][]Span) {
	words := [][]Span{nil}
	for _, s := range spans {
		for i, part := range strings.Split(s.Text, " ") {
			if i > 0 {
				words = append(words, nil)
			}
			if part != "" {
				words[len(words)-1] = append(words[len(words)-1], Span{part, s.Look})
			}
		}
	}
	var line []Span
	used := 0
	for _, word := range words {
		w := width(word)
		if used > 0 && used+1+w > room {
			lines, line, used = append(lines, line), nil, 0
		}
		if w == 0 {
			continue
		}
		if last := len(line) - 1; last >= 0 && line[last].Look == word[0].Look {
			line[last].Text += " " + word[0].Text
			word, used = word[1:], used+1
		} else if last >= 0 {
			line, used = append(line, Span{" ", Plain}), used+1
		}
		line, used = append(line, word...), used+w
	}
	return append(lines, line)
}

// row adds a row to the current table; it ignores the rule below the header.
func (m *markdown) row(line string) {
	if ruleForm().MatchString(line) {
		return
	}
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00")
	m.table = append(m.table, Each(strings.Split(line, "|"), func(cell string) string {
		return strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|"))
	}))
}

// end writes the current paragraph and the current table.
func (m *markdown) end() {
	m.paragraph()
	rows := Each(m.table, func(row []string) [][]Span { return Each(row, m.inline) })
	m.table = nil
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	limit := m.columnLimit(widths)
	for n, row := range rows {
		cells := Each(row, func(cell []Span) [][]Span { return wrap(cell, limit) })
		for i, more := 0, true; more; i++ {
			more = m.rowLine(cells, widths, limit, i, n == 0)
		}
	}
}

// columnLimit returns the maximum width of a column with which all columns fit the
// terminal.
func (m *markdown) columnLimit(widths []int) int {
	const least = 8
	for limit := m.Width; limit > least; limit-- {
		sum := 0
		for _, w := range widths {
			sum += min(w, limit) + gap
		}
		if sum-gap <= m.Width {
			return limit
		}
	}
	return least
}

// rowLine writes line i of a table row whose cells are wrapped, and reports whether the row
// has more lines.
func (m *markdown) rowLine(cells [][][]Span, widths []int, limit, i int, header bool) (more bool) {
	var line []Span
	for c, cell := range cells {
		var part []Span
		if i < len(cell) {
			part = cell[i]
		}
		more = more || i+1 < len(cell)
		if header {
			part = Each(part, func(s Span) Span { return Span{s.Text, Bold} })
		}
		line = append(line, pad(part, min(widths[c], limit)+gap)...)
	}
	m.line(line...)
	return more
}
