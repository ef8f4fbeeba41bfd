package author

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
	"handex/index"
	"handex/parse"
)

// Escalate adds the escalation signal with a line of text to a handoff. A dry run
// only returns what would change.
func (e Env) Escalate(ctx context.Context, h index.Summary, text string, dryRun bool) (save.Change, error) {
	info, err := os.Stat(h.Path)
	if err != nil {
		return save.Change{}, err
	}
	dir, name := filepath.Split(h.Path)
	at := Location{Root: filepath.Clean(dir)}
	c, err := e.edit(ctx, at, name, dryRun, func(old []byte) ([]byte, bool, error) {
		if old == nil {
			return nil, false, fmt.Errorf("%s is gone", h.Path)
		}
		text, err := escalated(h, old, text)
		return text, false, err
	})
	if err == nil && !dryRun && !slices.Contains(h.States, "latest") {
		// The newest file is the newest handoff, which this one is not.
		err = os.Chtimes(h.Path, info.ModTime(), info.ModTime())
	}
	return c, err
}

// escalated is the text of a file with the signal added to one of its handoffs.
func escalated(h index.Summary, old []byte, text string) ([]byte, error) {
	docs := parse.Parse(parse.Source{Path: filepath.ToSlash(h.Path), Bytes: old})
	switch shape := docs[0].Shape; {
	case h.VersionOf != "":
		return nil, fmt.Errorf("%s is an earlier version of %s", h.ID, h.VersionOf)
	case shape != parse.Markdown && shape != parse.Text:
		err := fmt.Errorf("%s is %s: a line cannot be added to it", h.Path, shape)
		return nil, render.WithHint(err, "escalate adds to Markdown, which the contract is of")
	case !utf8.Valid(old):
		return nil, fmt.Errorf("%s is not UTF-8", h.Path)
	case h.Entry >= len(docs) || docs[h.Entry].Title != h.Title:
		return nil, fmt.Errorf("%s has changed since it was indexed; try again", h.Path)
	}
	line := parse.EscalationSignal + ": " + text
	d := docs[h.Entry]
	for _, e := range d.Escalations {
		if e.Text == line {
			return old, nil
		}
	}
	eol := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		eol = "\r\n"
	}
	end := len(old)
	if d.Key != "" {
		end = d.Span.End
	}
	before := bytes.TrimRight(old[:end], " \t\r\n")
	added := string(before) + eol + eol + line + eol
	if rest := old[end:]; len(rest) > 0 {
		added += eol + string(rest)
	}
	return []byte(added), nil
}
