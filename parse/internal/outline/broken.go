package outline

import (
	"encoding/json"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// maxFound bounds the fields found in a broken file; the text behind
// them is kept as one section.
const maxFound = 1000

// keyLine is a line that would be an entry, were the file YAML.
var keyLine = scan.Pattern(`^("[^"\n]{1,80}"|'[^'\n]{1,80}'|[\pL_][\pL\pN_. /-]{0,80}?)[ \t]*:(?:[ \t]+(.*)|)$`)

// readLines reads the text from an offset on, which the YAML parser refused, line by line:
// "key: rest" at the margin is a field, whatever the rest is, and the indented lines below a
// key are its text. It loses no line.
func (r *collector) readLines(from int) Outline {
	fields := map[string]bool{}
	block := r.sourceLines(from, len(r.text))
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

// below returns how many lines at the start of block belong to the key above them: those
// that are blank, are indented, or begin with a character of list.
func below(block []sourceLine, list string) int {
	for i, l := range block {
		if l.text != "" && !strings.ContainsAny(l.text[:1], " \t"+list) || IsMarker(l.text) {
			return i
		}
	}
	return len(block)
}

// looseLines returns how many lines at the start of block belong to no key: the first, and
// those up to the next comment, marker or key.
func looseLines(block []sourceLine) int {
	for i, l := range block[1:] {
		if strings.HasPrefix(l.text, "#") || IsMarker(l.text) || keyLine().MatchString(l.text) {
			return i + 1
		}
	}
	return len(block)
}

// addLineEntry adds a key and the lines below it: as a section if the key has its text only
// below, otherwise as a field. m is the match of keyLine on the first line; fields has the
// keys that were added before.
func (r *collector) addLineEntry(block []sourceLine, m []int, fields map[string]bool) {
	first, at := block[0], block[0].end()
	key, value := strings.Trim(first.text[m[2]:m[3]], `"'`), ""
	if m[4] >= 0 {
		value, at = strings.TrimSpace(first.text[m[4]:]), first.start+m[4]
	}
	text, _ := bodyOf(block[1:])
	if text != "" && (value == "" || strings.HasPrefix(value, "#")) {
		r.addHead(value)
		r.addLinesAt(key, first.start, block[1:])
		return
	}
	value = strings.TrimPrefix(strings.TrimSpace(blockMark().ReplaceAllString(value, "")+"\n"+text), "\n")
	r.addLineField(key, unquote(value), first.start, r.trimmed(at, block[len(block)-1].end()), fields)
}

// addLineField adds a field. If fields has its key already, key and value go to the head
// instead.
func (r *collector) addLineField(key, value string, start int, span source.Span, fields map[string]bool) {
	if fields[key] {
		r.addHead(key + ": " + value)
		return
	}
	fields[key] = true
	f := Field{Key: key, Label: key, Value: value, Span: span, Start: start}
	if isNull(value) {
		f.Value, f.Null = "", true
	}
	r.out.Fields = append(r.out.Fields, f)
}

// blockMark begins a block of text, with nothing beside it.
var blockMark = scan.Pattern(`^[|>][-+0-9]*$`)

// unquote returns a value without the quotes around it. A value that contains more of these
// quotes stays as it is.
func unquote(s string) string {
	if n := len(s); n >= 2 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1 : n-1]
	}
	return s
}

// isNull reports whether a YAML scalar without quotes means null.
func isNull(s string) bool {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// commentText returns the text of a YAML comment without the "#" before it.
func commentText(line string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
}

// jsonPair is a line that begins with a key and a value that is neither list nor object.
var jsonPair = scan.Pattern(`(?m)^([ \t{[]*)("(?:[^"\\\n]|\\.)*")[ \t]*:[ \t]*("(?:[^"\\\n]|\\.)*"|[^] ` +
	`\t["{},\n][^][{},\n]*)`)

// readPairs adds a field for each pair of the outermost object of a broken JSON text, from
// an offset on, and the text itself as a section. The pairs that are indented least are the
// outermost.
func (r *collector) readPairs(from int) Outline {
	fields := map[string]bool{}
	text, indent := r.text[from:], 0
	for _, m := range jsonPair().FindAllStringSubmatchIndex(text, maxFound) {
		if len(fields) == 0 {
			indent = m[3] - m[2]
		}
		if key := jsonText(text[m[4]:m[5]]); m[3]-m[2] <= indent && !fields[key] {
			r.addLineField(key, jsonText(text[m[6]:m[7]]), from+m[4], r.trimmed(from+m[6], from+m[7]), fields)
		}
	}
	r.out.Trees = nil
	r.addLines("", r.sourceLines(from, len(r.text)))
	return r.finish()
}

// jsonText returns the text of a JSON scalar: a decoded string, or any other value as
// written.
func jsonText(s string) string {
	var text string
	if json.Unmarshal([]byte(s), &text) == nil {
		return text
	}
	return strings.TrimSpace(s)
}
