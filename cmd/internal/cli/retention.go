package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"handex/cmd/internal/save"
	"handex/parse"
)

// retention keeps the link to the newest handoff of a folder, and the folder to
// as many handoffs as the project wants.
type retention struct {
	*app
	spot   spot
	folder *save.Folder
}

// A dated is a file named as the specification names handoffs.
type dated struct {
	name   string
	at     time.Time
	number int // of those of one minute
}

var datedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4})(?:-([0-9]{4}))?(\.[a-z]+)$`)
})

// after brings the folder in order when a handoff was written to it, and answers
// the paths of those that were removed.
func (r retention) after(written string) (removed []string, err error) {
	if err := r.link(written); err != nil {
		return nil, err
	}
	list, links, err := r.list()
	if err != nil {
		return nil, err
	}
	links[""] = written
	for _, name := range r.surplus(list, links) {
		rel := filepath.Join(r.spot.folder, name)
		r.keepOld(r.spot, r.folder.Path(rel))
		if err := r.folder.Remove(r.ctx, rel); err != nil {
			return removed, err
		}
		removed = append(removed, r.folder.Path(rel))
	}
	return removed, nil
}

// surplus are the names of the oldest handoffs of a list that are over what is
// kept, but for those that links lead to.
func (r retention) surplus(list []dated, links map[string]string) []string {
	held := slices.Collect(maps.Values(links))
	over := len(list) - r.spot.keep.MaxFiles
	var names []string
	for _, d := range list {
		if len(names) < over && d.name != "" && !slices.Contains(held, d.name) {
			names = append(names, d.name)
		}
	}
	return names
}

// next is the name of a new handoff: behind all others of its minute, so that names
// are in the order of writing also where the first of them was removed.
func (r retention) next() (string, error) {
	stamp := r.env.Now().In(r.env.Zone).Format(r.spot.Stamp)
	list, _, err := r.list()
	number := -1
	for _, d := range list {
		if d.at.Format(r.spot.Stamp) == stamp {
			number = max(number, d.number)
		}
	}
	if number < 0 {
		return stamp + r.spot.Ext, err
	}
	return fmt.Sprintf("%s-%04d%s", stamp, number+1, r.spot.Ext), err
}

// link makes the newest handoff be found under its fixed name. A file that has the
// name is moved out of the way first: it may be a handoff that is nowhere else.
func (r retention) link(written string) error {
	latest := filepath.Join(r.spot.folder, r.spot.Latest)
	info, err := os.Lstat(r.folder.Path(latest))
	if err == nil && info.Mode().IsRegular() {
		text, err := r.folder.Read(latest)
		if err != nil {
			return err
		}
		name := info.ModTime().In(r.env.Zone).Format(r.spot.Stamp) + r.spot.Ext
		if !r.holds(text) {
			if _, err := r.folder.Create(r.ctx, filepath.Join(r.spot.folder, name), text); err != nil {
				return err
			}
		}
	}
	return r.folder.Link(r.ctx, latest, written)
}

// holds reports whether a handoff of the folder has this text.
func (r retention) holds(text []byte) bool {
	list, _, err := r.list()
	return err == nil && slices.ContainsFunc(list, func(d dated) bool {
		other, err := r.folder.Read(filepath.Join(r.spot.folder, d.name))
		return err == nil && string(other) == string(text)
	})
}

// list are the handoffs of the folder, the oldest first, of all notations the
// place has; links are the files that links lead to, by the name of the link.
func (r retention) list() (list []dated, links map[string]string, err error) {
	entries, err := os.ReadDir(r.folder.Path(r.spot.folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	links = map[string]string{}
	for _, e := range entries {
		if e.Type() == fs.ModeSymlink {
			to, err := os.Readlink(filepath.Join(r.folder.Path(r.spot.folder), e.Name()))
			if err == nil {
				links[e.Name()] = filepath.Base(to)
			}
			continue
		}
		if d, ok := r.date(e.Name()); ok && e.Type().IsRegular() {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(x, y dated) int {
		return cmp.Or(x.at.Compare(y.at), cmp.Compare(x.number, y.number), cmp.Compare(x.name, y.name))
	})
	return list, links, nil
}

// date reads a name; ok is false for one that handoffs of this place do not have.
func (r retention) date(name string) (dated, bool) {
	m := datedName().FindStringSubmatch(name)
	if m == nil || !slices.ContainsFunc(family(r.spot.Family), func(format string) bool {
		place, _ := parse.PlaceOf(format)
		return place.Ext == m[3]
	}) {
		return dated{}, false
	}
	at, err := time.Parse(r.spot.Stamp, m[1])
	number, _ := strconv.Atoi(m[2])
	return dated{name, at, number}, err == nil
}
