package author

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A Migration moves the handoffs of a project from the folder that version 1 of the path
// encoding names to that of version 2.
type Migration struct {
	From, To string
	Files    []string // names of what is moved
}

// Migrate moves the handoffs of the project folder dir to the folder of version 2 of the
// path encoding. Nothing is overwritten: if a name is taken, or an entry is not a regular
// file, nothing is moved. A dry run only returns what would be moved.
func (e Env) Migrate(dir string, dryRun bool) (m Migration, err error) {
	at, err := e.LocateFirst(dir, func(p parse.Place) bool { return p.Agent })
	if err != nil {
		return m, err
	}
	m.To = at.Path()
	m.From = filepath.Join(filepath.Dir(m.To), index.EncodeV1(dir))
	if m.From == m.To {
		return m, fmt.Errorf("both encodings of %s give %s", dir, m.To)
	}
	root, err := os.OpenRoot(filepath.Dir(m.To))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no %s", m.From)
	}
	if err != nil {
		return m, err
	}
	defer func() { _ = root.Close() }()
	if err := m.plan(root); err != nil || dryRun {
		return m, err
	}
	return m, m.move(root)
}

// from returns the path of a file in the old folder, and to the one in the new folder,
// relative to the folder that contains both.
func (m *Migration) from(name string) string { return filepath.Join(filepath.Base(m.From), name) }
func (m *Migration) to(name string) string   { return filepath.Join(filepath.Base(m.To), name) }

// plan adds the names of the files to be moved to m.Files, or returns an error if they
// cannot be moved.
func (m *Migration) plan(root *os.Root) error {
	info, err := root.Lstat(m.from(""))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no %s", m.From)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder: symbolic links are not followed", m.From)
	}
	if info, err := root.Lstat(m.to("")); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder: symbolic links are not followed", m.To)
	}
	entries, err := fs.ReadDir(root.FS(), m.from(""))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() {
			err := fmt.Errorf("%s is not a regular file", filepath.Join(m.From, name))
			return render.WithHint(err, "nothing was moved; move the file away and try again")
		}
		if _, err := root.Lstat(m.to(name)); err == nil && !m.isMoved(root, name) {
			err := fmt.Errorf("%s already exists", filepath.Join(m.To, name))
			return render.WithHint(err, "nothing was moved; rename one of them and try again")
		}
		m.Files = append(m.Files, name)
	}
	return nil
}

// move moves the files one by one: each gets its new name before it loses the old one. It
// stops with an error if a name is taken meanwhile; the files moved before stay moved, and
// another run moves the rest.
func (m *Migration) move(root *os.Root) error {
	err := root.Mkdir(m.to(""), 0o755)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range m.Files {
		err := root.Link(m.from(name), m.to(name))
		if errors.Is(err, fs.ErrExist) && m.isMoved(root, name) {
			err = nil // by a run that was stopped
		}
		if err == nil {
			err = root.Remove(m.from(name))
		}
		if err != nil {
			return err
		}
	}
	return root.Remove(m.from(""))
}

// isMoved reports whether the old and the new name lead to the same file.
func (m *Migration) isMoved(root *os.Root, name string) bool {
	a, err := root.Lstat(m.from(name))
	b, err2 := root.Lstat(m.to(name))
	return err == nil && err2 == nil && os.SameFile(a, b)
}
