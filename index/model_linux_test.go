package index_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
)

// A model is what the disk holds, and what the index should.
type model struct {
	*house
	root    bool // the user may read whatever the rights are
	files   map[string]*modelFile
	links   map[string]string // path of the link -> path of its target
	locked  map[string]bool   // folders without rights
	indexed map[string]string // path -> goal
	texts   int
}

type modelFile struct {
	goal   string
	locked bool
}

var (
	// Every file in these is a handoff by its path. There is always one that
	// nothing happens to: a root without handoffs counts as not mounted.
	modelDirs  = []string{".claude/handoffs/-work-shop", ".claude/handoffs/-work-bank", "shop/docs/handoffs"}
	modelNames = []string{"a.md", "b.md", "c.md"}
	// A file in storeDir is one only by a link that leads to it.
	storeDir    = "store"
	alwaysThere = ".claude/handoffs/-work-home/always.md"
)

func newModel(t *testing.T) *model {
	t.Helper()
	m := &model{
		house: newHouse(t), root: os.Geteuid() == 0, files: map[string]*modelFile{}, links: map[string]string{},
		locked: map[string]bool{}, indexed: map[string]string{},
	}
	for _, dir := range append(slices.Clone(modelDirs), storeDir) {
		if err := os.MkdirAll(m.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.put(alwaysThere)
	return m
}

// text is one that no other file has; all are of one size.
func (m *model) text() (goal, text string) {
	m.texts++
	goal = fmt.Sprintf("goal%06d", m.texts)
	branch := []string{"one", "two"}[m.texts%2]
	return goal, note("2026-02-01", "aaaa1111\nstatus: pending\nbranch: "+branch, goal, "go on")
}

func (m *model) put(path string) {
	goal, text := m.text()
	m.write(path, text)
	m.files[path] = &modelFile{goal: goal}
}

// open reports whether files can be made and removed in the folder of path.
func (m *model) open(path string) bool { return !m.locked[filepath.Dir(path)] }

// modelPath draws a path of a file, mostly of one that is there if wanted so.
func (m *model) modelPath(rt *rapid.T, there bool) string {
	var list []string
	for path, f := range m.files {
		if path != alwaysThere && m.open(path) && (!f.locked || m.root) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	if there && len(list) > 0 {
		return rapid.SampledFrom(list).Draw(rt, "file")
	}
	dir := rapid.SampledFrom(append(slices.Clone(modelDirs), storeDir)).Draw(rt, "dir")
	path := dir + "/" + rapid.SampledFrom(modelNames).Draw(rt, "name")
	if f := m.files[path]; there || !m.open(path) || m.links[path] != "" || f != nil && f.locked && !m.root {
		rt.Skip("not there, or not to be touched")
	}
	return path
}

// settle works out what the index should hold now.
func (m *model) settle() {
	want := map[string]string{}
	take := func(path string, f *modelFile) {
		if f.locked && !m.root {
			if was, ok := m.indexed[path]; ok {
				want[path] = was
			}
			return
		}
		want[path] = f.goal
	}
	for path, f := range m.files {
		if m.open(path) && filepath.Dir(path) != storeDir {
			take(path, f)
		}
	}
	for link, target := range m.links {
		f := m.files[target]
		if f != nil && m.open(link) && m.open(target) {
			take(target, f)
		}
	}
	for path, goal := range m.indexed { // what cannot be seen is kept
		_, there := m.files[path]
		if there && want[path] == "" && (!m.open(path) || filepath.Dir(path) == storeDir && m.hiddenLink()) {
			want[path] = goal
		}
	}
	m.indexed = want
}

// hiddenLink reports whether a link may lie in a folder that cannot be read.
func (m *model) hiddenLink() bool {
	for _, locked := range m.locked {
		if locked {
			return true
		}
	}
	return false
}

// check refreshes the index and compares it with the model.
func (m *model) check(rt *rapid.T, o index.RefreshOptions) {
	m.settle()
	m.refreshWith(o)
	got := map[string]string{}
	for _, hit := range m.search("* limit:0").Hits {
		rel, err := filepath.Rel(m.house.root, hit.Path)
		if err != nil {
			rt.Fatal(err)
		}
		got[filepath.ToSlash(rel)] = hit.Goal
	}
	if diff := cmp.Diff(m.indexed, got); diff != "" {
		rt.Fatalf("the index is not as the model (-model +index):\n%s", diff)
	}
}

// After each change of the disk a refresh makes the index what the model says,
// whatever clocks and rights do meanwhile.
func TestModel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a long test")
	}
	var taken atomic.Int64
	rapid.Check(t, func(rt *rapid.T) {
		m := newModel(t)
		defer m.unlock()
		actions := m.actions()
		actions[""] = func(rt *rapid.T) {
			taken.Add(1)
			m.check(rt, index.RefreshOptions{})
		}
		rt.Repeat(actions)
		m.unlock()
		maps.DeleteFunc(m.locked, func(string, bool) bool { return true })
		m.check(rt, index.RefreshOptions{})
		if err := m.Close(); err != nil {
			rt.Fatal(err)
		}
	})
	t.Logf("%d steps as user %d", taken.Load(), os.Geteuid())
}

// No rights keep root out, so root runs the model as nobody, too.
func TestModelAsNobody(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a long test")
	}
	if os.Geteuid() != 0 {
		t.Skip("TestModel is not run by root already")
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "handex-nobody-") //nolint:usetesting // t.TempDir is root's alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	tests := filepath.Join(dir, "index.test")
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	// A process that another test starts meanwhile would have the file open for writing,
	// and it could not be run.
	syscall.ForkLock.RLock()
	err = os.WriteFile(tests, self, 0o755) //nolint:gosec // nobody has to run it
	syscall.ForkLock.RUnlock()
	err = errors.Join(err, os.Chmod(tests, 0o755), os.Chown(dir, nobody, nobody), os.Chmod(dir, 0o755)) //nolint:gosec // nobody has to run it
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tests, "-test.run=^TestModel$", "-test.v", "-rapid.nofailfile")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		t.Skipf("nobody cannot run tests here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case !strings.Contains(string(out), "as user 65534"):
		t.Fatalf("it did not run:\n%s", out)
	}
	t.Logf("%s", out)
}
