package index_test

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
)

// actions are what can happen to the disk, the program and the clock.
func (m *model) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"create":  func(rt *rapid.T) { m.put(m.modelPath(rt, false)) },
		"rewrite": func(rt *rapid.T) { m.put(m.modelPath(rt, true)) },
		"rewrite in secret": func(rt *rapid.T) { // of one size, with the times put back
			path := m.modelPath(rt, true)
			info, err := os.Stat(m.path(path))
			if err != nil {
				rt.Fatal(err)
			}
			m.put(path)
			m.touch(rt, path, info.ModTime())
		},
		"append": func(rt *rapid.T) {
			f, err := os.OpenFile(m.path(m.modelPath(rt, true)), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				rt.Fatal(err)
			}
			_, err = io.WriteString(f, "\n- more\n")
			if err := errors.Join(err, f.Close()); err != nil {
				rt.Fatal(err)
			}
		},
		"replace": func(rt *rapid.T) {
			path := m.modelPath(rt, true)
			goal, text := m.text()
			m.write("new", text)
			m.move("new", path)
			m.files[path].goal = goal
		},
		"rename": func(rt *rapid.T) {
			from, to := m.modelPath(rt, true), m.modelPath(rt, false)
			if from == to {
				return
			}
			m.move(from, to)
			m.files[to] = m.files[from]
			delete(m.files, from)
		},
		"swap": func(rt *rapid.T) {
			a, b := m.modelPath(rt, true), m.modelPath(rt, true)
			if a == b {
				return
			}
			m.move(a, "swap")
			m.move(b, a)
			m.move("swap", b)
			m.files[a], m.files[b] = m.files[b], m.files[a]
		},
		"remove": func(rt *rapid.T) {
			path := m.modelPath(rt, true)
			m.remove(path)
			delete(m.files, path)
		},
		"touch": func(rt *rapid.T) {
			day := rapid.IntRange(1, 28).Draw(rt, "day")
			m.touch(rt, m.modelPath(rt, true), time.Date(2026, 2, day, 0, 0, 0, 0, time.UTC))
		},
		"remove folder": m.removeFolder,
		"swap folders":  m.swapFolders,
		"link":          m.link,
		"unlink": func(rt *rapid.T) {
			links := slices.Sorted(maps.Keys(m.links))
			if len(links) == 0 {
				return
			}
			if l := rapid.SampledFrom(links).Draw(rt, "link"); m.open(l) {
				m.remove(l)
				delete(m.links, l)
			}
		},
		"lock file":   m.lockFile,
		"lock folder": m.lockFolder,
		"clock": func(rt *rapid.T) {
			m.now = m.now.Add(time.Duration(rapid.IntRange(-7200, 7200).Draw(rt, "seconds")) * time.Second)
		},
		"reopen": func(*rapid.T) { m.reopen() },
		"full":   func(rt *rapid.T) { m.check(rt, index.RefreshOptions{Full: true}) },
	}
}

func (m *model) touch(rt *rapid.T, path string, at time.Time) {
	if err := os.Chtimes(m.path(path), at, at); err != nil {
		rt.Fatal(err)
	}
}

// removeFolder empties a folder: it is made again at once.
func (m *model) removeFolder(rt *rapid.T) {
	dir := rapid.SampledFrom(modelDirs).Draw(rt, "folder")
	if m.locked[dir] {
		return
	}
	m.remove(dir)
	if err := os.MkdirAll(m.path(dir), 0o755); err != nil {
		rt.Fatal(err)
	}
	maps.DeleteFunc(m.files, func(path string, _ *modelFile) bool { return filepath.Dir(path) == dir })
	maps.DeleteFunc(m.links, func(path, _ string) bool { return filepath.Dir(path) == dir })
}

func (m *model) swapFolders(rt *rapid.T) {
	a, b := rapid.SampledFrom(modelDirs).Draw(rt, "folder"), rapid.SampledFrom(modelDirs).Draw(rt, "other")
	if a == b || m.locked[a] || m.locked[b] {
		return
	}
	m.move(a, "swap")
	m.move(b, a)
	m.move("swap", b)
	other := func(path string) string {
		switch filepath.Dir(path) {
		case a:
			return b + "/" + filepath.Base(path)
		case b:
			return a + "/" + filepath.Base(path)
		}
		return path
	}
	files, links := map[string]*modelFile{}, map[string]string{}
	for path, f := range m.files {
		files[other(path)] = f
	}
	for path, target := range m.links { // they are absolute: the text of a link stays
		links[other(path)] = target
	}
	m.files, m.links = files, links
}

// link makes a symbolic link, to a file that is there or not.
func (m *model) link(rt *rapid.T) {
	dir := rapid.SampledFrom(modelDirs).Draw(rt, "folder")
	path := dir + "/link-" + rapid.SampledFrom(modelNames).Draw(rt, "name")
	if m.links[path] != "" || m.locked[dir] {
		return
	}
	target := storeDir + "/" + rapid.SampledFrom(modelNames).Draw(rt, "target")
	if rapid.Bool().Draw(rt, "by name") {
		target = rapid.SampledFrom(modelDirs).Draw(rt, "target folder") + "/" + filepath.Base(target)
	}
	if err := os.Symlink(m.path(target), m.path(path)); err != nil {
		rt.Fatal(err)
	}
	m.links[path] = target
}

// lockFile takes a file's rights away or gives them back.
func (m *model) lockFile(rt *rapid.T) {
	var list []string
	for path := range m.files {
		if path != alwaysThere && m.open(path) {
			list = append(list, path)
		}
	}
	if len(list) == 0 {
		return
	}
	slices.Sort(list)
	path := rapid.SampledFrom(list).Draw(rt, "file")
	f := m.files[path]
	f.locked = !f.locked
	m.chmod(rt, path, f.locked, 0o644)
}

func (m *model) lockFolder(rt *rapid.T) {
	if m.root { // no rights keep root out
		return
	}
	dir := rapid.SampledFrom(modelDirs).Draw(rt, "folder")
	m.locked[dir] = !m.locked[dir]
	m.chmod(rt, dir, m.locked[dir], 0o755)
}

func (m *model) chmod(rt *rapid.T, path string, locked bool, mode os.FileMode) {
	if locked {
		mode = 0
	}
	if err := os.Chmod(m.path(path), mode); err != nil {
		rt.Fatal(err)
	}
}

// unlock gives the rights back, so that the folder can be removed.
func (m *model) unlock() {
	for dir := range m.locked {
		_ = os.Chmod(m.path(dir), 0o755)
	}
}
