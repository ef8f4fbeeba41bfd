package outline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/OWNER/handex/parse/internal/source"
)

// Over one of these only the outermost pairs of a JSON text are read.
const (
	maxJSON       = 1 << 20 // bytes
	maxJSONDepth  = 64
	maxJSONValues = 100_000
)

// A jsonLimitError is the error of a JSON text that passes a limit, with the rule that it
// breaks.
type jsonLimitError struct{ rule, msg string }

func (l jsonLimitError) Error() string { return l.msg }

// ReadJSON returns the outline of a JSON value, or of a stream of them. For a text that is
// not JSON or passes a limit, the outline has the outermost pairs found in it, the text
// itself, and a problem.
func ReadJSON(text string) Outline {
	j := &jsonReader{collector: newCollector(text, source.NewLines(text)), dec: json.NewDecoder(strings.NewReader(text))}
	j.dec.UseNumber()
	if len(text) > maxJSON {
		j.problem("json.too-large", source.Span{}, "more than %d KiB of JSON: only its outermost pairs are read", maxJSON>>10)
		return j.readPairs(0)
	}
	for docs := 1; ; docs++ {
		done := j.end
		root, err := j.document()
		switch limit := (jsonLimitError{}); {
		case errors.Is(err, io.EOF) && strings.TrimSpace(text[done:]) == "":
			return j.finish()
		case errors.As(err, &limit):
			j.problem(limit.rule, j.Span(j.end-1, j.end), "%s: only the outermost pairs are read", limit.msg)
			return j.readPairs(done)
		case err != nil:
			j.fault(err)
			return j.readPairs(done)
		}
		if docs == 2 {
			j.problem("json.trailing", j.Span(root.At.Start, root.At.Start), "more than one value in the file: all are read")
		}
		j.addTree(root)
	}
}

// A jsonReader reads the values of a JSON text as nodes with their places.
type jsonReader struct {
	*collector
	dec    *json.Decoder
	end    int // of the last token
	values int
}

// next reads a token and returns it with the offset where it starts. j.end is then the
// offset behind it.
func (j *jsonReader) next() (tok json.Token, start int, err error) {
	start = j.ahead()
	if tok, err = j.dec.Token(); err == nil {
		j.end = int(j.dec.InputOffset())
	}
	return tok, start, err
}

// document reads the next value of the text. The error is io.EOF if there is none.
func (j *jsonReader) document() (Node, error) {
	tok, start, err := j.next()
	if err != nil {
		return Node{}, err
	}
	n, err := j.value(tok, start, 1)
	if err == nil && n.Kind == ScalarNode && j.ahead() == j.end && j.end < len(j.text) {
		// "truer" is a word, not true and then a fault.
		return n, errors.New("invalid character after top-level value")
	}
	return n, err
}

// value reads the value that begins with tok, at offset start. depth is how many levels deep
// it is nested.
func (j *jsonReader) value(tok json.Token, start, depth int) (n Node, err error) {
	if j.values++; j.values > maxJSONValues {
		return n, jsonLimitError{"json.too-large", fmt.Sprintf("more than %d values", maxJSONValues)}
	}
	switch tok := tok.(type) {
	case json.Delim:
		n, err = j.collection(tok, depth)
	case string:
		n.Text = tok
	case json.Number:
		n.Text = tok.String()
	case bool:
		n.Text = strconv.FormatBool(tok)
	default:
		n.Text, n.Null = "null", true
	}
	n.Span = j.Span(start, j.end)
	n.At = n.Span
	return n, err
}

// collection reads the elements of a list or object behind its opening bracket, and the
// closing one. A key that occurs twice is a problem.
func (j *jsonReader) collection(open json.Delim, depth int) (Node, error) {
	n := Node{Kind: ListNode}
	if open == '{' {
		n.Kind = DictNode
	}
	if depth > maxJSONDepth {
		return n, jsonLimitError{"json.depth", fmt.Sprintf("nested more than %d levels deep", maxJSONDepth)}
	}
	keys := map[string]int{} // lines
	for j.dec.More() {
		c, err := j.child(n.Kind, depth)
		if err != nil {
			return n, err
		}
		if c.dup = n.Kind == DictNode && keys[c.Key] > 0; c.dup {
			j.problem("json.dup-key", j.Span(c.At.Start, c.At.Start), "key %q occurs twice: the value on line %d is used", c.Key,
				keys[c.Key])
		} else {
			keys[c.Key] = c.At.Line
		}
		n.Children = append(n.Children, c)
	}
	_, _, err := j.next()
	return n, err
}

// child reads the next element of a list, or the next key of an object and its value.
func (j *jsonReader) child(parent nodeKind, depth int) (Node, error) {
	tok, start, err := j.next()
	if err != nil {
		return Node{}, err
	}
	if parent == ListNode {
		return j.value(tok, start, depth+1)
	}
	key, _ := tok.(string) // the decoder takes nothing else for a key
	at := j.Span(start, j.end)
	tok, start, err = j.next()
	if err != nil {
		return Node{}, err
	}
	n, err := j.value(tok, start, depth+1)
	n.Key, n.At = key, at
	return n, err
}

// ahead returns where the next token starts.
func (j *jsonReader) ahead() int {
	return len(j.text) - len(strings.TrimLeft(j.text[j.end:], " \t\r\n,:"))
}

// fault adds a problem for the decoder's error, at the token that the decoder could not
// read, or at the end of a text that ends too early. The offset in the error is of no use: it
// counts from varying places.
func (j *jsonReader) fault(err error) {
	at, text := j.ahead(), err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, text = len(strings.TrimRight(j.text, " \t\n")), "the text ends too early"
	}
	j.problem("json.syntax", j.Span(at, at), "not JSON: %s", text)
}
