package hooks

import (
	"bytes"
	"fmt"
	"strings"
)

// A block is a stretch of lines of ours in a file of the user's, between a line
// that begins it and one that ends it.
type block struct{ begin, end string }

const (
	beginMark = "handex:begin"
	endMark   = "handex:end"
)

var (
	markdownBlock = block{"<!-- " + beginMark + ": kept by handex hooks -->", "<!-- " + endMark + " -->"}
	tomlBlock     = block{"# " + beginMark + ": kept by handex hooks", "# " + endMark}
)

// write is the block around a text that ends in a line end, without one of its own.
func (b block) write(body, newline string) string {
	return strings.ReplaceAll(b.begin+"\n"+body+b.end, "\n", newline)
}

// find is where the block stands, from its first line to before the last line's
// end. Of what begins the lines only as much counts as no version changes.
func (b block) find(text []byte) (from, to int, ok bool, err error) {
	begin, end := []byte(b.begin[:strings.Index(b.begin, beginMark)+len(beginMark)]), []byte(b.end[:strings.Index(b.end, endMark)+len(endMark)])
	from, to = -1, -1
	at := 0
	for n, line := range bytes.SplitAfter(text, []byte("\n")) {
		switch {
		case !bytes.HasPrefix(line, begin) && !bytes.HasPrefix(line, end):
		case bytes.HasPrefix(line, begin) && from < 0:
			from = at
		case bytes.HasPrefix(line, end) && from >= 0 && to < 0:
			to = at + len(bytes.TrimRight(line, "\r\n"))
		default:
			return 0, 0, false, fmt.Errorf("line %d, column 1: a second line that begins or ends a block of handex", n+1)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		line := bytes.Count(text[:from], []byte("\n")) + 1
		return 0, 0, false, fmt.Errorf("line %d, column 1: the block of handex that begins here has no end", line)
	}
	return from, to, from >= 0, nil
}

// with is the text with the block: in its place, or at the end. A text without a
// line end at its end stays one, so that it can be told what was there.
func (b block) with(text []byte, body string) ([]byte, error) {
	from, to, ok, err := b.find(text)
	if err != nil {
		return nil, err
	}
	if ok {
		return splice(text, cut{from, to, b.write(body, newlineOf(text[from:to]))}), nil
	}
	newline := newlineOf(text)
	written := b.write(body, newline)
	switch {
	case len(text) == 0:
		return []byte(written), nil
	case bytes.HasSuffix(text, []byte("\n")):
		return append(bytes.Clone(text), newline+written+newline...), nil
	}
	return append(bytes.Clone(text), newline+newline+written...), nil
}

// without is the text without the block, if one is in it.
func (b block) without(text []byte) (Undone, error) {
	from, to, ok, err := b.find(text)
	if err != nil || !ok {
		return Undone{Text: text, Exact: true}, err
	}
	newline := newlineOf(text[from:to])
	body := b.bodyOf(text[from:to])
	before, behind := text[:from], text[to:]
	candidates := [][]byte{
		splice(text, cut{from: from - trailing(before, newline), to: to + leading(behind, newline)}),
		splice(text, cut{from: from - trailing(before, newline+newline), to: to}),
		splice(text, cut{from: from, to: to}),
	}
	for _, c := range candidates {
		if again, err := b.with(c, body); err == nil && bytes.Equal(again, text) {
			return Undone{Text: c, Exact: true}, nil
		}
	}
	return Undone{Text: candidates[0]}, nil
}

// bodyOf is what stands between the two lines of a block.
func (b block) bodyOf(written []byte) string {
	text := strings.ReplaceAll(string(written), "\r\n", "\n")
	_, body, _ := strings.Cut(text, "\n")
	return body[:max(strings.LastIndex(body, "\n")+1, 0)]
}

func trailing(text []byte, end string) int {
	if bytes.HasSuffix(text, []byte(end)) {
		return len(end)
	}
	return 0
}

func leading(text []byte, start string) int {
	if bytes.HasPrefix(text, []byte(start)) {
		return len(start)
	}
	return 0
}
