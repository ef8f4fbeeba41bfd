package cli_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// pinnedEnv has the program do everything on one thread: strace counts system
// calls by thread.
const pinnedEnv = "HANDEX_TEST_PINNED=1"

// writeCalls are the system calls that change a disk, and those that lock.
var writeCalls = strings.Fields("?write ?pwrite64 ?fsync ?ftruncate ?fallocate ?unlink ?unlinkat ?rename ?renameat ?renameat2 ?link ?linkat " +
	"?symlink ?symlinkat ?mkdir ?mkdirat ?rmdir ?utimensat ?fchmod ?fchmodat ?flock ?openat ?close")

// A job is a writer that is killed. Its states are what may be in its folder of
// handoffs: texts by name, where a link is the text it leads to.
type job struct {
	name   string
	folder string            // of handoffs, below the project, or the home if it begins with ~
	before map[string]string // files of the project
	link   [2]string         // a symbolic link of it and where it leads
	args   []string
	// left are the states it may leave; from the one that done counts on it may
	// say that it succeeded: 0 stands for the last alone.
	left []map[string]string
	done int
	// ends are the states that a further writer may leave; nil is the last of left.
	ends []map[string]string
}

const (
	flowBefore = "# ours\ngoal: \"Price rules\" # short\nstatus: blocked\nnow: \"old\"\ntimestamp: \"2026-01-01T00:00:00Z\"\nteam: red\n"
	flowAfter  = "# ours\ngoal: \"Price rules\" # short\nstatus: blocked\nnow: new\ntimestamp: \"2026-02-10T12:00:00Z\"\nteam: red\n"

	companyBefore = "version: 1\nfrom: x\n"
	companyAfter  = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: pending\nsent_at: null\nsession_key: null\n"

	actAfter = "<context_handoff>\n  <metadata>\n    <project>shop</project>\n    <timestamp>2026-02-10T12:00:00Z</timestamp>\n    <from_session>s</from_session>\n" +
		"    <format_version>1.0</format_version>\n  </metadata>\n  <original_task>\n    g\n  </original_task>\n  <work_completed>\n    - d\n  </work_completed>\n" +
		"  <work_remaining>\n    - n\n  </work_remaining>\n  <current_state>\n    s\n  </current_state>\n</context_handoff>\n"

	sentBefore = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: pending\nsent_at: null\nsession_key: null\n"
	sentFailed = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: failed\nsent_at: null\nsession_key: null\n"
	sentAfter  = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: sent\nsent_at: \"2026-02-10T12:00:00Z\"\nsession_key: k\n"
	sentLog    = "version: 1\nmax_entries: 50\nentries:\n"
	sentEntry  = "  - source_file: discussion/001-a-response.md\n    from: a\n    to: b\n    status: %s\n    generated_at: \"2026-02-10\"\n    sent_at: \"2026-02-10T12:00:00Z\"\n    branch: null\n"

	acked = `{"at":"2026-02-10T12:00:00Z","ack":"ID","digest":"DIGEST","note":"seen"}` + "\n"

	suiteAfter = "# Handoff — 2026-02-10\n\nsession_id: aaaa1111\npurpose: p\n\n## Done\n\n- d\n"
)

func jobs() []job {
	one := func(text string) map[string]string { return map[string]string{"handoff.yaml": text} }
	acts := map[string]string{"2026-01-01-1000.xml": "<a/>", "2026-01-02-1000.xml": "<b/>", "latest.xml": "<b/>"}
	with := func(m map[string]string, pairs ...string) map[string]string {
		out := maps.Clone(m)
		for i := 0; i < len(pairs); i += 2 {
			if out[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
				delete(out, pairs[i])
			}
		}
		return out
	}
	const log = "handoff-log.yaml"
	const first, second = "2026-02-10-1200.xml", "2026-02-10-1200-0001.xml"
	written := with(acts, first, actAfter)
	linked := with(written, "latest.xml", actAfter)
	settled := with(linked, "2026-01-01-1000.xml", "")
	twice := map[string]string{first: actAfter, second: actAfter, "latest.xml": actAfter}
	return []job{
		{
			name: "update", folder: ".flow-guardian", before: map[string]string{".flow-guardian/handoff.yaml": flowBefore},
			args: []string{"update", "now=new"}, left: []map[string]string{one(flowBefore), one(flowAfter)},
		},
		{
			name: "write over", folder: "meta", before: map[string]string{"meta/handoff.yaml": companyBefore},
			args: []string{"write", "--as", "company", "--bare", "--save", "--to", "b", "--set", "from=a", "--set", "source_file=discussion/001-a-response.md"},
			left: []map[string]string{one(companyBefore), one(companyAfter)},
		},
		{
			name: "write with a link", folder: ".act/handoffs", link: [2]string{".act/handoffs/latest.xml", "2026-01-02-1000.xml"},
			before: map[string]string{".act/handoffs/2026-01-01-1000.xml": "<a/>", ".act/handoffs/2026-01-02-1000.xml": "<b/>", ".act/config.yaml": "handoff: {maxFiles: 2}\n"},
			args:   []string{"write", "--as", "act", "--save", "--set", "session=s", "--set", "goal=g", "--section", "done=- d", "--section", "next=- n", "--section", "state=s"},
			left:   []map[string]string{acts, written, linked, settled},
			ends:   []map[string]string{settled, twice},
		},
		{
			name: "write a new one", folder: "~/.claude/handoffs",
			args: []string{"write", "--as", "claude-suite", "--save", "--set", "session=aaaa1111", "--set", "purpose=p", "--section", "done=- d"},
			left: []map[string]string{{}, {"aaaa1111.md": suiteAfter}},
			ends: []map[string]string{{"aaaa1111.md": suiteAfter}, {"aaaa1111.md": suiteAfter, "aaaa1111-0001.md": suiteAfter}},
		},
		{
			name: "send", folder: "meta", before: map[string]string{"meta/handoff.yaml": sentBefore},
			args: []string{"send", "--again", "--via", "true", "--session-key", "k"},
			left: []map[string]string{
				one(sentBefore), one(sentFailed), with(one(sentFailed), log, entries("failed")), one(sentAfter), with(one(sentAfter), log, entries("sent")),
			},
			done: 3,
			ends: []map[string]string{
				with(one(sentAfter), log, entries("sent")), with(one(sentAfter), log, entries("sent", "sent")), with(one(sentAfter), log, entries("failed", "sent")),
			},
		},
		{
			name: "ack", folder: "~/.local/state/handex", before: map[string]string{"HANDOFF.md": "# Handoff\n\n## Next\n\n- HUMAN REVIEW NEEDED: keys\n"},
			args: []string{"ack", "-m", "seen", "HANDOFF.md"},
			left: []map[string]string{{}, {"acks.jsonl": ""}, {"acks.jsonl": acked}},
		},
	}
}

// entries is the log of manifests with an entry for each status.
func entries(statuses ...string) string {
	text := sentLog
	for _, status := range statuses {
		text += fmt.Sprintf(sentEntry, status)
	}
	return text
}

// succeeded reports whether a state is one after which a run may say that it succeeded.
func (j job) succeeded(state map[string]string) bool {
	from := j.done
	if from == 0 {
		from = len(j.left) - 1
	}
	return isOneOf(state, j.left[from:])
}

func isOneOf(state map[string]string, list []map[string]string) bool {
	return slices.ContainsFunc(list, func(other map[string]string) bool { return maps.Equal(state, other) })
}

// lay makes a desk as the job finds it.
func (j job) lay(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.env = append(d.env, pinnedEnv)
	for rel, text := range j.before {
		d.put(t, rel, text)
	}
	if j.link[0] != "" {
		if err := os.Symlink(j.link[1], filepath.Join(d.project, j.link[0])); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

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

var digest = regexp.MustCompile(`"digest":"[0-9a-f]{16}"`)

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
	if status := d.strace(t, trace, strings.Join(writeCalls, ","), "signal=CONT:when=65535", j.args...); status != 0 {
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
	for _, call := range writeCalls {
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
	n := rounds(t, 16, 1<<20)
	all, fired := 0, 0
	for _, j := range jobs() {
		list := j.points(t)
		all += len(list)
		for _, p := range some(list, n/len(jobs())) {
			d := j.lay(t)
			if d.strace(t, filepath.Join(d.home, "trace"), p.call, fmt.Sprintf("signal=KILL:when=%d", p.n), j.args...) < 0 {
				fired++
			}
			j.recovers(t, d, fmt.Sprint("killed at ", p.call, " ", p.n))
		}
		t.Logf("%s: %d points", j.name, len(list))
	}
	t.Logf("%d points, %d kills", all, fired)
	if want := min(all, n) * 9 / 10; all < 200 || fired < want {
		t.Errorf("%d of %d kills came about at %d points", fired, want, all)
	}
}

func needStrace(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is needed to inject faults")
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
	n := rounds(t, 16, 1<<20)
	failed := 0
	for _, j := range jobs() {
		// What a run opens and closes before it writes is not the disk's.
		list := slices.DeleteFunc(j.points(t), func(p killAt) bool { return slices.Contains([]string{"openat", "close", "flock"}, p.call) })
		for i, p := range some(list, n/len(jobs())) {
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
	n := rounds(t, 12, 500)
	fired := 0
	for _, j := range jobs() {
		d := j.lay(t)
		start := time.Now()
		d.must(t, j.args...)
		whole := time.Since(start)
		for range n / len(jobs()) {
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
	if fired < n/4 {
		t.Errorf("only %d of %d kills came about", fired, n)
	}
}
