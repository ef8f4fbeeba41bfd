package topic

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/scan"
)

// The patterns of what an item begins with. Lines are distinguished by their first
// bytes before any pattern is tried: most of a handoff is list items.
var (
	checkbox = scan.Pattern(`^\[([ xX✓✔vV~!^-])\]\s*`)
	itemTime = scan.Pattern(`^\[([0-9][0-9T:.,+Z /-]{3,34})\]\s*`)
	priority = scan.Pattern(`(?i)\(\s*(?:priority|priorité|prioridade)\s*[:=]\s*(\p{L}+|p[0-4])\s*[,;)]|` +
		`^\s*\**\[?\(?(p[0-4])\b\)?\]?`)
)

// IsTicked reports whether a box or a sign says that an item is done.
func (it Item) IsTicked() bool {
	return it.Checked != nil && *it.Checked || it.Mark == "✅" || it.Mark == "✔" || it.Mark == "☑" || it.Mark == "✓"
}

// maxItemText is where the lines that continue an item stop being part of its
// text; joining them is quadratic otherwise.
const maxItemText = 4 << 10

// askedFor are the kinds whose items are counted as a person would count them.
var askedFor = SetOf(Next, Blockers, Questions, Human)

// AppendItems appends the list items of a section's body to items, as parse.ItemsOf
// describes. firstLine is the line of the file on which the body starts.
func AppendItems(items []Item, kind Kind, heading, body string, firstLine int) []Item {
	s := itemScan{kind: kind, asked: askedFor[kind], first: len(items), items: items}
	if s.asked && IsStep(heading) {
		s.add(unnumber(heading), firstLine-1)
		s.indent, s.whole = -1, true
	}
	for i, line := range strings.Split(body, "\n") {
		s.line(line, firstLine+i)
	}
	if s.asked && len(s.items) == s.first {
		s.paragraphs(body, firstLine)
	}
	return s.items
}

// stepHeading is a heading that is itself something to do.
var stepHeading = scan.Pattern(`(?i)^\W*(?:[0-9]{1,2}[.)]\s+\S|(?:\w+\s+)?(?:task|step|item|issue|todo|` +
	`slice)\s*#?[0-9]+\s*[:.—–-])`)

// IsStep reports whether a heading is itself something to do, as "Task 3: ..." and "1. ..."
// are.
func IsStep(heading string) bool {
	return strings.ContainsAny(heading, "0123456789") && stepHeading().MatchString(heading)
}

// An itemScan goes over the lines of a body in search of items.
type itemScan struct {
	kind   Kind
	asked  bool
	items  []Item
	first  int // of this body
	indent int // of the item that takes points along
	whole  bool
	fence  scan.Fence
	open   bool // the last line belongs to an item
	table  tableScan
}

// line reads the next line of the body, line n of the file: it begins an item, continues the
// last one, or neither.
func (s *itemScan) line(line string, n int) {
	if s.fence.Toggles(line) {
		s.open = false
		return
	}
	text, isItem := scan.ItemText(line)
	switch {
	case s.fence != "":
	case strings.TrimSpace(line) == "":
		s.open = false
	case isItem && s.isPoint(line, text):
		s.join(line)
	case isItem || scan.HasLeadMark(line):
		if !isItem {
			text = strings.TrimSpace(line)
		}
		s.add(text, n)
		s.indent, s.open = scan.Indent(line), true
	case s.asked && isNumberedBold(line):
		s.add(unnumber(strings.TrimLeft(line, "* ")), n)
		s.indent = -1
	case s.asked && strings.HasPrefix(line, "|"):
		if text, done := s.table.row(line); text != "" {
			s.add(text, n)
			s.moveDone(done)
		}
	case s.open:
		s.join(line)
	}
	if !strings.HasPrefix(line, "|") {
		s.table = tableScan{}
	}
}

// add adds an item. In the kinds of askedFor, an item that says that it is done is moved to
// Done.
func (s *itemScan) add(text string, line int) {
	s.items = append(s.items, ReadItem(s.kind, text, line))
	if s.asked {
		s.moveDone(saysDone(text))
	}
}

// moveDone moves the last item to Done if it is ticked or says that it is done.
func (s *itemScan) moveDone(done bool) {
	it := &s.items[len(s.items)-1]
	if done || it.Checked != nil && *it.Checked {
		it.Section = Done
	}
}

// saysDone reports whether the element of a list of YAML or JSON has the status completed,
// as "Docs — id: 8; status: done" has.
func saysDone(text string) bool {
	i := strings.Index(text, "status: ")
	if i < 2 || !strings.HasSuffix(text[:i], "; ") && !strings.HasSuffix(text[:i], "— ") {
		return false
	}
	value, _, _ := strings.Cut(text[i+len("status: "):], ";")
	return metadata.Status(value) == "completed"
}

// isPoint reports whether an item is a point below the item before it, and so part of its
// text.
func (s *itemScan) isPoint(line, text string) bool {
	if !s.asked || len(s.items) == s.first || strings.HasPrefix(text, "[") && checkbox().MatchString(text) {
		return false
	}
	return scan.Indent(line) > s.indent+1 || s.indent < 0 && (s.whole || scan.Indent(line) > 0 ||
		strings.IndexByte("-*+", strings.TrimSpace(line)[0]) >= 0)
}

// join adds a line to the text of the last item.
func (s *itemScan) join(line string) {
	if len(s.items) > s.first && len(s.items[len(s.items)-1].Text) < maxItemText {
		s.items[len(s.items)-1].Text += " " + strings.TrimSpace(line)
	}
}

// isNumberedBold reports whether a line is "**1. Title**".
func isNumberedBold(line string) bool {
	inner, ok := strings.CutPrefix(line, "**")
	return ok && len(inner) > 3 && scan.IsDigit(inner[0]) && strings.IndexAny(inner[:3], ".)") > 0
}

// Bounds of the paragraphs that are items where there is no list.
const (
	maxParagraphs    = 5
	maxParagraphText = 600
)

// paragraphs makes items of the paragraphs of a body without a list.
func (s *itemScan) paragraphs(body string, firstLine int) {
	open := false
	var code scan.Fence
	for i, line := range strings.Split(body, "\n") {
		text := strings.TrimSpace(line)
		switch {
		case code.Toggles(line):
			open = false
		case code != "":
		case text == "" || strings.Trim(text, "-*_= ") == "" || strings.HasPrefix(text, "<!--"):
			open = false
		case open:
			s.join(line)
		case len(s.items)-s.first < maxParagraphs && !strings.HasPrefix(text, "|") && len(text) < maxParagraphText &&
			!scan.SaysNone(text):
			s.add(text, firstLine+i)
			open = true
		}
	}
	found := slices.DeleteFunc(s.items[s.first:], func(it Item) bool {
		return strings.HasSuffix(strings.TrimRight(it.Text, "* "), ":")
	})
	s.items = s.items[:s.first+len(found)]
}

// ReadItem returns the list item with a text, without the marks that it begins with: box,
// sign and time. Its priority is read from the text.
func ReadItem(kind Kind, text string, line int) Item {
	it := Item{Section: kind, Line: line}
	if m := checkbox().FindStringSubmatch(text); m != nil {
		done := strings.ContainsAny(m[1], "xXvV✓✔")
		it.Checked, text = &done, text[len(m[0]):]
	}
	it.Mark, text = markOf(text)
	if m := itemTime().FindStringSubmatch(text); m != nil {
		it.Time, text = m[1], text[len(m[0]):]
	}
	if it.Mark == "" {
		it.Mark, text = markOf(text)
	}
	if mayRank(text) {
		if m := priority().FindStringSubmatch(text); m != nil {
			it.Priority = metadata.Priorities()[strings.ToLower(m[1]+m[2])]
		}
	}
	if it.Checked == nil && strings.HasPrefix(text, "~~") {
		done := true
		it.Checked = &done
	}
	it.Text = strings.TrimSpace(text)
	return it
}

// itemMarks are the signs items begin with; where one begins with another, it
// comes first.
var itemMarks = strings.Fields("✅ ❌ ⚠️ ⚠ ○ ● ◯ ✓ ✔ ✗ ✘ ☐ ☑ ⏳ 🔄 🚧 ⏸️ ⏸ 🔴 🟡 🟢 🟠 ❓ ❗")

// markOf returns the sign text begins with, "" for none, and what follows it.
func markOf(text string) (mark, rest string) {
	if text == "" || text[0] < utf8.RuneSelf {
		return "", text
	}
	for _, mark := range itemMarks {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return mark, strings.TrimLeft(rest, " \t")
		}
	}
	return "", text
}

// mayRank reports whether the text of an item can state a priority, by that word or as P0 to
// P4 at its start.
func mayRank(text string) bool {
	s := strings.TrimLeft(text, " \t\n\v\f\r*[(")
	return len(s) > 1 && s[0]|0x20 == 'p' && '0' <= s[1] && s[1] <= '4' ||
		strings.Contains(text, "riori") || strings.Contains(text, "RIORI")
}

// Item is one list item. Mark is the sign it began with, as written.
type Item struct {
	Section  Kind
	Text     string
	Checked  *bool // nil: no checkbox
	Mark     string
	Priority string // "low", "medium", "high", "critical" or ""
	Time     string // as written, "" when none
	Line     int
}

// Columns by the words of their heads: what a row is about, and its state.
var (
	mainColumns = strings.Fields(`title task item action step issue what todo description name work topic question
		blocker deliverable slice tâche aufgabe tarea tarefa 任务 事项 内容 作業 タスク 항목 작업`)
	statusColumns = scan.Set("status state done statut estado stato 状态 状態 상태 stand")
)

// A tableScan reads the rows of one table.
type tableScan struct {
	rows         int
	main, status int // columns, -1 where there is none
}

// row reads a row of a table. It returns the text of the main column, and whether the status
// column says that it is done. The text is "" for the head, the rule, and rows that say
// "none".
func (t *tableScan) row(line string) (text string, done bool) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	t.rows++
	switch {
	case t.rows == 1:
		t.head(cells)
		return "", false
	case strings.Trim(line, "|-: \t") == "":
		return "", false
	}
	if t.status >= 0 && t.status < len(cells) {
		done = metadata.Status(cells[t.status]) == "completed"
	}
	at := t.main
	if at < 0 || at >= len(cells) {
		at = 0
		if len(cells) > 1 && (len(cells[0]) < 4 || !strings.Contains(cells[0], " ") &&
			strings.ContainsAny(cells[0], "0123456789#")) {
			at = 1 // behind a number
		}
	}
	if scan.IsNone(cells[at]) {
		return "", false
	}
	text = cells[at]
	if inner, ok := strings.CutPrefix(text, "**"); ok && strings.HasSuffix(inner, "**") {
		text = strings.TrimSuffix(inner, "**")
	}
	return text, done
}

// head finds the main column and the status column of a table by the names in its head.
func (t *tableScan) head(cells []string) {
	t.main, t.status = -1, -1
	best := len(mainColumns)
	for i, c := range cells {
		name := strings.ToLower(scan.TrimMarks(scan.Plain(c)))
		if statusColumns[name] {
			t.status = i
		}
		for rank, word := range mainColumns[:best] {
			if strings.Contains(name, word) {
				t.main, best = i, rank
				break
			}
		}
	}
}
