package outline

import (
	"encoding/json"
	"strings"

	"handex/parse/internal/scan"
	"handex/parse/internal/source"
)

// maxFound bounds the fields found in a broken file; the text behind
// them is kept as one section.
const maxFound = 1000

// keyLine is a line that would be an entry, were the file YAML.
var keyLine = scan.Pattern(`^("[^"\n]{1,80}"|'[^'\n]{1,80}'|[\pL_][\pL\pN_. /-]{0,80}?)[ \t]*:(?:[ \t]+(.*)|)$`)

// readLines reads line by line what the YAML parser refused: "key: rest" at
// the margin is a field, whatever the rest says; the lines below a key are its
// text. It loses no line.
func (r *collector) readLines() Outline {
	fields := map[string]bool{}
	block := r.sourceLines(0, len(r.text))
	for len(block) > 0 {
		line := block[0].text
		m := keyLine().FindStringSubmatchIndex(line)
		n := 1
		switch {
		case len(fields) == maxFound:
			n = len(block)
			r.addLines("", block)
		case strings.HasPrefix(line, "#"):
			r.addHead(commentText(line))
		case IsMarker(line):
		case m != nil:
			n = 1 + below(block[1:], "-")
			r.addLineEntry(block[:n], m, fields)
		default:
			n = looseLines(block)
			r.addLines("", block[:n])
		}
		block = block[n:]
	}
	return r.finish()
}

// IsMarker reports whether a line begins or ends a YAML document.
func IsMarker(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "---" || line == "..."
}

// below counts the lines that belong to the key above them: indented, blank,
// or a list at the margin.
func below(block []sourceLine, list string) int {
	for i, l := range block {
		if l.text != "" && !strings.ContainsAny(l.text[:1], " \t"+list) || IsMarker(l.text) {
			return i
		}
	}
	return len(block)
}

func looseLines(block []sourceLine) int {
	for i, l := range block[1:] {
		if strings.HasPrefix(l.text, "#") || IsMarker(l.text) || keyLine().MatchString(l.text) {
			return i + 1
		}
	}
	return len(block)
}

// addLineEntry reads a key and the lines below it. m is the match of salvageKey
// on the first line.
func (r *collector) addLineEntry(block []sourceLine, m []int, fields map[string]bool) {
	first := block[0]
	key := strings.Trim(first.text[m[2]:m[3]], `"'`)
	rest, at := "", first.end()
	if m[4] >= 0 {
		rest, at = strings.TrimSpace(first.text[m[4]:]), first.start+m[4]
	}
	text, _ := bodyOf(block[1:])
	switch {
	case text == "":
		r.addLineField(key, unquote(rest), first.start, r.trimmed(at, first.end()), fields)
	case rest == "" || strings.HasPrefix(rest, "#"):
		r.addHead(rest)
		r.addLineBlock(key, text, block, fields)
	default:
		value := strings.TrimPrefix(blockMark().ReplaceAllString(rest, "")+"\n"+text, "\n")
		r.addLineField(key, value, first.start, r.trimmed(at, block[len(block)-1].end()), fields)
	}
}

func (r *collector) addLineField(key, value string, start int, span source.Span, fields map[string]bool) {
	if fields[key] {
		r.addHead(key + ": " + value)
		return
	}
	fields[key] = true
	f := Field{Key: key, Label: key, Value: value, Span: span}
	if isNull(value) {
		f.Value, f.Null = "", true
	}
	r.addField(start, f)
}

// addLineBlock makes a section of the lines below a key; a list of lines is a
// field too.
func (r *collector) addLineBlock(key, text string, block []sourceLine, fields map[string]bool) {
	start := block[0].start
	r.addLinesAt(key, start, block[1:])
	if list := listItems(text); list != nil && !fields[key] {
		fields[key] = true
		span := r.trimmed(block[1].start, block[len(block)-1].end())
		r.addField(start, Field{Key: key, Label: key, Value: strings.Join(list, ", "), List: list, Span: span})
	}
}

// blockMark begins a block of text, with nothing beside it.
var blockMark = scan.Pattern(`^[|>][-+0-9]*$`)

// listItems is the items of a text that is a list of lines, else nil.
func listItems(text string) []string {
	var list []string
	for l := range strings.SplitSeq(text, "\n") {
		item, ok := strings.CutPrefix(l, "- ")
		if !ok || keyLine().MatchString(item) {
			return nil
		}
		list = append(list, unquote(strings.TrimSpace(item)))
	}
	return list
}

func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1 : n-1]
	}
	return s
}

func isNull(s string) bool {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

func commentText(line string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
}

// jsonToken is a bracket, or a string; one that is the key of a scalar has its
// value as well. A string ends with its line, so that a lost quote costs no more.
var jsonToken = scan.Pattern(`[][{}]|("(?:[^"\\\n]|\\.)*"?)(?:[ \t\n]*:[ \t\n]*("(?:[^"\\\n]|\\.)*"?|[^]["{},\n][^][{},\n]*))?`)

// readPairs finds the pairs `"key": "text"` of the outermost object of a
// broken JSON text from an offset on, and keeps the text itself as a section.
func (r *collector) readPairs(from int) Outline {
	depth, fields := 0, map[string]bool{}
	for at := from; len(fields) < maxFound; {
		m := jsonToken().FindStringSubmatchIndex(r.text[at:])
		if m == nil {
			break
		}
		switch c := r.text[at+m[0]]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case depth <= 1 && m[4] >= 0:
			r.addPair(at+m[2], at+m[3], at+m[4], at+m[5], fields)
		}
		at += m[1]
	}
	r.out.Trees = nil
	r.addLines("", r.sourceLines(from, len(r.text)))
	return r.finish()
}

// addPair adds the field with the key text[k0:k1] and the value text[v0:v1].
func (r *collector) addPair(k0, k1, v0, v1 int, fields map[string]bool) {
	key, value := jsonText(r.text[k0:k1]), jsonText(strings.TrimSpace(r.text[v0:v1]))
	if value == "" || fields[key] {
		return
	}
	fields[key] = true
	f := Field{Key: key, Label: key, Value: value, Span: r.trimmed(v0, v1)}
	if value == "null" {
		f.Value, f.Null = "", true
	}
	r.addField(k0, f)
}

func jsonText(s string) string {
	var text string
	if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &text) == nil {
		return text
	}
	return strings.Trim(s, `"`)
}
