package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"handex/cmd/internal/hooks"
	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
)

// A settings is a file that can hold entries of an agent. real is where symbolic
// links lead.
type settings struct {
	hooks.File
	*hooking
	real string
}

// files are the agent's, the usual one first.
func (h *hooking) files() ([]settings, error) {
	found := h.agent.ProjectFiles(h.project)
	if h.project == "" {
		var err error
		found, err = h.agent.UserFiles(hooks.Places{Home: h.env.Home, Getenv: h.env.Getenv})
		if errors.Is(err, hooks.ErrProjectOnly) {
			return nil, hinted{fmt.Errorf("%s: %w", h.agent.Name, err), "add --project"}
		}
		if err != nil {
			return nil, err
		}
	}
	list := make([]settings, len(found))
	for i, f := range found {
		leads, err := followed(f.Path)
		if err != nil {
			return nil, err
		}
		if h.project != "" && !below(h.project, leads) {
			// A repository is not to say which other file is changed.
			return nil, h.byHand(fmt.Errorf("%s leads out of the project, to %s", f.Path, leads))
		}
		list[i] = settings{File: f, hooking: h, real: leads}
	}
	return list, nil
}

// home is the file to install to: the one that has our entry, or else the first in
// which the user has others, or else the usual one.
func (h *hooking) home() (settings, error) {
	files, err := h.files()
	if err != nil {
		return settings{}, err
	}
	for _, f := range files {
		// What cannot be read is told when it is to be written.
		if entries, err := f.held(); err == nil && len(entries) > 0 {
			return f, nil
		}
	}
	for _, f := range files {
		if text, err := f.read(); err != nil || f.Holds(text) {
			return f, err
		}
	}
	return files[0], nil
}

// byHand is an error with what is left to do.
func (h *hooking) byHand(err error) error {
	command := "handex hooks print " + h.agent.Name
	if h.project != "" {
		command += " --project"
	}
	return hinted{err, "what to add by hand tells " + command}
}

// maxLinks is how many symbolic links lead on to the next.
const maxLinks = 40

// followed is where a path leads. What it leads to, and folders on the way, may be
// missing.
func followed(path string) (string, error) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if errors.Is(err, fs.ErrNotExist) {
			dir, err = followed(filepath.Dir(path))
		}
		if err != nil {
			return "", err
		}
		at := filepath.Join(dir, filepath.Base(path))
		target, err := os.Readlink(at)
		if err != nil {
			return at, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: more than %d symbolic links", path, maxLinks)
}

// existing is the nearest folder at or above one that is there.
func existing(dir string) string {
	for !exists(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

func below(dir, path string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	rel, errRel := filepath.Rel(dir, path)
	return err == nil && errRel == nil && filepath.IsLocal(rel)
}

// split is the file's nearest folder that is there, and its path from there.
func (f settings) split() (root, rel string, err error) {
	root = existing(filepath.Dir(f.real))
	rel, err = filepath.Rel(root, f.real)
	return root, rel, err
}

// read is the file's text, nil if there is no file.
func (f settings) read() ([]byte, error) {
	root, rel, err := f.split()
	if err != nil {
		return nil, err
	}
	folder, err := save.Open(root, root) // nothing is locked for that
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	text, err := folder.Read(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// held are the entries of ours in the file.
func (f settings) held() ([]hooks.Entry, error) {
	text, err := f.read()
	if err != nil || text == nil {
		return nil, err
	}
	entries, err := f.Entries(text)
	return entries, f.wrong(err)
}

// wrong is the error of a file that the agent could not read either.
func (f settings) wrong(err error) error {
	if err == nil {
		return nil
	}
	return f.byHand(fmt.Errorf("%s is left as it is: %w", f.Path, err))
}

// off is what switches off all hooks of the agent, in any of its files.
func (h *hooking) off(files []settings) string {
	for _, f := range files {
		text, err := f.read()
		if err != nil || text == nil {
			continue // it is told elsewhere
		}
		if by := f.Off(text); by != "" {
			return by + " in " + f.Path
		}
	}
	return ""
}

// preview shows what an edit would change.
func (f settings) preview(edit func([]byte) ([]byte, error)) error {
	old, err := f.read()
	if err != nil {
		return err
	}
	text, err := edit(old)
	if err != nil {
		return f.wrong(err)
	}
	return f.showChange(f.Path, old, old != nil, text)
}

// writable refuses a file that is not to be written: it is another's to make, as
// with Nix, and would be gone with the next generation.
func (f settings) writable() error {
	info, err := os.Stat(f.real)
	if err == nil && info.Mode().Perm()&0o222 == 0 {
		return f.byHand(fmt.Errorf("%s is read-only", f.real))
	}
	if dir := existing(filepath.Dir(f.real)); !save.Writable(dir) {
		return f.byHand(fmt.Errorf("%s cannot be written to", dir))
	}
	return nil
}

// edit changes the file under its lock. What it said is kept beside it first if
// change asks for that; backup is that file.
func (f settings) edit(change func(old []byte) (text []byte, keep bool, err error)) (backup string, err error) {
	if err := f.writable(); err != nil {
		return "", err
	}
	root, rel, err := f.split()
	if err != nil {
		return "", err
	}
	folder, err := f.openFolder(root)
	if err != nil {
		return "", err
	}
	defer func() { _ = folder.Close() }()
	folder.Private = f.project == ""
	err = folder.Edit(f.ctx, rel, func(old []byte, exists bool) ([]byte, error) {
		if exists && old == nil {
			old = []byte{}
		}
		text, keep, err := change(old)
		if err != nil || !keep {
			return text, err
		}
		folder.Private = true // others get no rights by the copy
		name, err := folder.Create(f.ctx, rel+"."+f.env.Now().UTC().Format("20060102T150405Z")+".bak", old)
		backup = folder.Path(name)
		return text, err
	})
	if errors.Is(err, fs.ErrPermission) {
		err = f.byHand(err)
	}
	return backup, err
}

// install puts the entries in.
func (f settings) install(want []hooks.Entry) error {
	var before, after []byte
	made := f.missing()
	backup, err := f.edit(func(old []byte) ([]byte, bool, error) {
		text, err := f.Install(old, want)
		before, after = old, text
		return text, old != nil && !bytes.Equal(old, text), f.wrong(err)
	})
	if err != nil {
		return err
	}
	if before != nil {
		made = nil
	}
	done := "changed"
	switch {
	case before == nil:
		done = "created"
	case bytes.Equal(before, after):
		return f.tell("unchanged", "", false)
	}
	if err := f.noteMade(made, backup); err != nil {
		f.note("handex hooks uninstall will leave what it has made: " + err.Error())
	}
	return f.tell(done, backup, true)
}

// missing are the file and the folders that have to be made for it, outermost
// first.
func (f settings) missing() []string {
	var list []string
	for at := f.real; !exists(at); at = filepath.Dir(at) {
		list = append([]string{at}, list...)
	}
	return list
}

// notes are what else a person has to know for the entry to be run.
func (f settings) notes() []string {
	var list []string
	if f.agent.Note != "" {
		list = append(list, f.agent.Note)
	}
	if files, err := f.files(); err == nil {
		if by := f.off(files); by != "" {
			list = append(list, f.agent.Title+" runs no hook: "+by)
		}
	}
	return list
}

// tell writes what was done. news is whether the person has to do something now.
func (f settings) tell(done, backup string, news bool) error {
	if f.flags.errorsJSON() {
		return render.JSON(f.out, struct {
			Schema int      `json:"schema"`
			Agent  string   `json:"agent"`
			File   string   `json:"file"`
			Done   string   `json:"done"`
			Backup string   `json:"backup,omitempty"`
			Notes  []string `json:"notes,omitempty"`
		}{render.Schema, f.agent.Name, f.Path, done, backup, f.notes()})
	}
	if backup != "" {
		f.say("what it said before: " + backup)
	}
	for _, note := range f.notes() {
		if news {
			f.note(note)
		}
	}
	_, err := io.WriteString(f.out, done+" "+render.Path(f.Path)+"\n")
	return err
}

// uninstall takes all entries out; what installing has made goes.
func (f settings) uninstall(dry bool) error {
	if dry {
		return f.preview(func(old []byte) ([]byte, error) {
			left, err := f.Uninstall(old)
			return left.Text, err
		})
	}
	made, err := f.wasMade()
	if err != nil {
		return err
	}
	var after []byte
	gone := false
	backup, err := f.edit(func(old []byte) ([]byte, bool, error) {
		left, err := f.Uninstall(old)
		if err != nil {
			return nil, false, f.wrong(err)
		}
		asMade := made.File && f.asMade(old)
		after, gone = left.Text, left.Gone || asMade
		if gone {
			left.Text = old // it is removed
		}
		return left.Text, !left.Exact && !asMade, nil // what can be made again needs no copy
	})
	if err != nil {
		return err
	}
	if err := f.clearMade(made, gone, after); err != nil {
		return err
	}
	if gone {
		return f.tell("removed", backup, false)
	}
	return f.tell("changed", backup, false)
}

// asMade reports whether a file says just what installing into none has made.
func (f settings) asMade(text []byte) bool {
	entries, err := f.Entries(text)
	if err != nil {
		return false
	}
	fresh, err := f.Install(nil, entries)
	return err == nil && bytes.Equal(fresh, text)
}
