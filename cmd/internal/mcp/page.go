package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"handex/cmd/internal/render"
)

// The sizes of an answer with both forms, in bytes of JSON: where the caller does
// not say how much is wanted, which leaves room for what the protocol adds, and
// where it does. Agents warn at 10,000 tokens.
const (
	smallAnswer = 3900
	largeAnswer = 48_000
)

// A page is the part of an answer that tells what is not in it.
type page struct {
	// Next is the cursor of what follows, Cut how much that is and how to get it.
	Next   string   `json:"next_cursor,omitempty"`
	Cut    string   `json:"cut,omitempty"`
	Masked int      `json:"masked,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// text writes the page behind the text of an answer.
func (p page) text(b *strings.Builder) {
	if p.Masked > 0 {
		b.WriteString(render.Several(p.Masked, "credential") + " masked.\n")
	}
	for _, n := range p.Notes {
		b.WriteString("note " + bar + n + "\n")
	}
	if p.Cut != "" {
		b.WriteString(p.Cut + "\n")
	}
}

// longestNote is how many characters a note may have.
const longestNote = 140

// notes are what was said beside an answer, made harmless; of many the first.
func (q *quoter) notes(list ...[]string) []string {
	const most = 3
	var all []string
	for _, notes := range list {
		for _, n := range notes {
			if n = q.line(n, longestNote); n != "" && len(all) < most {
				all = append(all, n)
			}
		}
	}
	return all
}

// A cursor is a place in a list or a text that had a size when it was made. As a
// text it holds a mark of the question, so that it is not taken for one in another
// answer.
type cursor struct{ at, of int }

func (c cursor) text(question ...string) string {
	return fmt.Sprintf("%d.%d.%s", c.at, c.of, mark(question))
}

func mark(question []string) string {
	sum := sha256.Sum256([]byte(strings.Join(question, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// readCursor reads a cursor of a question; an empty one is the beginning.
func readCursor(text string, question ...string) (cursor, error) {
	if text == "" {
		return cursor{of: -1}, nil
	}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return cursor{}, errors.New("cursor: it is no next_cursor of an answer; leave it out to begin at the start")
	}
	at, err := strconv.Atoi(parts[0])
	of, err2 := strconv.Atoi(parts[1])
	switch {
	case err != nil || err2 != nil || at < 0 || of < 0:
		return cursor{}, errors.New("cursor: it is no next_cursor of an answer; leave it out to begin at the start")
	case parts[2] != mark(question):
		return cursor{}, errors.New("cursor: it is of another answer; repeat the other arguments as they were, or leave it out to begin at the start")
	}
	return cursor{at, of}, nil
}

// changed is a note that the list is not the one the cursor is of.
func (c cursor) changed(now int) []string {
	if c.of < 0 || c.of == now {
		return nil
	}
	return []string{fmt.Sprintf("there were %d when the cursor was made, and there are %d now: some may have moved from page to page", c.of, now)}
}
