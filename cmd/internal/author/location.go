package author

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/hooks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A Location is the place where handoffs of one format and project are kept.
type Location struct {
	parse.Place
	Format string
	Dir    string // whose project
	Root   string // what is written is below it; it may not exist yet
	Folder string // of the handoffs, relative to Root
	Keep   parse.Keeping
}

// Path returns the path of the one file that each new handoff replaces, or of the folder
// that contains many.
func (l Location) Path() string { return filepath.Join(l.Root, l.rel()) }

// rel returns Path relative to the root.
func (l Location) rel() string { return filepath.Join(l.Folder, l.File) }

// workTree returns the folder in which git is asked about the project.
func (l Location) workTree() string {
	if l.Agent {
		return l.Dir // the handoffs lie elsewhere
	}
	return l.Root
}

// Locate returns where handoffs of a format are kept for the project of an existing folder.
// For a family of formats, the project's configuration chooses the format.
func (e Env) Locate(format, dir string) (Location, error) {
	l, err := e.locate(MemberOf(format), dir)
	for _, name := range family(format) {
		if place, _ := parse.PlaceOf(name); err == nil && place.Ext == "."+l.Keep.Format {
			return e.locate(name, dir)
		}
	}
	return l, err
}

// locate is Locate for one format. It returns an error if the format has no known place.
func (e Env) locate(format, dir string) (Location, error) {
	place, ok := parse.PlaceOf(format)
	l := Location{Place: place, Format: format, Dir: dir, Folder: filepath.FromSlash(place.Dir)}
	l.Keep, _ = parse.ReadKeeping(nil)
	if !ok {
		err := fmt.Errorf("no location is known for %q", format)
		return l, render.WithHint(err, "formats that have one: "+strings.Join(PlacedNames(), ", "))
	}
	if !l.Agent {
		l.Root = NearestMarked(dir, l.Marks)
		e.readKeeping(&l)
		return l, nil
	}
	claude, _ := hooks.Find("claude")
	var err error
	l.Root, err = claude.UserFolder(e.Places)
	l.Folder = filepath.Join(l.Folder, index.EncodeV2(dir))
	return l, err
}

// LocateFirst is Locate for the first format for whose place fits returns true.
func (e Env) LocateFirst(dir string, fits func(parse.Place) bool) (Location, error) {
	for _, format := range parse.Placed() {
		if place, _ := parse.PlaceOf(format); fits(place) {
			return e.locate(format, dir)
		}
	}
	return Location{}, errors.New("no format has such a location")
}

// family returns the formats of the family with a name, none if no family has the name.
func family(name string) []string {
	return slices.DeleteFunc(parse.Placed(), func(format string) bool {
		place, _ := parse.PlaceOf(format)
		return place.Family != name || name == ""
	})
}

// MemberOf returns the first format of the family with a name, or the name itself if it is
// not that of a family.
func MemberOf(name string) string { return append(family(name), name)[0] }

// WritableNames returns the names of the formats that can be written, and of their
// families.
func WritableNames() []string { return withFamilies(parse.Writable()) }

// PlacedNames returns the sorted names of the formats that have a place, and of their
// families.
func PlacedNames() []string { return slices.Sorted(slices.Values(withFamilies(parse.Placed()))) }

// withFamilies returns formats with the names of their families appended.
func withFamilies(formats []string) []string {
	names := slices.Clone(formats)
	for _, format := range formats {
		if place, _ := parse.PlaceOf(format); place.Family != "" && !slices.Contains(names, place.Family) {
			names = append(names, place.Family)
		}
	}
	return names
}

// NearestMarked returns the first folder, from dir upwards, that contains a file or folder
// named in marks, or else dir.
func NearestMarked(dir string, marks []string) string {
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

// reader opens the root, so that files below it can be read. Nothing is locked for that.
func (l Location) reader() (*save.Folder, error) {
	root, err := filepath.EvalSymlinks(l.Root)
	if err != nil {
		return nil, err
	}
	return save.Open(root, root)
}

// read returns the text of the file rel, relative to the root, nil if it does not exist.
func (l Location) read(rel string) (text []byte, err error) {
	f, err := l.reader()
	if err == nil {
		defer func() { _ = f.Close() }()
		text, err = f.Read(rel)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// parse parses a text as a file with the given name in the folder of a location. strict
// applies the rules for new handoffs.
func (e Env) parse(l Location, name string, text []byte, strict bool) []*parse.Document {
	return parse.Parse(parse.Source{
		Path: filepath.ToSlash(filepath.Join(l.Root, l.Folder, name)), Bytes: text,
		ModTime: e.Now(), Zone: e.Zone, Strict: strict,
		Neighbour: func(rel string) ([]byte, error) {
			f, err := l.reader()
			if err != nil {
				return nil, err
			}
			defer func() { _ = f.Close() }()
			return f.Read(filepath.Join(l.Folder, filepath.FromSlash(rel)))
		},
	})
}

// readKeeping reads into l.Keep the project's own configuration of how handoffs are kept.
// Faults in it are noted, and the defaults are used instead.
func (e Env) readKeeping(l *Location) {
	if l.Config == "" {
		return
	}
	text, err := l.read(filepath.FromSlash(l.Config))
	if err != nil {
		e.note(err.Error() + "; using the defaults")
	}
	if text == nil {
		return
	}
	var problems []parse.Problem
	l.Keep, problems = parse.ReadKeeping(text)
	path := filepath.Join(l.Root, filepath.FromSlash(l.Config))
	for _, p := range problems {
		e.note(fmt.Sprintf("%s:%d: %s; using the default", path, p.Line, p.Message))
	}
}
