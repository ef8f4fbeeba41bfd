package teamtest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-cmp/cmp"
)

// list returns what is in a folder: the mode, size, times and inode of each file by its
// path, and its text unless that is large. Folders that skip names are left out.
func list(dir string, skip ...string) (map[string]string, error) {
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case slices.Contains(skip, rel):
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		st, _ := info.Sys().(*syscall.Stat_t)
		line := fmt.Sprint(info.Mode(), st.Ino, st.Size, st.Mtim, st.Ctim)
		if info.Mode().IsRegular() && info.Size() < 1<<16 {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += "\n" + string(text)
		}
		found[rel] = line
		return nil
	})
	return found, err
}

// repository returns all files of the repository of the user's clone.
func (m *machine) repository() map[string]string {
	m.t.Helper()
	found, err := list(filepath.Join(m.clone, ".git"))
	m.must2(err)
	return found
}

// unchanged fails if the user's repository is not byte for byte what it was.
func (m *machine) unchanged(before map[string]string) {
	m.t.Helper()
	if diff := cmp.Diff(before, m.repository()); diff != "" {
		m.t.Errorf("%s: the user's repository has changed (-before +after):\n%s", m.member, diff)
	}
}

// A sent is a handoff as the manifest of a ref names it.
type sent struct {
	Path, Origin, Format, Branch, Head, Sha256 string
	Mtime                                      time.Time
}

type manifest struct {
	Version     int
	Member, Key string
	Files       []sent
}

// mirror returns the folder in which a machine keeps the handoffs of a member, and ""
// if it has none.
func (m *machine) mirror(member string) string {
	m.t.Helper()
	var found []string
	err := filepath.WalkDir(m.team("mirror"), func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == member:
			found = append(found, path)
		case d.IsDir() && strings.Contains(d.Name(), "@"):
			return fs.SkipDir
		}
		return nil
	})
	m.must2(err)
	switch len(found) {
	case 0:
		return ""
	case 1:
		return found[0]
	}
	m.t.Fatalf("%s has several mirrors of %s: %q", m.member, member, found)
	return ""
}

// mirrored returns the texts in the mirror of a member by their paths, and reports every
// file that must not be there.
func (m *machine) mirrored(member string) map[string]string {
	m.t.Helper()
	texts := map[string]string{}
	dir := m.mirror(member)
	if dir == "" {
		return texts
	}
	var names manifest
	if raw, err := os.ReadFile(filepath.Join(dir, "manifest.json")); err != nil {
		m.t.Errorf("%s: %v", m.member, err)
	} else if err := json.Unmarshal(raw, &names); err != nil {
		m.t.Errorf("%s: the manifest of %s: %v", m.member, member, err)
	}
	times := map[string]time.Time{}
	for _, f := range names.Files {
		times[f.Path] = f.Mtime
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err != nil || d.IsDir() || rel == "manifest.json" || rel == "acks.jsonl" {
			return err
		}
		name, inside := strings.CutPrefix(rel, "files/")
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		texts[name] = string(text)
		at, named := times[name]
		switch {
		case !inside, !named, !info.Mode().IsRegular(), info.Mode().Perm()&0o111 != 0:
			m.t.Errorf("%s: %s %v is in the mirror of %s", m.member, rel, info.Mode(), member)
		case !info.ModTime().Equal(at):
			m.t.Errorf("%s: %s has the time %v, the manifest %v", m.member, rel, info.ModTime(), at)
		}
		return err
	})
	m.must2(err)
	if len(times) != len(texts) {
		m.t.Errorf("%s: the manifest of %s names %d files, %d are in the mirror", m.member, member, len(times), len(texts))
	}
	return texts
}

// mirrors fails unless this machine has of another exactly what that holds.
func (m *machine) mirrors(other *machine) {
	m.t.Helper()
	got, want := m.mirrored(other.member), other.held
	if maps.Equal(got, want) {
		return
	}
	var wrong []string
	for path, text := range want {
		if have, ok := got[path]; !ok {
			wrong = append(wrong, path+" is missing")
		} else if have != text {
			wrong = append(wrong, path+" has another text")
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			wrong = append(wrong, path+" was removed")
		}
	}
	slices.Sort(wrong)
	m.t.Errorf("the mirror of %s on %s has %d handoffs, want %d; %d differ:\n%s", other.member, m.member, len(got), len(want),
		len(wrong), strings.Join(wrong[:min(len(wrong), 20)], "\n"))
}

// indexed fails unless a search on this machine finds as many handoffs of a member as
// that holds.
func (m *machine) indexed(member string, want int) {
	m.t.Helper()
	got := m.try("search", "--count", "member:"+member)
	if strings.TrimSpace(got.stdout) != fmt.Sprint(want) {
		m.t.Errorf("%s finds other than %d handoffs of %s: %v", m.member, want, member, got)
	}
}

// sound fails if something is wrong with the index, but for its speed.
func (m *machine) sound() {
	m.t.Helper()
	got := m.try("doctor", "--deep")
	for line := range strings.Lines(got.stdout) {
		if strings.HasPrefix(line, "finding") && !strings.Contains(line, " slow: ") {
			m.t.Errorf("%s: %s", m.member, line)
		}
	}
}

// left fails if the program's own folder has files that killed runs left.
func (m *machine) left() {
	m.t.Helper()
	err := filepath.WalkDir(m.team(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, rel := d.Name(), strings.TrimPrefix(path, m.team()+"/")
		inGit := strings.HasPrefix(rel, "repo.git/")
		if inGit && (strings.HasSuffix(name, ".lock") || strings.HasPrefix(name, "tmp_")) ||
			!inGit && !strings.Contains(rel, "/files/") && (strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".new")) {
			m.t.Errorf("%s: %s was left", m.member, rel)
		}
		return nil
	})
	m.must2(err)
}
