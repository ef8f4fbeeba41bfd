package faults_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/index/testkit/dump"
)

// failures are the errors that each system call can answer with. What the rights
// on a folder hide counts as not there where projects are told apart, so that the
// calls which only look are not refused.
var failures = []struct {
	calls  string
	errors string
	slow   bool // such a call is tried again for long, so that only long runs have it
}{
	{"openat open", "EMFILE EACCES EIO ENOSPC EINTR", false},
	{"read pread64", "EIO EINTR", false},
	{"getdents64", "EIO EACCES EINTR", false},
	{"newfstatat stat lstat fstat", "EIO ENOMEM ESTALE", false},
	{"readlinkat faccessat", "EIO ENOMEM", false},
	{"pwrite64 write", "ENOSPC EIO EINTR", false},
	{"fsync fdatasync", "EIO ENOSPC EINTR", false},
	{"ftruncate", "EIO ENOSPC EINTR", false},
	{"unlink unlinkat", "EACCES EIO", false},
	{"rename renameat renameat2", "EACCES ENOSPC EIO", false},
	{"mkdirat utimensat fchown", "EACCES ENOSPC", false},
	{"mmap", "EACCES ENOMEM", false},
	{"fcntl", "ENOLCK EIO EACCES", true},
	{"flock", "ENOLCK EINTR", false},
}

// A failing is an error that a run meets once, or from then on.
type failing struct {
	point
	stage int
	error string
	on    bool
	query bool // the run searches, too
}

func (f failing) String() string {
	return fmt.Sprintf("%s: %s at %s %d, on %v, query %v", workload[f.stage].name, f.error, f.call, f.n, f.on, f.query)
}

// fault is what strace calls it. An interrupted call is tried again, and would
// be for ever.
func (f failing) fault() string {
	when := fmt.Sprint(f.n)
	switch {
	case f.on && f.error == "EINTR":
		when += fmt.Sprintf("..%d", f.n+20)
	case f.on:
		when += "+"
	}
	return "error=" + f.error + ":when=" + when
}

// A run that meets an error of the system at any call either fails and tells so,
// and leaves the index as it was, or tells of what the index lacks, or the index
// is right. No file counts as deleted. When the error has passed, a refresh makes
// the index what a build from nothing is.
func TestErrorPoints(t *testing.T) {
	needStrace(t)
	t.Parallel()
	w := newWorld(t, pinnedEnv)
	// One error a stage, each of another call: the gate and make faults take more.
	n, random := testkit.Rounds(t, 4, 5000), testkit.Rand(t)
	dir := filepath.Join(w.base, "failed")
	all, fired, stage := 0, 0, 0
	var ends [3]int
	w.stages(func(s state) {
		list := w.failings(stage, w.argsFrom(s, dir))
		all += len(list)
		// A point that the run does not reach this time is replaced by another.
		left := n / len(workload)
		for _, f := range spreadFailings(list, 4*left, random) {
			if left == 0 {
				break
			}
			w.try(f.String(), func() {
				end, did := w.fails(s, f, dir)
				ends[end] += did
				fired += did
				left -= did
			})
		}
		stage++
	})
	t.Logf("%d points, %d fired: %d runs were right, %d told what is missing, %d failed", all, fired, ends[right], ends[told], ends[failed])
	if want := min(n, all) * 3 / 4; fired < want {
		t.Errorf("only %d of %d errors came about", fired, want)
	}
}

// How a run ends that met an error.
const (
	right = iota
	told
	failed
)

// failings lists the errors that a run can meet.
func (w *world) failings(stage int, args []string) []failing {
	w.t.Helper()
	var calls []string
	errors := map[string][]string{}
	for _, f := range failures {
		if f.slow && !testkit.Long() {
			continue
		}
		for call := range strings.FieldsSeq(f.calls) {
			calls = append(calls, call)
			errors[call] = strings.Fields(f.errors)
		}
	}
	var list []failing
	for _, p := range w.points(calls, args...) {
		for _, e := range errors[p.call] {
			for i := range 4 {
				list = append(list, failing{p, stage, e, i%2 == 0, i/2 == 0})
			}
		}
	}
	return list
}

// spreadFailings is spread for failings: of each call and error in turn.
func spreadFailings(list []failing, n int, random *rand.Rand) []failing {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	turn, had := map[failing]int{}, map[string]int{}
	for _, f := range list {
		turn[f] = had[f.call+f.error]
		had[f.call+f.error]++
	}
	slices.SortStableFunc(list, func(a, b failing) int { return turn[a] - turn[b] })
	return list[:min(n, len(list))]
}

// fails runs the program into an error and checks what comes of it.
func (w *world) fails(s state, f failing, dir string) (end, fired int) {
	w.t.Helper()
	args := w.argsFrom(s, dir)
	if f.query {
		args = append([]string{"search", "*", "--limit", "0", "--paths"}, w.args(dir)[2:]...)
	}
	r := w.inject(f.call, f.fault(), args...)
	// Without memory a Go program ends, which is as good as a kill.
	if (r.status < 0 || strings.Contains(r.stderr, "panic:")) && f.call != "mmap" {
		w.fatalf("the program crashed: %v", r)
	}
	got, ok := w.dump(dir)
	if s.had && !ok {
		w.fatalf("there is no index any more: %v", r)
	}
	if ok {
		w.keepsFiles(s, got, r)
	}
	switch {
	case r.status != 0 && r.status != 1:
		end = failed
		if r.stderr == "" && f.call != "write" && r.status > 0 {
			w.fatalf("it failed in silence: %v", r)
		}
	case f.call == "write": // what it said was lost
	case !ok && r.stderr != "": // it made do with an index of its own
		end = told
	case f.query:
		end = w.answered(s, r)
	default:
		end = w.reported(s, got, r)
	}
	again := w.must(w.args(dir, s.args...)...)
	if tales := tales(again); len(tales) > 0 {
		w.fatalf("after the error: %q", tales)
	}
	w.expect(s, dir)
	w.tidied(dir)
	return end, min(1, r.fired)
}

// answered fails if a search missed something and said nothing.
func (w *world) answered(s state, r run) int {
	w.t.Helper()
	if r.stderr != "" {
		return told
	}
	var want []string
	for path := range s.after.Rows {
		if has(s.after, path) {
			want = append(want, path)
		}
	}
	got := strings.Fields(r.stdout)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(slices.Compact(got), want) {
		w.fatalf("it found %d of %d files and said nothing: %v", len(got), len(want), r)
	}
	return right
}

// reported fails if the index lacks something that was not told.
func (w *world) reported(s state, got dump.Index, r run) int {
	w.t.Helper()
	list := tales(r)
	differs := got.Differs(s.after)
	for _, path := range differs {
		isTold := slices.ContainsFunc(list, func(tale string) bool { return path == tale || strings.HasPrefix(path, tale+"/") })
		// Earlier versions stay as they were until what stands in their place can be read.
		isTold = isTold || len(list) > 0 && filepath.Dir(path) == w.archive() && w.follows(got.Rows[path], s.before.Rows[path], true)
		if path != "" && !isTold && !w.follows(got.Rows[path], s.after.Rows[path], len(list) > 0) {
			w.fatalf("%s is wrong and was not told: %v\n%s", path, r, cmp.Diff(s.after.Rows[path], got.Rows[path]))
		}
	}
	switch {
	case len(differs) > 0 && len(list) == 0 && !slices.ContainsFunc(differs, func(path string) bool { return path != "" }):
		w.fatalf("the index is wrong and nothing was told: %v\n%s", r, got.Compare(s.after))
	case len(list) > 0 || r.stderr != "":
		return told
	}
	return right
}

// follows reports whether rows that are not as they should be need not be told by
// themselves: which handoffs are the latest or standing follows from others that were
// told, a handoff tells itself that its neighbour could not be read, and a
// neighbour that is asked for again is as good.
func (w *world) follows(got, want []string, told bool) bool {
	w.t.Helper()
	const problem = `rule="neighbour-unread"`
	if slices.ContainsFunc(got, func(l string) bool { return strings.Contains(l, problem) }) {
		return told
	}
	parts := depsColumn
	if told {
		parts = latestOrDeps
	}
	return slices.Equal(without(parts, got), without(parts, want))
}

var (
	depsColumn   = regexp.MustCompile(` deps="[^ ]*"|^id of .*`)
	latestOrDeps = regexp.MustCompile(` deps="[^ ]*"|^id of .*| latest=\d| standing=\d`)
)

func without(parts *regexp.Regexp, lines []string) []string {
	rest := make([]string, len(lines))
	for i, l := range lines {
		rest[i] = parts.ReplaceAllString(l, "")
	}
	return rest
}

// keepsFiles fails if a file that is there counts as deleted.
func (w *world) keepsFiles(s state, got dump.Index, r run) {
	w.t.Helper()
	for path := range s.before.Rows {
		switch {
		case path == "" || s.after.Rows[path] == nil:
		case got.Rows[path] == nil:
			w.fatalf("%s counts as deleted: %v", path, r)
		case has(s.before, path) && has(s.after, path) && !has(got, path):
			w.fatalf("%s is found no more: %v", path, r)
		}
	}
}

// tales are the paths that a run of index told something about.
func tales(r run) []string {
	type tale struct{ Path string }
	var report struct{ Skipped, Troubles []tale }
	if json.Unmarshal([]byte(r.stdout), &report) != nil {
		return nil
	}
	var list []string
	for _, t := range append(report.Skipped, report.Troubles...) {
		list = append(list, t.Path)
	}
	return list
}
