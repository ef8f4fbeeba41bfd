package write

import (
	"slices"
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
	case m.flow:
		return m.replaceFlow(n, colon, end, s), true
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

func (m *yamlMap) replaceFlow(n outline.Node, colon, end int, s YAMLSet) edit {
	start := max(n.Span.Start, colon)
	if end == colon {
		start = colon
	}
	value := inlineValue(s)
	if m.text[start-1] == ':' {
		value = " " + value
	}
	return edit{start, end, value}
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
	if len(entries) > 0 {
		indent = m.indent(entries[0])
	}
	line := indent + key + inlineValue(s) + "\n"
	if s.isList() && len(s.Values) > 0 {
		line = indent + strings.TrimRight(key, " ") + blockList(indent+"  ", s.Values) + "\n"
	}
	end := m.documentEnd()
	last := edit{end, end, line}
	if end > 0 && m.text[end-1] != '\n' {
		last.text = "\n" + line
	}
	ways := [][]edit{{last}}
	if len(entries) > 0 {
		at := scan.LineStart(m.text, entries[len(entries)-1].Start)
		ways = append(ways, []edit{{at, at, line}})
	}
	return ways
}

// documentEnd is where the first document ends: at the next marker line.
func (m *yamlMap) documentEnd() int {
	at := m.documentStart()
	if len(m.root.Children) > 0 {
		at = scan.LineEnd(m.text, max(m.root.Span.End-1, 0))
	}
	for at < len(m.text) {
		if isDocumentMark(m.text[at:scan.LineContentEnd(m.text, at)], "---", "...") {
			return at
		}
		at = scan.LineEnd(m.text, at)
	}
	return len(m.text)
}

// documentStart is where the first document starts: behind comments, directives
// and the marker line.
func (m *yamlMap) documentStart() int {
	for at := 0; at < len(m.text); at = scan.LineEnd(m.text, at) {
		line := m.text[at:scan.LineContentEnd(m.text, at)]
		switch {
		case isDocumentMark(line, "---"):
			return scan.LineEnd(m.text, at)
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") && !strings.HasPrefix(line, "%"):
			return 0
		}
	}
	return 0
}

func isDocumentMark(line string, marks ...string) bool {
	return slices.ContainsFunc(marks, func(m string) bool {
		rest, ok := strings.CutPrefix(line, m)
		return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
	})
}
