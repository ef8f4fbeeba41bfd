// Package author makes and changes handoffs on the disk: it writes new ones where
// the specification of their format says, updates, escalates and removes them, and
// records what became of a manifest that was sent.
//
// All writing goes through Env.edit or package save: under a lock, at once, and, where
// a text is overwritten or removed, after the archive has been given it.
package author

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
	"handex/parse"
)

// Env is what writing depends on beside the files.
type Env struct {
	Now             func() time.Time
	Zone            *time.Location
	Home, StateHome string // "" where there is none
	Getenv          func(string) string
	// Say writes a line for the person.
	Say func(text string)
	// Archive keeps what the file at path says before it is overwritten or removed;
	// root is the folder of its project.
	Archive func(root, path string) error
}

// hinted is an error with a line that says what to do about it.
type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// Hint returns the line.
func (e hinted) Hint() string { return e.hint }

// An InvalidError says which rules of its format a handoff breaks, which is
// therefore not written.
type InvalidError struct {
	Format   string
	Problems []parse.Problem
}

func (e *InvalidError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = render.Line(p.Message)
	}
	return fmt.Sprintf("no valid %s handoff: %s", e.Format, strings.Join(texts, "; "))
}

// Validate returns an *InvalidError if a document breaks rules of its format.
func Validate(format string, d *parse.Document) error {
	faults := slices.DeleteFunc(slices.Clone(d.Problems), func(p parse.Problem) bool { return p.Severity != parse.Error })
	if len(faults) == 0 {
		return nil
	}
	return &InvalidError{format, faults}
}

// A Change is what a file said before an edit, and after it.
type Change struct {
	Path    string
	Old     []byte
	Existed bool
	Text    []byte
}

// An editor returns the new text of a file, and whether the archive is to have the old
// one.
type editor func(old []byte, exists bool) (text []byte, archive bool, err error)

// edit changes a file at a location under its lock. A dry run only returns what would
// change.
func (e Env) edit(ctx context.Context, at Location, rel string, dryRun bool, change editor) (c Change, err error) {
	c.Path = filepath.Join(at.Root, rel)
	if dryRun {
		if c.Old, c.Existed, err = at.read(rel); err == nil {
			c.Text, _, err = change(c.Old, c.Existed)
		}
		return c, err
	}
	f, err := e.open(at)
	if err != nil {
		return c, err
	}
	defer func() { _ = f.Close() }()
	err = f.Edit(ctx, rel, func(old []byte, exists bool) ([]byte, error) {
		text, archive, err := change(old, exists)
		if err == nil && archive {
			e.archive(at, c.Path)
		}
		c.Old, c.Existed, c.Text = old, exists, text
		return text, err
	})
	return c, err
}

// archive has the archive keep what a file says, and reports whether it does. That
// it fails is noted and stops nothing else: the person has asked for the new text.
func (e Env) archive(at Location, path string) (kept bool) {
	err := e.Archive(at.Root, path)
	if err != nil {
		e.note("what " + path + " said before is not kept: " + err.Error())
	}
	return err == nil
}

func (e Env) note(text string) { e.Say("note: " + text) }

// open opens the root of a location to write below it. The agent's folder is made,
// and may be a link: it is the user's own.
func (e Env) open(at Location) (*save.Folder, error) {
	root := at.Root
	if at.Agent {
		err := os.MkdirAll(root, 0o755)
		if err == nil {
			root, err = filepath.EvalSymlinks(root)
		}
		if err != nil {
			return nil, err
		}
	}
	return OpenFolder(root, e.StateHome)
}

// OpenFolder opens a folder to write below it, with locks in the user's folder of
// states.
func OpenFolder(root, stateHome string) (*save.Folder, error) {
	if stateHome == "" {
		return nil, errors.New("there is no folder for locks: neither HOME nor XDG_STATE_HOME is set")
	}
	return save.Open(root, filepath.Join(stateHome, "handex", "locks"))
}
