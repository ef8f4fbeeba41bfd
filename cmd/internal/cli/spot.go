package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// A spot is where the handoffs of one format and project are kept.
type spot struct {
	parse.Place
	format string
	dir    string // whose project
	root   string // what is written lies below; it may not be there yet
	folder string // of the handoffs, relative to root
	keep   parse.Keeping
}

// file is the path, relative to the root, of the file that each handoff replaces.
func (s spot) file() string { return filepath.Join(s.folder, s.File) }

// home is what a person is told: the file, or the folder of many.
func (s spot) home() string { return filepath.Join(s.root, s.folder, s.File) }

// spot finds where handoffs of a format are kept for the project of a folder.
func (a *app) spot(format, folder string) (spot, error) {
	dir, err := a.env.folder(folder)
	if err != nil {
		return spot{}, err
	}
	if members := family(format); len(members) > 0 {
		s, err := a.at(members[0], dir)
		if err != nil {
			return s, err
		}
		at := slices.IndexFunc(members, func(name string) bool {
			place, _ := parse.PlaceOf(name)
			return place.Ext == "."+s.keep.Format
		})
		return a.at(members[max(at, 0)], dir)
	}
	return a.at(format, dir)
}

// at is spot for a format that is no family and a folder that is there.
func (a *app) at(format, dir string) (spot, error) {
	place, ok := parse.PlaceOf(format)
	s := spot{Place: place, format: format, dir: dir, folder: filepath.FromSlash(place.Dir)}
	if !ok {
		return s, hinted{fmt.Errorf("no place is known for %q", format), "formats that have one: " + strings.Join(placedNames(), ", ")}
	}
	if !s.Agent {
		s.root = nearest(dir, s.Marks)
		a.readKeeping(&s)
		return s, nil
	}
	var err error
	s.root, err = a.env.agentFolder()
	s.folder = filepath.Join(s.folder, index.EncodeV2(dir))
	return s, err
}

// family lists the formats that a name stands for, none if it is no family's.
func family(name string) []string {
	return slices.DeleteFunc(parse.Placed(), func(format string) bool {
		place, _ := parse.PlaceOf(format)
		return place.Family != name || name == ""
	})
}

// placedNames are all names of formats and families that have a place.
func placedNames() []string {
	names := parse.Placed()
	for _, format := range parse.Placed() {
		if place, _ := parse.PlaceOf(format); place.Family != "" && !slices.Contains(names, place.Family) {
			names = append(names, place.Family)
		}
	}
	slices.Sort(names)
	return names
}

// nearest is the first folder, from dir upwards, that holds one of the marks, or
// else dir.
func nearest(dir string, marks []string) string {
	for at := dir; ; at = filepath.Dir(at) {
		for _, mark := range marks {
			if _, err := os.Lstat(filepath.Join(at, filepath.FromSlash(mark))); err == nil {
				return at
			}
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// agentFolder is where Claude Code keeps its own.
func (e Env) agentFolder() (string, error) {
	if dir := e.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	if e.Home == "" {
		return "", errors.New("the home folder is not known: HOME is empty")
	}
	return filepath.Join(e.Home, ".claude"), nil
}

// openSpot opens the root to write below it. The agent's folder is made, and may be
// a link: it is the user's own.
func (a *app) openSpot(s spot) (*save.Folder, error) {
	root := s.root
	if s.Agent {
		if err := os.MkdirAll(root, 0o755); err != nil {
			return nil, err
		}
		var err error
		if root, err = filepath.EvalSymlinks(root); err != nil {
			return nil, err
		}
	}
	return a.openFolder(root)
}

// openFolder opens a folder to write below it.
func (a *app) openFolder(root string) (*save.Folder, error) {
	if a.env.StateHome == "" {
		return nil, errors.New("there is no folder for locks: neither HOME nor XDG_STATE_HOME is set")
	}
	return save.Open(root, filepath.Join(a.env.StateHome, "handex", "locks"))
}

// reader opens the root to read below it. Nothing is locked for that.
func (s spot) reader() (*save.Folder, error) {
	root, err := filepath.EvalSymlinks(s.root)
	if err != nil {
		return nil, err
	}
	return save.Open(root, root)
}

// read reads a file below the root; exists is false where there is none.
func (s spot) read(rel string) (text []byte, exists bool, err error) {
	f, err := s.reader()
	if err == nil {
		defer func() { _ = f.Close() }()
		text, err = f.Read(rel)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return text, err == nil, err
}

// readKeeping reads the project's own configuration; what is wrong with it is
// told, and the default counts.
func (a *app) readKeeping(s *spot) {
	s.keep, _ = parse.ReadKeeping(nil)
	if s.Config == "" {
		return
	}
	text, exists, err := s.read(filepath.FromSlash(s.Config))
	if err != nil {
		a.note(err.Error() + "; the defaults count")
	}
	if err != nil || !exists {
		return
	}
	var problems []parse.Problem
	s.keep, problems = parse.ReadKeeping(text)
	for _, p := range problems {
		a.note(fmt.Sprintf("%s:%d: %s; the default counts", filepath.Join(s.root, filepath.FromSlash(s.Config)), p.Line, p.Message))
	}
}

// keepOld has the archive keep what a file says before it is overwritten or
// removed. Where that fails a note tells it: the person has asked for the new text.
func (a *app) keepOld(s spot, path string) {
	if err := a.service.KeepOld(s.root, path); err != nil {
		a.note("what " + path + " said before is not kept: " + err.Error())
	}
}

// mustKnow refuses a name of a format that is not among some.
func mustKnow(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	err := fmt.Errorf("%s: %q is none of %s", what, name, strings.Join(names, ", "))
	if near := query.Suggest(name, names); len(near) > 0 {
		return hinted{err, "did you mean " + strings.Join(near, ", ") + "?"}
	}
	return err
}

// refusal tells what keeps a text from being written.
func refusal(format string, problems []parse.Problem) error {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = render.Line(p.Message)
	}
	return fmt.Errorf("no valid %s handoff: %s", format, strings.Join(texts, "; "))
}

// faultsOf are the problems that make a handoff invalid.
func faultsOf(d *parse.Document) []parse.Problem {
	return slices.DeleteFunc(slices.Clone(d.Problems), func(p parse.Problem) bool { return p.Severity != parse.Error })
}
