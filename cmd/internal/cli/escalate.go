package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
)

// escalateCmd adds the escalation signal to a handoff that lacks it.
type escalateCmd struct {
	Ref    string `arg:"" name:"id|path" help:"Id, session or the beginning of one, a path, or a project's folder, which means its newest handoff."`
	Text   string `name:"message" short:"m" required:"" help:"What a human must look at, in one line." placeholder:"TEXT"`
	DryRun bool   `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Help tells where the line goes.
func (*escalateCmd) Help() string {
	return "The line \"" + parse.EscalationSignal + ": TEXT\" is added at the end of the handoff, as the contract of claude-suite lets a reviewer do. " +
		"It is the only thing handex adds to a handoff that is there; there is no way back but an editor, or handex ack, which closes the escalation and leaves the file as it is."
}

// Run adds the line.
func (c *escalateCmd) Run(a *app) error {
	text := strings.TrimSpace(c.Text)
	switch {
	case text == "":
		return errors.New("-m has no text: say what a human must look at")
	case !utf8.ValidString(text) || render.Line(text) != text:
		return errors.New("-m is not one line of plain text")
	}
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	h, err := a.escalated(c.Ref)
	if err != nil {
		return err
	}
	dir, name := filepath.Split(h.Path)
	folder, err := a.openFolder(filepath.Clean(dir))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	if c.DryRun {
		old, err := folder.Read(name)
		if err != nil {
			return err
		}
		edited, err := escalate(h, old, text)
		if err != nil {
			return err
		}
		return a.showChange(h.Path, old, true, edited)
	}
	info, err := os.Stat(h.Path)
	if err != nil {
		return err
	}
	if err := folder.Edit(a.ctx, name, func(old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, fmt.Errorf("%s is gone", h.Path)
		}
		return escalate(h, old, text)
	}); err != nil {
		return err
	}
	if !slices.Contains(h.States, "latest") {
		// The newest file is the newest handoff, which this one is not.
		if err := os.Chtimes(h.Path, info.ModTime(), info.ModTime()); err != nil {
			return err
		}
	}
	if form != "" {
		return render.JSON(a.out, written{render.Schema, h.ID, h.Path})
	}
	a.say("escalated: " + h.ID + " " + h.Project + ": " + render.Title(h))
	return nil
}

// written is the JSON of a command that wrote to a handoff.
type written struct {
	Schema int    `json:"schema"`
	ID     string `json:"id"`
	Path   string `json:"path"`
}

// escalated is the handoff to add to.
func (a *app) escalated(ref string) (index.Summary, error) {
	if err := a.open(); err != nil {
		return index.Summary{}, err
	}
	if info, err := os.Stat(a.env.abs(ref)); err == nil && info.IsDir() {
		dir, err := a.env.folder(ref)
		if err != nil {
			return index.Summary{}, err
		}
		found, err := a.service.LatestIndexed(a.ctx, dir)
		if err == nil && len(found) == 0 {
			err = hinted{errors.New("no handoff of the project of " + dir + " is known"), "handex status lists the projects"}
		}
		if err != nil {
			return index.Summary{}, err
		}
		return found[0], nil
	}
	return a.service.Single(a.ctx, ref)
}

// escalate is the text of a file with the signal added to one of its handoffs.
func escalate(h index.Summary, old []byte, text string) ([]byte, error) {
	docs := parse.Parse(parse.Source{Path: filepath.ToSlash(h.Path), Bytes: old})
	switch shape := docs[0].Shape; {
	case h.VersionOf != "":
		return nil, fmt.Errorf("%s is an earlier version of %s", h.ID, h.VersionOf)
	case shape != parse.Markdown && shape != parse.Text:
		return nil, hinted{fmt.Errorf("%s is %s: a line cannot be added to it", h.Path, shape), "escalate adds to Markdown, which the contract is of"}
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
