package outline

import (
	"io"
	"strconv"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// forbidden are the characters that YAML forbids.
var forbidden = scan.Pattern(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{fffe}\x{ffff}]`)

var yamlError = scan.Pattern(`^yaml: (?:line (\d+): )?(.*)$`)

// yamlFault reports a parser's error of the text from an offset on. The line that the
// parser names is of no use: mostly it is where the enclosing mapping begins.
func (r *collector) yamlFault(err error, from int) {
	message, line := yamlMessage(err), r.yamlFaultLine(err, from, len(r.text))
	if before := r.yamlError(from, r.lineStart(line)); strings.HasPrefix(yamlMessage(before), "found unexpected end") {
		// A quote is open where the line begins.
		if open := r.yamlFaultLine(before, from, r.lineStart(line)); r.endsBelow(open, line) {
			message, line = yamlMessage(before), open
		}
	}
	at := r.Content(r.text, line)
	switch {
	case strings.HasPrefix(message, "exceeded max depth"):
		r.problem("yaml.depth", at, "nested more than %d levels deep: read line by line", maxYAMLDepth)
		return
	case strings.HasPrefix(message, "control characters"):
		if m := forbidden().FindStringIndex(r.text[from:]); m != nil {
			at = r.Span(from+m[0], from+m[1])
		}
	}
	cause := source.YAMLCause(message, r.text[r.lineStart(at.Line):at.End])
	r.problem("yaml.syntax", at, "not YAML: %s; read line by line", cause)
}

// yamlError returns the parser's error of a part of the text.
func (r *collector) yamlError(start, end int) error {
	_, err := yamlDocuments(strings.NewReader(r.text[start:max(start, end)]))
	return err
}

// yamlMessage returns the text of a parser's error without its line.
func yamlMessage(err error) string {
	if err == nil {
		return ""
	}
	if m := yamlError().FindStringSubmatch(err.Error()); m != nil {
		return m[2]
	}
	return err.Error()
}

// yamlFaultLine returns the line that the parser's error of text[from:end] is due to: the
// first up to which the text has the same error, near the line that the parser names or
// the last one that it read.
func (r *collector) yamlFaultLine(err error, from, end int) int {
	in := &lineReader{text: strings.TrimRight(r.text[from:end], " \t\n")}
	_, _ = yamlDocuments(in)
	first, last := r.Line(from), r.Line(from+max(in.read-1, 0))
	named := 0
	if m := yamlError().FindStringSubmatch(err.Error()); m != nil {
		named, _ = strconv.Atoi(m[1])
	}
	named += first - 1
	for _, line := range []int{named - 1, named, named + 1, last - 1} {
		if line < first || line >= last {
			continue
		}
		if part := r.yamlError(from, r.lineStart(line+1)); part != nil && part.Error() == err.Error() {
			return line
		}
	}
	return last
}

// A lineReader reads one line at a time, and counts the bytes.
type lineReader struct {
	text string
	read int
}

// Read reads a line, or as much of it as there is room for.
func (l *lineReader) Read(p []byte) (int, error) {
	if l.read == len(l.text) {
		return 0, io.EOF
	}
	line, _, _ := strings.Cut(l.text[l.read:], "\n")
	n := copy(p, l.text[l.read:min(l.read+len(line)+1, len(l.text))])
	l.read += n
	return n, nil
}

// endsBelow reports whether a line after one line, up to another, is indented no deeper
// than that: then no value that begins there goes on so far.
func (r *collector) endsBelow(open, last int) bool {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	text := func(line int) string {
		return strings.TrimRight(r.text[r.lineStart(line):r.lineStart(line+1)], " \t\n")
	}
	for line := open + 1; line <= last; line++ {
		if text(line) != "" && indent(text(line)) <= indent(text(open)) {
			return true
		}
	}
	return false
}

// lineStart returns where a line starts, the end of the text for one behind the last.
func (r *collector) lineStart(line int) int {
	if line > len(r.Lines) {
		return len(r.text)
	}
	return r.Lines[line-1]
}
