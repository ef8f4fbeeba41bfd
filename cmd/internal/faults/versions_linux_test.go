package faults_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whichever read of a log fails, of its own or of what came after its versions, is
// told, or does no harm.
func TestFaultyLogIsTold(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	w.write("notes/HANDOFF.md", "# Log\n\n## 2026-02-02\n\n- second\n\n## 2026-02-03\n\n- fourth\n\n## 2026-02-04\n\n- fifth\n", 23)
	path := filepath.Join(w.base, "disk", "notes", "HANDOFF.md")
	before, after := filepath.Join(w.base, "before"), filepath.Join(w.base, "after")
	copyDir(t, w.dir, before)
	copyDir(t, w.dir, after)
	w.must(w.args(after)...)
	want, _ := w.dump(after)
	fired, toldOf := 0, 0
	for n, done := 0, false; !done; n++ {
		copyDir(t, before, w.dir)
		r := w.injectOn(path, "read", fmt.Sprintf("error=EIO:when=%d", n+1), w.args(w.dir)...)
		got, _ := w.dump(w.dir)
		done = r.fired == 0 // there is no such read
		fired += r.fired
		isTold := slices.ContainsFunc(tales(r), func(tale string) bool { return tale == path || filepath.Dir(tale) == w.archive() })
		if diff := got.Compare(want); r.status != 0 || diff != "" && !isTold {
			t.Errorf("read %d: %v (-want +got):\n%s", n+1, r, diff)
		}
		if isTold {
			toldOf++
		}
		w.must(w.args(w.dir)...)
		w.holds(want, fmt.Sprintf("after read %d failed", n+1))
	}
	if fired == 0 || toldOf == 0 {
		t.Errorf("%d reads failed, and %d were told", fired, toldOf)
	}
}

// What a refresh put into the archive it need not look for in the next; what another
// did it must.
func TestQuietArchiveIsNotRead(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newBuiltWorld(t)
	other := filepath.Join(w.base, "other")
	w.must(w.args(other)...)
	if names, err := os.ReadDir(w.archive()); err != nil || len(names) < 4 {
		t.Fatalf("the archive holds %v: %v", names, err)
	}
	edit := func(day int) {
		w.write("shop/flow/.flow-guardian/handoff.yaml", manifest(day, fmt.Sprint("goal ", day)), day)
	}
	for i, c := range []struct {
		name           string
		change         func()
		listed, copies bool // it lists the archive, and opens what is in it
	}{
		{"edit", func() { edit(11) }, true, true},
		{"nothing", func() {}, true, false}, // lists it once, as its folder has another time
		{"nothing again", func() {}, false, false},
		{"another edit", func() { edit(12) }, true, true},
		{"an edit that another took", func() {
			edit(13)
			w.must(w.args(other)...)
			edit(14)
		}, true, true},
		{"copies of another", func() {
			w.must(w.args(w.dir)...)
			w.write("notes/old/HANDOFF.md", manifest(1, "old"), 1)
			w.must(w.args(other)...)
			w.remove("notes/old")
		}, true, true},
	} {
		if i == 2 { // that the times have settled is worth writing only with a change
			w.write(suite+"x.md", note("2026-02-20", "t0000009", "checkout", "call"), 20)
			w.must(w.args(w.dir)...)
		}
		c.change()
		listed, copies := w.archiveCalls(w.args(w.dir)...)
		if listed != c.listed || copies != c.copies {
			t.Errorf("%s: it lists the archive %v, reads in it %v, want %v and %v", c.name, listed, copies, c.listed, c.copies)
		}
	}
	r := w.must(append([]string{"search", "*", "--limit", "0"}, w.args(w.dir)[2:]...)...)
	for _, goal := range []string{"goal 11", "goal 12", "goal 13", "goal 14", "old"} {
		if !strings.Contains(r.stdout, goal) {
			t.Errorf("%q is not found", goal)
		}
	}
}

// Of a large archive that another changed, a refresh of one project reads what the
// project has in it, once.
func TestPartReadsItsOwnOfTheArchive(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newWorld(t)
	w.settle()
	other := filepath.Join(w.base, "other")
	shop := append(w.args(w.dir), "--only", w.root("shop"))
	edit := func(name string, days ...int) {
		for _, day := range days {
			w.write(name, manifest(day, fmt.Sprint("goal ", day)), day)
			w.must(w.args(other)...)
		}
	}
	for i := range 1000 {
		origin, text := fmt.Sprintf("/nowhere/%d/HANDOFF.md", i), fmt.Sprintf("# Handoff %d\n", i)
		name := filepath.Join(w.archive(), fmt.Sprintf("%.8x-%x", sha256.Sum256([]byte(origin)), sha256.Sum256([]byte(text))))
		err := errors.Join(os.WriteFile(name+".md", []byte(text), 0o600), os.WriteFile(name+".origin.json", fmt.Appendf(nil, `{"origin":%q}`, origin), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	edit("shop/flow/.flow-guardian/handoff.yaml", 11)
	edit("notes/HANDOFF.md", 12)
	w.must(w.args(w.dir)...)
	w.must(w.args(w.dir)...)
	for _, c := range []struct {
		name           string
		change         func()
		listed, copies bool
	}{
		{"nothing", func() {}, false, false},
		{"another took a version of another project", func() { edit("notes/HANDOFF.md", 13, 14) }, true, true},
		{"nothing after that", func() {}, false, false},
		{"another took versions of this one", func() { edit("shop/flow/.flow-guardian/handoff.yaml", 15, 16) }, true, true},
		{"nothing after that", func() {}, false, false},
		{"an edit", func() { w.write("shop/flow/.flow-guardian/handoff.yaml", manifest(17, "goal 17"), 17) }, true, true},
		{"nothing but what it took itself", func() {}, true, false},
		{"nothing after that", func() {}, false, false},
	} {
		c.change()
		listed, copies := w.archiveCalls(shop...)
		if listed != c.listed || copies != c.copies {
			t.Errorf("%s: it lists the archive %v, reads in it %v, want %v and %v", c.name, listed, copies, c.listed, c.copies)
		}
	}
	w.must(w.args(w.dir)...)
	fresh := filepath.Join(w.base, "fresh")
	w.must(w.args(fresh)...)
	want, _ := w.dump(fresh)
	w.holds(want, "the next refresh of all")
}

// archiveCalls runs the program, and reports whether it opens the archive's folder
// and files in it.
func (w *world) archiveCalls(args ...string) (listed, copies bool) {
	w.t.Helper()
	trace := filepath.Join(w.base, "opened")
	r := w.start(w.command([]string{"-f", "-qq", "-o", trace, "-e", "signal=none", "-e", "trace=open,openat,openat2"}, args...))
	if r.status != 0 {
		w.fatalf("%v", r)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		w.t.Fatal(err)
	}
	within := regexp.MustCompile(`"` + regexp.QuoteMeta(w.archive()) + `/[0-9a-f.]`) // not of its folder of trails
	return strings.Contains(string(text), `"`+w.archive()+`"`), within.Match(text)
}
