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

// yamlFault adds the problem for a parser's error in the text from an offset on, at the line
// that causes it. The line that the parser names is of no use: mostly it is where the
// enclosing mapping begins.
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

// yamlError returns the parser's error for the part of the text between two offsets, nil if
// it is YAML.
func (r *collector) yamlError(start, end int) error {
	_, err := yamlDocuments(strings.NewReader(r.text[start:max(start, end)]))
	return err
}

// yamlMessage returns the text of a parser's error without its line, "" for nil.
func yamlMessage(err error) string {
	if err == nil {
		return ""
	}
	if m := yamlError().FindStringSubmatch(err.Error()); m != nil {
		return m[2]
	}
	return err.Error()
}

// yamlFaultLine returns the line that causes the parser's error in r.text[from:end]. Of the
// lines near the one that the parser names and the last one that it read, it is the first up
// to which the text has the same error.
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

// A lineReader is a reader that returns one line of a text at a time, and counts the bytes.
type lineReader struct {
	text string
	read int
}

// Read reads the next line into p, or as much of it as there is room for.
func (l *lineReader) Read(p []byte) (int, error) {
	if l.read == len(l.text) {
		return 0, io.EOF
	}
	line, _, _ := strings.Cut(l.text[l.read:], "\n")
	n := copy(p, l.text[l.read:min(l.read+len(line)+1, len(l.text))])
	l.read += n
	return n, nil
}

// endsBelow reports whether one of the lines behind line open, up to line last, is indented
// no deeper than line open: then no value that begins on line open goes on so far.
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

// lineStart returns the offset where a line starts; for a line behind the last, the end of
// the text.
func (r *collector) lineStart(line int) int {
	if line > len(r.Lines) {
		return len(r.text)
	}
	return r.Lines[line-1]
}
