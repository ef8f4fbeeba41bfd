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

// A Location is where the handoffs of one format and project are kept.
type Location struct {
	parse.Place
	Format string
	Dir    string // whose project
	Root   string // what is written is below it; it may not exist yet
	Folder string // of the handoffs, relative to Root
	Keep   parse.Keeping
}

// Path returns the path of the file that each handoff replaces, or of the folder of
// many.
func (l Location) Path() string { return filepath.Join(l.Root, l.rel()) }

// rel returns Path relative to the root.
func (l Location) rel() string { return filepath.Join(l.Folder, l.File) }

// workTree returns the folder that git inspects.
func (l Location) workTree() string {
	if l.Agent {
		return l.Dir // the handoffs lie elsewhere
	}
	return l.Root
}

// Locate finds where handoffs of a format, or of a family of formats, are kept for
// the project of an existing folder.
func (e Env) Locate(format, dir string) (Location, error) {
	l, err := e.locate(MemberOf(format), dir)
	for _, name := range family(format) {
		if place, _ := parse.PlaceOf(name); err == nil && place.Ext == "."+l.Keep.Format {
			return e.locate(name, dir)
		}
	}
	return l, err
}

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

// LocateFirst is Locate for the first format whose place fits.
func (e Env) LocateFirst(dir string, fits func(parse.Place) bool) (Location, error) {
	for _, format := range parse.Placed() {
		if place, _ := parse.PlaceOf(format); fits(place) {
			return e.locate(format, dir)
		}
	}
	return Location{}, errors.New("no format has such a location")
}

// family lists the formats of a family, none if the name is not that of a family.
func family(name string) []string {
	return slices.DeleteFunc(parse.Placed(), func(format string) bool {
		place, _ := parse.PlaceOf(format)
		return place.Family != name || name == ""
	})
}

// MemberOf returns the first format of a family, or the format itself if the name
// is no family's.
func MemberOf(name string) string { return append(family(name), name)[0] }

// WritableNames returns the names of the formats that can be written, and of families.
func WritableNames() []string { return withFamilies(parse.Writable()) }

// PlacedNames returns the names of the formats that have a place, and of families.
func PlacedNames() []string { return slices.Sorted(slices.Values(withFamilies(parse.Placed()))) }

func withFamilies(formats []string) []string {
	names := slices.Clone(formats)
	for _, format := range formats {
		if place, _ := parse.PlaceOf(format); place.Family != "" && !slices.Contains(names, place.Family) {
			names = append(names, place.Family)
		}
	}
	return names
}

// NearestMarked returns the first folder, from dir upwards, that contains one of the
// marks, or else dir.
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

// reader opens the root to read below it. Nothing is locked for that.
func (l Location) reader() (*save.Folder, error) {
	root, err := filepath.EvalSymlinks(l.Root)
	if err != nil {
		return nil, err
	}
	return save.Open(root, root)
}

// read reads a file below the root; the text is nil where there is none.
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

// parse reads a text as the file of that name in the folder.
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

// readKeeping reads the project's own configuration. What is wrong with it is noted,
// and the default counts.
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
