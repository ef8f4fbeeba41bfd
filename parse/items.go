package parse

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The patterns of what an item begins with. Lines are told apart by their first
// bytes before any pattern is tried: most of a handoff is list items.
var (
	checkbox = lazily(`^\[([ xX✓✔vV~!^-])\]\s*`)
	itemTime = lazily(`^\[([0-9][0-9T:.,+Z /-]{3,34})\]\s*`)
	priority = lazily(`(?i)\(\s*(?:priority|priorité|prioridade)\s*[:=]\s*(\p{L}+|p[0-4])\s*[,;)]|^\s*\**\[?\(?(p[0-4])\b\)?\]?`)
)

// itemText is what follows the bullet or number of a list item; ok is false for
// any other line.
func itemText(line string) (text string, ok bool) {
	s := strings.TrimLeft(line, " \t")
	n := 0
	switch {
	case s == "":
		return "", false
	case strings.IndexByte("-*+", s[0]) >= 0:
		n = 1
	case strings.HasPrefix(s, "•"):
		n = len("•")
	default:
		for n < len(s) && n < 4 && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n == 4 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return "", false
		}
		n++
	}
	if n == len(s) || s[n] != ' ' && s[n] != '\t' {
		return "", false
	}
	text = strings.TrimSpace(s[n:])
	return text, text != ""
}

// leadMarks are signs that make a line an item without a bullet.
var leadMarks = []string{"✅", "❌", "⚠", "⏳", "🔄", "🚧"}

func hasLeadMark(line string) bool {
	s := strings.TrimLeft(line, " \t")
	if s == "" || s[0] < utf8.RuneSelf {
		return false
	}
	return slices.ContainsFunc(leadMarks, func(m string) bool { return strings.HasPrefix(s, m) })
}

// maxItemText is where the lines that continue an item stop being part of its
// text; joining them is quadratic otherwise.
const maxItemText = 4 << 10

// ItemsOf lists the list items of a section's body, in order, those of nested
// lists among them; lines beginning with a mark count as items, code fences do
// not. firstLine is the line of the file the body starts on.
func ItemsOf(kind Kind, body string, firstLine int) []Item {
	return appendItems(nil, kind, body, firstLine)
}

func appendItems(items []Item, kind Kind, body string, firstLine int) []Item {
	fence := ""
	n := firstLine - 1
	open := false // the last line belongs to an item
	for line := range strings.SplitSeq(body, "\n") {
		n++
		if f := fenceMark(line); f != "" && (fence == "" || strings.HasPrefix(f, fence)) {
			if fence == "" {
				fence = f
			} else {
				fence = ""
			}
			open = false
			continue
		}
		text, isItem := itemText(line)
		switch {
		case fence != "":
		case strings.TrimSpace(line) == "":
			open = false
		case isItem:
			items = append(items, itemOf(kind, text, n))
			open = true
		case hasLeadMark(line):
			items = append(items, itemOf(kind, strings.TrimSpace(line), n))
			open = true
		case open && len(items) > 0 && len(items[len(items)-1].Text) < maxItemText:
			items[len(items)-1].Text += " " + strings.TrimSpace(line)
		}
	}
	return items
}

// itemOf reads the marks an item begins with.
func itemOf(kind Kind, text string, line int) Item {
	it := Item{Section: kind, Line: line}
	if strings.HasPrefix(text, "[") {
		if m := checkbox().FindStringSubmatch(text); m != nil {
			done := strings.ContainsAny(m[1], "xXvV✓✔")
			it.Checked = &done
			text = text[len(m[0]):]
		}
	}
	it.Mark, text = markOf(text)
	if strings.HasPrefix(text, "[") {
		if m := itemTime().FindStringSubmatch(text); m != nil {
			it.Time = m[1]
			text = text[len(m[0]):]
		}
	}
	if it.Mark == "" {
		it.Mark, text = markOf(text)
	}
	if mayRank(text) {
		if m := priority().FindStringSubmatch(text); m != nil {
			it.Priority = priorities[strings.ToLower(m[1]+m[2])]
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
var itemMarks = []string{
	"✅", "❌", "⚠️", "⚠", "○", "●", "◯", "✓", "✔", "✗", "✘", "☐", "☑", "⏳", "🔄", "🚧", "⏸️", "⏸", "🔴", "🟡", "🟢", "🟠", "❓", "❗",
}

// markOf is the sign text begins with, "" for none, and what follows it.
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

// mayRank reports whether an item can hold a priority: in parentheses, or as
// P0 to P4 at its start.
func mayRank(text string) bool {
	s := strings.TrimLeft(text, " \t\n\v\f\r*[(")
	if len(s) > 1 && (s[0] == 'p' || s[0] == 'P') && '0' <= s[1] && s[1] <= '4' {
		return true
	}
	for rest, ok := text, true; ok; {
		if _, rest, ok = strings.Cut(rest, "("); ok {
			word := strings.TrimLeft(rest, " \t\n\v\f\r")
			if len(word) >= len("prior") && strings.EqualFold(word[:len("prior")], "prior") {
				return true
			}
		}
	}
	return false
}
