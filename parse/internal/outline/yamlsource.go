package outline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// A yamlCursor turns the lines and columns of YAML nodes into offsets. YAML
// counts columns in runes and ends lines at more than "\n". It goes forward
// only, so that all nodes of a text cost one pass over it.
type yamlCursor struct{ off, line, column int } // line and column from 0

// seek moves the cursor to node n and returns its offset, which is never before what is
// already read.
func (y *yamlReader) seek(n *yaml.Node) int {
	c := &y.cursor
	for c.off < len(y.text) && (c.line < n.Line-1 || c.line == n.Line-1 && c.column < n.Column-1) {
		c.step(y.text)
	}
	return max(c.off, y.done)
}

// step moves the cursor over the next character of a text, or over the two of a line end.
func (c *yamlCursor) step(text string) {
	char, size := utf8.DecodeRuneInString(text[c.off:])
	c.off += size
	c.column++
	switch char {
	case '\r':
		if strings.HasPrefix(text[c.off:], "\n") {
			c.off++
		}
		c.line, c.column = c.line+1, 0
	case '\n', '\u0085', '\u2028', '\u2029':
		c.line, c.column = c.line+1, 0
	}
}

// scalarSource returns where the source of a scalar with a value is, at offset i or behind
// it: with its quotes, without its tag, anchor or block mark.
func scalarSource(text string, i int, value string) (start, end int) {
	i = skipProperties(text, i)
	if i == len(text) {
		return i, i
	}
	switch text[i] {
	case '"':
		return i, quoteEnd(text, i, `\`)
	case '\'':
		return i, quoteEnd(text, i, `'`)
	case '|', '>':
		i = scan.LineEnd(text, i)
		i += len(text[i:]) - len(strings.TrimLeftFunc(text[i:], unicode.IsSpace))
		if strings.TrimSpace(value) == "" {
			return i, i
		}
	}
	return i, matchWords(text, i, value)
}

// skipProperties returns the offset behind the tag and the anchor that are at offset i
// before a value.
func skipProperties(text string, i int) int {
	for i < len(text) && (text[i] == '!' || text[i] == '&') {
		i += len(text[i:]) - len(strings.TrimLeftFunc(text[i:], func(r rune) bool { return !unicode.IsSpace(r) }))
		i += len(text[i:]) - len(strings.TrimLeftFunc(text[i:], unicode.IsSpace))
	}
	return i
}

// quoteEnd returns the offset behind the quoted text that starts at offset i. escape is the
// character that escapes a quote in it; in single quotes the quote escapes itself, which
// looks like two texts side by side.
func quoteEnd(text string, i int, escape string) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == escape[0] && (escape[0] != quote || strings.HasPrefix(text[i+1:], escape)):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// matchWords returns the offset behind the source of a value that begins at offset i and
// differs from the value in white space alone. If it differs otherwise, the result is where
// they stop being equal.
func matchWords(text string, i int, value string) int {
	end := i
	for _, char := range value {
		if unicode.IsSpace(char) {
			continue
		}
		if char < utf8.RuneSelf && i < len(text) && text[i] == byte(char) {
			i++
			end = i
			continue
		}
		i += len(text[i:]) - len(strings.TrimLeftFunc(text[i:], unicode.IsSpace))
		found, size := utf8.DecodeRuneInString(text[i:])
		if found != char || size == 0 {
			return end
		}
		i += size
		end = i
	}
	return end
}

// closeFlow reads on to the bracket that ends a list or mapping in brackets, which begins at
// offset start; empty says that it has no elements.
func (y *yamlReader) closeFlow(start int, empty bool) {
	i := max(start, y.done)
	if empty {
		i = min(skipProperties(y.text, i)+1, len(y.text))
	}
	for i < len(y.text) && strings.IndexByte("]}", y.text[i]) < 0 {
		if y.text[i] == '#' {
			i = scan.LineEnd(y.text, i)
			continue
		}
		i++
	}
	i = min(i+1, len(y.text))
	y.gap(i)
	y.done = i
}

// gap reads the text behind the last scalar up to offset to. Comments go to the head, and so
// do the words of tags, anchors and directives.
func (y *yamlReader) gap(to int) {
	for i := y.done; i < to; {
		end := scan.LineEnd(y.text[:to], i)
		hash := commentAt(y.text, i, end)
		y.addHead(strings.Join(y.gapWords(y.text[i:hash]), " "))
		if hash < end {
			y.comment(hash, end)
		}
		i = end
	}
	y.done = max(y.done, to)
}

// commentAt returns the offset of the comment in text[i:end], or end.
func commentAt(text string, i, end int) int {
	for k := i; k < end; k++ {
		if text[k] == '#' && (k == 0 || strings.IndexByte(" \t\r\n", text[k-1]) >= 0) {
			return k
		}
	}
	return end
}

// gapWords returns the words of a text between scalars that were not met before, without the
// signs of YAML.
func (y *yamlReader) gapWords(s string) []string {
	var words []string
	for w := range strings.FieldsSeq(s) {
		if w = strings.Trim(w, "[]{},:?-"); strings.ContainsFunc(w, unicode.IsLetter) && !y.words[w] {
			y.words[w] = true
			words = append(words, w)
		}
	}
	return words
}

// comment keeps the comment between two offsets. One like "#12" behind a value is a problem,
// as it was hardly meant as a comment: YAML drops it from the value without a word.
func (y *yamlReader) comment(hash, end int) {
	y.comments = append(y.comments, source.Span{Start: hash, End: end})
	text := strings.TrimSpace(y.text[hash:end])
	y.addHead(commentText(text))
	first, _ := utf8.DecodeRuneInString(text[1:])
	before := y.text[scan.LineStart(y.text, hash):hash]
	if strings.TrimSpace(before) != "" && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
		y.problem("yaml.comment-in-value", y.Span(hash, hash+len(text)),
			"the value ends before %q: put it in quotes to keep the rest", scan.Shorten(text, 40))
	}
}
