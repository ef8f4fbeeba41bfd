package faults_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// What the system will not let the program read of one file.
var unreadable = []struct{ call, error string }{
	{"openat", "EACCES"}, {"openat", "EIO"}, {"read", "EIO"},
}

// A file that cannot be read is found as it was, also when everything is read
// anew, and its trouble is told.
func TestFaultyFileIsKept(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	before, _ := w.dump(w.dir)
	path := filepath.Join(w.base, "disk", suite+"s0000003.md")
	for _, c := range unreadable {
		r := w.injectOn(path, c.call, "error="+c.error+":when=1+", w.args(w.dir, "--full")...)
		if r.status != 0 || r.fired == 0 || !slices.Equal(tales(r), []string{path}) {
			t.Errorf("%v: %v", c, r)
		}
		w.holds(before, fmt.Sprint(c))
	}
	w.must(w.args(w.dir)...)
	w.holds(before, "afterwards")
	w.touch(suite+"s0000003.md", 28)
	search := append([]string{"search", "*", "--ids"}, w.args(w.dir)[2:]...)
	warning := "handex: warning: showing the last indexed version of what could not be read: " + path + " (input/output error)\n"
	if r := w.injectOn(path, "read", "error=EIO:when=1+", search...); r.status != 0 || r.stderr != warning {
		t.Errorf("a search: %v", r)
	}
}

// Of a file that cannot be read nothing is an earlier version that was none: what
// another index kept of it may be what stands there.
func TestFaultyFileKeepsItsVersions(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	other := filepath.Join(w.base, "other")
	w.must(w.args(other)...)
	before, _ := w.dump(w.dir)
	path := filepath.Join(w.base, "disk", suite+"s0000003.md")
	w.write(suite+"s0000003.md", note("2026-02-04", "s0000003", "login page", "rotate the keys"), 25)
	w.must(w.args(other)...)
	for _, args := range [][]string{nil, {"--full"}} {
		r := w.injectOn(path, "read", "error=EIO:when=1+", w.args(w.dir, args...)...)
		got, _ := w.dump(w.dir)
		if diff := got.Compare(before); r.status != 0 || !slices.Equal(tales(r), []string{path}) || diff != "" {
			t.Errorf("%v: %v (-before +after):\n%s", args, r, diff)
		}
	}
	w.must(w.args(w.dir)...)
	want, _ := w.dump(other)
	w.holds(want, "afterwards")
}

// A ledger that cannot be read is told, and asked for again.
func TestFaultyNeighbourIsTold(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	want, _ := w.dump(w.dir)
	path := filepath.Join(w.base, "disk", suite+"LEDGER.md")
	for _, c := range unreadable {
		r := w.injectOn(path, c.call, "error="+c.error+":when=1+", w.args(w.dir, "--full")...)
		if r.status != 0 || r.fired == 0 || !slices.Equal(tales(r), []string{path}) {
			t.Errorf("%v: %v", c, r)
		}
		if got, _ := w.dump(w.dir); len(got.Differs(want)) == 0 {
			t.Errorf("%v: the ledger was read all the same", c)
		}
		w.must(w.args(w.dir)...)
		w.holds(want, fmt.Sprint(c))
	}
}

// A build that fails leaves the index as it was, and nothing of its own.
func TestFaultyBuildIsForgotten(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	before, _ := w.dump(w.dir)
	path := filepath.Join(w.base, "disk", "notes", "HANDOFF.md")
	for _, e := range []string{"EMFILE", "ENOMEM"} {
		r := w.injectOn(path, "openat", "error="+e+":when=1+", w.args(w.dir, "--full")...)
		if r.status != 2 || r.fired == 0 {
			t.Errorf("%s: %v", e, r)
		}
		if got, ok := w.dump(w.dir); !ok || got.Compare(before) != "" {
			t.Errorf("%s: there is another index, or none", e)
		}
		w.tidied(w.dir)
	}
}

// Files whose project cannot be told, as a folder cannot be looked at, are kept
// as they were.
func TestFaultyLookKeepsProjects(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	before, _ := w.dump(w.dir)
	for _, path := range []string{"shop/bank/.git", "notes/.git"} {
		r := w.injectOn(filepath.Join(w.base, "disk", path), "?lstat,newfstatat", "error=EIO:when=1+", w.args(w.dir, "--full")...)
		if r.status != 0 || r.fired == 0 || len(tales(r)) == 0 {
			t.Errorf("%s: %v", path, r)
		}
		if got, _ := w.dump(w.dir); got.Compare(before) != "" {
			t.Errorf("%s (-before +after):\n%s", path, got.Compare(before))
		}
	}
}
