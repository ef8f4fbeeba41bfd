package hooks

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A blockFormat is a file of the user's with lines of ours, between one that begins
// the block and one that ends it.
type blockFormat struct {
	begin, end string // of these lines, as much as no version changes
	close      string // how both lines end
	write      func([]Entry) string
	read       func(block []byte) ([]Entry, error)
	// check returns an error if a text is not what the agent reads.
	check func(text []byte) error
}

// find is where the block stands, from its first line to before the last line's
// end; from is -1 if there is none.
func (f blockFormat) find(text []byte) (from, to int, err error) {
	if err := f.check(text); err != nil {
		return -1, -1, err
	}
	from, to = -1, -1
	at := 0
	for n, line := range bytes.SplitAfter(text, []byte("\n")) {
		begins, ends := bytes.HasPrefix(line, []byte(f.begin)), bytes.HasPrefix(line, []byte(f.end))
		switch {
		case begins && from < 0:
			from = at
		case ends && from >= 0 && to < 0:
			to = at + len(bytes.TrimRight(line, "\r\n"))
		case begins || ends:
			return -1, -1, fmt.Errorf("line %d, column 1: a second line that begins or ends a block of handex", n+1)
		}
		at += len(line)
	}
	if from >= 0 && to < 0 {
		line := bytes.Count(text[:from], []byte("\n")) + 1
		return -1, -1, fmt.Errorf("line %d, column 1: the block of handex that begins here has no end", line)
	}
	return from, to, nil
}

// Read returns the entries of the block.
func (f blockFormat) Read(text []byte) (c contents, err error) {
	from, to, err := f.find(text)
	if err == nil && from >= 0 {
		c.Entries, err = f.read(text[from:to])
	}
	return c, err
}

// Install writes the block in place of the one that is there, or else at the end,
// behind a blank line.
func (f blockFormat) Install(text []byte, want []Entry) ([]byte, error) {
	from, to, err := f.find(text)
	if err != nil {
		return nil, err
	}
	newline := newlineOf(text)
	if from >= 0 {
		newline = newlineOf(text[from:to])
	}
	block := f.begin + ": kept by handex hooks" + f.close + "\n" + f.write(want) + f.end + f.close
	block = strings.ReplaceAll(block, "\n", newline)
	var after []byte
	switch {
	case from >= 0:
		after = slices.Concat(text[:from], []byte(block), text[to:])
	case len(text) == 0:
		after = []byte(block + newline)
	case bytes.HasSuffix(text, []byte("\n")):
		after = slices.Concat(text, []byte(newline+block+newline))
	default:
		after = slices.Concat(text, []byte(newline+newline+block+newline))
	}
	if f.check(after) != nil {
		return nil, errNoRoom
	}
	return after, nil
}

// Uninstall takes out the block and the blank line before it.
func (f blockFormat) Uninstall(text []byte) ([]byte, error) {
	from, to, err := f.find(text)
	if err != nil || from < 0 {
		return text, err
	}
	newline := newlineOf(text[from:to])
	if bytes.HasSuffix(text[:from], []byte(newline+newline)) {
		from -= len(newline)
	}
	if bytes.HasPrefix(text[to:], []byte(newline)) {
		to += len(newline)
	}
	return slices.Concat(text[:from], text[to:]), nil
}
