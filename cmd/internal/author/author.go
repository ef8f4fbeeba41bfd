// Package author makes and changes handoffs on the disk: it writes new ones where
// the specification of their format says, updates, escalates and removes them, and
// records what became of a manifest that was sent.
//
// All writing goes through Env.edit or package save: under a lock, at once, and, where
// a text is overwritten or removed, after the archive has been given it.
package author

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/parse"
)

// Env is what writing depends on besides the files: folders, clock, time zone, messages and
// the archive.
type Env struct {
	config.Places
	Now  func() time.Time
	Zone *time.Location
	// Say writes a line for the person.
	Say func(text string)
	// Archive keeps what the file at path says before it is overwritten or removed;
	// root is the folder of its project.
	Archive func(root, path string) error
}

// An InvalidError lists the rules of its format that a handoff breaks. Such a handoff is
// not written.
type InvalidError struct {
	Format   string
	Problems []parse.Problem
}

func (e *InvalidError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = render.Line(p.Message)
	}
	return fmt.Sprintf("not a valid %s handoff: %s", e.Format, strings.Join(texts, "; "))
}

// Validate returns an *InvalidError if a document breaks rules of its format. Warnings do
// not count.
func Validate(format string, d *parse.Document) error {
	faults := slices.DeleteFunc(slices.Clone(d.Problems), func(p parse.Problem) bool { return p.Severity != parse.Error })
	if len(faults) == 0 {
		return nil
	}
	return &InvalidError{format, faults}
}

// An editor is a function that returns the new text of a file, and whether the old one is
// to be archived before. old is nil if there is no file; a nil text removes the file.
type editor func(old []byte) (text []byte, archive bool, err error)

// edit changes the file rel, relative to the root of a location, under its lock: its new
// text is what change returns. A dry run only returns what would change. If the old text
// cannot be archived, the file stays and the error says so.
func (e Env) edit(
	ctx context.Context, at Location, rel string, dryRun bool, change editor,
) (c save.Change, err error) {
	c.Path = filepath.Join(at.Root, rel)
	if dryRun {
		if c.Old, err = at.read(rel); err == nil {
			c.New, _, err = change(c.Old)
		}
		return c, err
	}
	f, err := e.open(at)
	if err != nil {
		return c, err
	}
	defer func() { _ = f.Close() }()
	err = f.Edit(ctx, rel, func(old []byte) ([]byte, error) {
		text, archive, err := change(old)
		if err != nil {
			return nil, err
		}
		if archive && old != nil {
			if err := e.Archive(at.Root, c.Path); err != nil {
				err = fmt.Errorf("%s was not changed: its text cannot be archived: %w", c.Path, err)
				return nil, render.WithHint(err, "to change it anyway, add --no-archive")
			}
		}
		c.Old, c.New = old, text
		return text, err
	})
	return c, err
}

// create writes a new file at rel, relative to the root of a location, and returns its
// path. If the name is taken, it gets a number.
func (e Env) create(ctx context.Context, at Location, rel string, text []byte) (path string, err error) {
	f, err := e.open(at)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	rel, err = f.Create(ctx, rel, text)
	return f.Path(rel), err
}

// archive stores the present text of a handoff in the archive, and reports whether that
// worked. If not, it notes why; the caller must not remove the handoff then.
func (e Env) archive(at Location, path string) (kept bool) {
	err := e.Archive(at.Root, path)
	if err != nil {
		e.note("the earlier text of " + path + " is not archived: " + err.Error())
	}
	return err == nil
}

// note writes a line for the person that begins with "note: ".
func (e Env) note(text string) { e.Say("note: " + text) }

// open opens the root of a location, so that files below it can be written. The folder of
// an agent is made if it is missing, and may be a symbolic link, as it is the user's own.
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
	return e.Open(root)
}
