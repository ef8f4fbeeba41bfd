package write

import (
	"strings"

	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
)

// replace is the edit that gives an entry another value; ok is false for an
// entry whose key is not simply followed by its colon.
func (m *yamlMap) replace(n outline.Node, s YAMLSet) (e edit, ok bool) {
	colon := scan.SkipBlanks(m.text, n.KeyEnd) + 1
	if colon > len(m.text) || m.text[colon-1] != ':' {
		return edit{}, false
	}
	end := max(n.Span.End, colon)
	if n.Null && n.Span.Start == n.Span.End {
		end = colon
	}
	switch keyLine := scan.LineContentEnd(m.text, colon); {
	case m.flow: // a value in braces goes on over lines as it is
	case end > keyLine:
		return m.replaceLines(n, colon, end, s), true
	case s.isList() && len(s.Values) > 0:
		rest := strings.TrimRight(m.text[end:keyLine], " \t")
		return edit{colon, keyLine, rest + m.listBelow(n, s)}, true
	}
	start := scan.SkipBlanks(m.text, colon)
	if start > end || start == colon {
		return edit{colon, end, " " + inlineValue(s)}, true
	}
	return edit{start, end, inlineValue(s)}, true
}

// inlineValue is a value that takes one line.
func inlineValue(s YAMLSet) string {
	switch {
	case s.isList():
		items := make([]string, len(s.Values))
		for i, v := range s.Values {
			items[i] = yamlScalar(v)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case len(s.Values) == 1:
		return yamlScalar(s.Values[0])
	}
	return "null"
}

// replaceLines replaces a value that goes on below the line of its key. The
// comment on that line stays; others go below the new value.
func (m *yamlMap) replaceLines(n outline.Node, colon, end int, s YAMLSet) edit {
	end = scan.LineContentEnd(m.text, end)
	keyLine := scan.LineContentEnd(m.text, colon)
	beside, below := "", ""
	for _, c := range m.Comments {
		text := strings.TrimRight(m.text[c.Start:c.End], " \t\n")
		switch {
		case c.Start < colon || c.Start >= end:
		case c.Start < keyLine:
			before := strings.TrimRight(m.text[colon:c.Start], " \t")
			beside = m.text[colon+len(before):c.Start] + text
		default:
			indent := m.text[scan.LineStart(m.text, c.Start):c.Start]
			if strings.TrimSpace(indent) != "" {
				indent = m.indent(n)
			}
			below += "\n" + indent + text
		}
	}
	if s.isList() && len(s.Values) > 0 {
		return edit{colon, end, beside + m.listBelow(n, s) + below}
	}
	return edit{colon, end, " " + inlineValue(s) + beside + below}
}

// indent is the white space before an entry's key.
func (m *yamlMap) indent(n outline.Node) string {
	line := m.text[scan.LineStart(m.text, n.Start):n.Start]
	return line[:len(line)-len(strings.TrimLeft(line, " "))]
}

// listBelow is a list on lines of its own, indented as the one before it was.
func (m *yamlMap) listBelow(n outline.Node, s YAMLSet) string {
	indent := m.indent(n) + "  "
	if n.Kind == outline.ListNode && len(n.Children) > 0 && n.Children[0].Line > n.Line {
		start := m.Lines[n.Children[0].Line-1]
		line := m.text[start:scan.LineEnd(m.text, start)]
		if rest := strings.TrimLeft(line, " "); strings.HasPrefix(rest, "- ") {
			indent = line[:len(line)-len(rest)]
		}
	}
	return blockList(indent, s.Values)
}

func blockList(indent string, values []string) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString("\n" + indent + "- " + yamlScalar(v))
	}
	return b.String()
}

// additions lists ways to add a key: behind everything the document holds; or
// before its last entry, for behind a block of text that ends the file without
// a newline there is no place that belongs to nobody.
func (m *yamlMap) additions(s YAMLSet) [][]edit {
	key := yamlScalar(s.Key) + ": "
	entries := m.root.Children
	if m.flow {
		if len(entries) == 0 {
			open := max(m.root.Span.Start, strings.LastIndexByte(m.text[:m.root.Span.End], '{')) + 1
			return [][]edit{{{open, open, key + inlineValue(s)}}}
		}
		end := entries[len(entries)-1].Span.End
		return [][]edit{{{end, end, ", " + key + inlineValue(s)}}}
	}
	indent := ""
	places := []int{len(m.text)}
	if len(entries) > 0 {
		indent = m.indent(entries[0])
		from := max(m.root.Span.End-1, 0)
		for _, mark := range []string{"\n---", "\n..."} {
			if i := strings.Index(m.text[from:places[0]], mark); i >= 0 {
				places[0] = from + i + 1 // another document may follow
			}
		}
		places = append(places, scan.LineStart(m.text, entries[len(entries)-1].Start))
	}
	line := indent + key + inlineValue(s) + "\n"
	if s.isList() && len(s.Values) > 0 {
		line = indent + strings.TrimRight(key, " ") + blockList(indent+"  ", s.Values) + "\n"
	}
	var ways [][]edit
	for _, at := range places {
		text := line
		if at > 0 && m.text[at-1] != '\n' {
			text = "\n" + line
		}
		ways = append(ways, []edit{{at, at, text}})
	}
	return ways
}
