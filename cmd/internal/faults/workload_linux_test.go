package faults_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/testkit/dump"
)

// A stage changes the disk and says how the index is brought up to date.
type stage struct {
	name   string
	change func(*world)
	args   []string
}

// workload is the life of an index: each kind of change, each kind of refresh.
var workload = []stage{
	{"build", (*world).settle, nil},
	{"update", (*world).work, nil},
	{"full", (*world).tidy, []string{"--full"}},
	{"prune", (*world).leave, []string{"--prune"}},
}

// write writes a file of the disk; day is its time.
func (w *world) write(path, text string, day int) {
	w.t.Helper()
	path = filepath.Join(w.base, "disk", path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	at := time.Date(2026, 2, day, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, at, at); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remove(path string) {
	w.t.Helper()
	if err := os.RemoveAll(filepath.Join(w.base, "disk", path)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) move(from, to string) {
	w.t.Helper()
	from, to = filepath.Join(w.base, "disk", from), filepath.Join(w.base, "disk", to)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(from, to); err != nil {
		w.t.Fatal(err)
	}
}

const (
	suite = "shop/.claude/handoffs/-work-shop/"
	bank  = "shop/bank/docs/handoffs/"
)

// settle lays forty handoffs of all shapes.
func (w *world) settle() {
	for i := range 16 {
		name := fmt.Sprintf("s%07d", i)
		w.write(suite+name+".md", note(fmt.Sprintf("2026-02-%02d", i+1), name, fmt.Sprintf("login form %d", i), "test the token expiry"), i+1)
	}
	w.write(suite+"LEDGER.md", "- [x] 2026-02-01 [s0000001.md](s0000001.md) - login (processed 2026-02-02)\n", 2)
	w.write("shop/bank/.git/HEAD", "ref: refs/heads/main\n", 1)
	for i := range 13 {
		w.write(fmt.Sprintf(bank+"2026-01-%02d-migrate.md", i+1),
			fmt.Sprintf("# Handoff %d\n\nStatus: blocked\n\n## Next\n\n- HUMAN REVIEW NEEDED: migrate %d\n\n## Gotchas\n\n- Löwe\n", i, i*i), 3)
	}
	for i := range 8 {
		w.write(fmt.Sprintf("notes/.act/handoffs/2026-02-01-10%02d.xml", i), fmt.Sprintf("<context_handoff><metadata><project>act</project>"+
			"<timestamp>2026-02-01T10:%02d:00Z</timestamp></metadata><original_task>ship %d</original_task></context_handoff>\n", i, i), 4)
	}
	w.write("shop/flow/.flow-guardian/handoff.yaml", "goal: login\nstatus: blocked\nnow: waiting\ntimestamp: 2026-02-03T10:00:00Z\n", 5)
	w.write("shop/meta/handoff.yaml", "version: 1\nfrom: codex\nto: claude\nstatus: pending\ngenerated_at: 2026-02-03\n"+
		"source_file: discussion/001-codex-response.md\nfiles_changed: [a.go]\n", 6)
	w.write("shop/meta/discussion/001-codex-response.md", "# Answer\n\n## Decisions\n\n- use tokens\n", 6)
	w.write("notes/HANDOFF.md", "# Log\n\n## 2026-02-01\n\n- first\n\n## 2026-02-02\n\n- second\n\n## 2026-02-02\n\n- third\n", 7)
}

// newBuiltWorld returns a world with handoffs and an index of them.
func newBuiltWorld(tb testing.TB) *world {
	tb.Helper()
	w := newWorld(tb)
	w.settle()
	w.must(w.args(w.dir)...)
	return w
}

// work does all that can happen to files.
func (w *world) work() {
	w.write(suite+"t0000001.md", note("2026-02-20", "t0000001", "checkout", "call the bank"), 20)
	w.write("notes/.act/handoffs/2026-02-05-1000.xml", "<context_handoff><metadata><project>act</project></metadata><original_task>new</original_task></context_handoff>\n", 20)
	for i := range 3 {
		name := fmt.Sprintf("s%07d", i)
		w.write(suite+name+".md", note(fmt.Sprintf("2026-02-%02d", i+1), name, fmt.Sprintf("login page %d", i), "rotate the keys"), 21)
	}
	w.move(suite+"s0000005.md", suite+"renamed.md")
	w.move(suite+"s0000006.md", bank+"moved.md")
	w.remove(suite + "s0000007.md")
	w.remove("shop/flow")
	w.write(bank+"2026-01-01-migrate.md.new", "# Handoff\n\n## Next\n\n- replaced\n", 22)
	w.move(bank+"2026-01-01-migrate.md.new", bank+"2026-01-01-migrate.md")
	w.write(suite+"LEDGER.md", "- [x] 2026-02-02 [s0000002.md](s0000002.md) - login (processed 2026-02-03)\n", 22)
	w.write("shop/meta/discussion/001-codex-response.md", "# Answer\n\n## Decisions\n\n- use cookies\n", 22)
	w.write("notes/HANDOFF.md", "# Log\n\n## 2026-02-02\n\n- second\n\n## 2026-02-03\n\n- fourth\n", 23)
	w.touch(suite+"s0000009.md", 24)
}

func (w *world) touch(path string, day int) {
	w.t.Helper()
	at := time.Date(2026, 2, day, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(w.base, "disk", path), at, at); err != nil {
		w.t.Fatal(err)
	}
}

// tidy is a little work before everything is read anew.
func (w *world) tidy() {
	w.write(suite+"t0000002.md", note("2026-02-25", "t0000002", "checkout", "call the bank again"), 25)
	w.remove(bank + "moved.md")
	w.move(suite+"renamed.md", suite+"s0000005.md")
}

// leave takes a whole root away.
func (w *world) leave() { w.remove("notes") }

// A state is the disk after a stage, with the index before it and what one built
// from nothing holds after it.
type state struct {
	stage
	saved  string // folder of the index before
	kept   string // folder of the archive before
	before dump.Index
	had    bool // there was one
	after  dump.Index
}

// stages takes the world through the workload and calls f in each state.
func (w *world) stages(f func(state)) {
	w.t.Helper()
	for _, s := range workload {
		st := state{stage: s, saved: filepath.Join(w.base, "saved"), kept: filepath.Join(w.base, "kept")}
		copyDir(w.t, w.dir, st.saved)
		copyDir(w.t, w.archive(), st.kept)
		st.before, st.had = w.dump(w.dir)
		s.change(w)
		disk := w.disk()
		fresh := filepath.Join(w.base, "fresh")
		if err := os.RemoveAll(fresh); err != nil {
			w.t.Fatal(err)
		}
		w.must(w.args(fresh, s.args...)...)
		st.after, _ = w.dump(fresh)
		f(st)
		w.must(w.argsFrom(st, w.dir)...)
		w.expect(st, w.dir)
		if diff := cmp.Diff(disk, w.disk()); diff != "" {
			w.fatalf("%s: the program changed what it indexes (-before +after):\n%s", s.name, diff)
		}
	}
}

// disk lists what is indexed, with all that tells of a change.
func (w *world) disk() []string {
	w.t.Helper()
	var list []string
	err := filepath.WalkDir(filepath.Join(w.base, "disk"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		st, _ := info.Sys().(*syscall.Stat_t)
		list = append(list, fmt.Sprint(path, st.Ino, st.Mode, st.Size, st.Mtim, st.Ctim))
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// expect fails unless the index in dir holds what one built from nothing does.
func (w *world) expect(s state, dir string) {
	w.t.Helper()
	got, _ := w.dump(dir)
	if diff := got.Compare(s.after); diff != "" {
		w.fatalf("the index differs (-built +refreshed):\n%s", diff)
	}
}

// The workload is what the tests of faults rest on.
func TestWorkload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var files []int // those in the archive too
	w.stages(func(s state) { files = append(files, len(s.after.Rows)-1) })
	if want := []int{40, 42, 42, 33}; fmt.Sprint(files) != fmt.Sprint(want) {
		t.Errorf("files after each stage: %v, want %v", files, want)
	}
}
