package faults_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index/testkit"
)

// writerCalls are the system calls that change a disk, and those that lock.
var writerCalls = strings.Fields("?write ?pwrite64 ?fsync ?ftruncate ?fallocate ?unlink ?unlinkat ?rename ?renameat ?renameat2 ?link ?linkat " +
	"?symlink ?symlinkat ?mkdir ?mkdirat ?rmdir ?utimensat ?fchmod ?fchmodat ?flock ?openat ?close")

// found is what is in the job's folder, but for locks and for temporary files, which
// are hidden; these it counts. What differs from run to run is replaced.
func (j job) found(t *testing.T, d *desk) (texts map[string]string, temporary int) {
	t.Helper()
	dir := filepath.Join(d.project, j.folder)
	if rest, ok := strings.CutPrefix(j.folder, "~/"); ok {
		dir = filepath.Join(d.home, rest)
		if inner, _ := filepath.Glob(filepath.Join(dir, "-*")); len(inner) == 1 {
			dir = inner[0]
		}
	}
	texts = map[string]string{}
	for _, name := range names(t, dir) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case strings.HasPrefix(name, "."):
			temporary++
		case strings.HasSuffix(name, ".lock") || name == "locks":
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		default:
			texts[name] = digest.ReplaceAllString(publicID.ReplaceAllString(string(text), "ID"), `"digest":"DIGEST"`)
		}
	}
	return texts, temporary
}

var (
	digest   = regexp.MustCompile(`"digest":"[0-9a-f]{16}"`)
	publicID = regexp.MustCompile(`h_[0-9a-f]{12}`)
)

// recovers checks what a killed writer left, and what the next one makes of it.
func (j job) recovers(t *testing.T, d *desk, what string) {
	t.Helper()
	got, _ := j.found(t, d)
	if !isOneOf(got, j.left) {
		t.Fatalf("%s: %s: in the folder is neither what was nor what is to be: %q", j.name, what, got)
	}
	d.must(t, j.args...)
	got, temporary := j.found(t, d)
	if temporary > 0 {
		t.Errorf("%s: %s: %d temporary files stay", j.name, what, temporary)
	}
	ends := j.ends
	if ends == nil {
		ends = j.left[len(j.left)-1:]
	}
	if !isOneOf(got, ends) {
		t.Errorf("%s: %s: after one more there is %q", j.name, what, got)
	}
}

// A killAt is the n-th system call of a name.
type killAt struct {
	call string
	n    int
}

// points are the system calls of a run of the job, as strace counts them.
func (j job) points(t *testing.T) []killAt {
	t.Helper()
	d := j.lay(t)
	trace := filepath.Join(d.home, "trace")
	if status := d.strace(t, trace, strings.Join(writerCalls, ","), "signal=CONT:when=65535", j.args...); status != 0 {
		t.Fatalf("%s: status %d", j.name, status)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	counts, most := map[string]int{}, map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^(\d+) +([a-z0-9_]+)\(`).FindAllStringSubmatch(string(text), -1) {
		counts[m[1]+m[2]]++
		most[m[2]] = max(most[m[2]], counts[m[1]+m[2]])
	}
	var list []killAt
	for _, call := range writerCalls {
		call = strings.TrimPrefix(call, "?")
		for n := range most[call] {
			list = append(list, killAt{call, n + 1})
		}
	}
	return list
}

// strace runs the program under strace with an injection, and answers its exit
// status, -1 if it was killed.
func (d *desk) strace(t *testing.T, trace, calls, fault string, args ...string) int {
	t.Helper()
	program := d.command(t, args...)
	cmd := exec.CommandContext(t.Context(), "strace", append([]string{"-f", "-qq", "-o", trace, "-e", "trace=" + calls, "-e", "inject=" + calls + ":" + fault}, program.Args...)...)
	cmd.Dir, cmd.Env = program.Dir, program.Env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	status := cmd.ProcessState.ExitCode()
	if status > 2 {
		t.Fatalf("status %d\n%s", status, out)
	}
	return status
}

// A writer that is killed at any system call leaves the old handoff or the new
// one, whole, and nothing that the next writer does not clear away.
func TestKilledWriters(t *testing.T) {
	needStrace(t)
	t.Parallel()
	n := testkit.Rounds(t, 7, 1<<20) // a point a job: each has few kinds of them
	all, tried, fired := 0, 0, 0
	for _, j := range jobs() {
		list := j.points(t)
		all += len(list)
		for _, p := range some(list, max(1, n/len(jobs()))) {
			tried++
			d := j.lay(t)
			if d.strace(t, filepath.Join(d.home, "trace"), p.call, fmt.Sprintf("signal=KILL:when=%d", p.n), j.args...) < 0 {
				fired++
			}
			j.recovers(t, d, fmt.Sprint("killed at ", p.call, " ", p.n))
		}
		t.Logf("%s: %d points", j.name, len(list))
	}
	t.Logf("%d points, %d kills", all, fired)
	if fired < max(1, tried*9/10) {
		t.Errorf("%d of %d kills came about", fired, tried)
	}
}

// some are n points at random, the same in each run.
func some(list []killAt, n int) []killAt {
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return list[:min(len(list), n)]
}

// A disk that is full or broken is told, and leaves the old handoff or the new one.
func TestFailedWriters(t *testing.T) {
	needStrace(t)
	t.Parallel()
	n := testkit.Rounds(t, 7, 1<<20) // a point a job
	failed := 0
	for _, j := range jobs() {
		// What a run opens and closes before it writes is not the disk's.
		list := slices.DeleteFunc(j.points(t), func(p killAt) bool { return slices.Contains([]string{"openat", "close", "flock"}, p.call) })
		for i, p := range some(list, max(1, n/len(jobs()))) {
			d := j.lay(t)
			fault := []string{"ENOSPC", "EIO", "EACCES"}[i%3]
			what := fmt.Sprint(fault, " at ", p.call, " ", p.n)
			status := d.strace(t, filepath.Join(d.home, "trace"), p.call, fmt.Sprintf("error=%s:when=%d", fault, p.n), j.args...)
			if got, _ := j.found(t, d); status == 0 && !j.succeeded(got) {
				t.Errorf("%s: %s: status 0, but in the folder is %q", j.name, what, got)
			}
			if status == 2 {
				failed++
			}
			j.recovers(t, d, what)
		}
	}
	t.Logf("%d failures", failed)
	if failed == 0 {
		t.Error("no fault came about")
	}
}

// As TestKilledWriters, at any time.
func TestTimedKilledWriters(t *testing.T) {
	t.Parallel()
	n := testkit.Rounds(t, 7, 500) // a kill a job
	fired := 0
	for _, j := range jobs() {
		d := j.lay(t)
		start := time.Now()
		d.must(t, j.args...)
		whole := time.Since(start)
		for range max(1, n/len(jobs())) {
			d := j.lay(t)
			cmd := d.command(t, j.args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			after := whole/3 + rand.N(whole*2/3)
			time.Sleep(after)
			_ = cmd.Process.Kill()
			if err := cmd.Wait(); err != nil {
				fired++
			}
			j.recovers(t, d, fmt.Sprint("killed after ", after))
		}
	}
	t.Logf("%d kills", fired)
	if testkit.Long() && fired < n/4 { // of a few, all may come too late
		t.Errorf("only %d of %d kills came about", fired, n)
	}
}
