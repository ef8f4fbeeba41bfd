package main_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/gen"
)

const (
	// teamRuns is how often a short command is measured; the median counts.
	teamRuns = 9
	// ownRemotes is how many projects an empty sync has, each with a remote of its own, and
	// ownHandoffs how many handoffs each of them has.
	ownRemotes, ownHandoffs = 100, 10
)

// A teamBench measures how machines share a generated tree of handoffs.
type teamBench struct {
	*testing.B

	dir, handex, tree string
	text              int64
}

// BenchmarkTeam measures the sharing of handoffs over git, with remotes on the same
// disk: the processor time of the program and the git it runs, which says more on a busy
// machine, and the time from start to end. HANDEX_BENCH_N is how many handoffs there are.
//
//	HANDEX_BENCH_N=20000 go test ./cmd/handex-bench -run '^$' -bench Team -benchtime 1x -timeout 1h
func BenchmarkTeam(b *testing.B) {
	t := newTeamBench(b)
	t.shareAll()
	t.arrive()
	t.sizes()
	t.pushOne()
	t.ownRemotes()
	t.searchBeside()
	b.ReportMetric(0, "ns/op")
}

func newTeamBench(b *testing.B) *teamBench {
	b.Helper()
	n := 1000
	if s := os.Getenv("HANDEX_BENCH_N"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	t := &teamBench{B: b, dir: dir, handex: filepath.Join(dir, "handex"), tree: filepath.Join(dir, "tree")}
	build := exec.CommandContext(b.Context(), "go", "build", "-o", t.handex, "github.com/OWNER/handex/cmd/handex")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	t.generate(n)
	return t
}

// generate writes so many handoffs as one project: the Markdown of a generated tree.
func (t *teamBench) generate(n int) {
	t.Helper()
	const markdown = 0.7 // of the generated handoffs
	generated, to := filepath.Join(t.dir, "generated"), filepath.Join(t.tree, "docs", "handoffs")
	_, err := gen.Tree(generated, int(float64(n)/markdown)+1, 1)
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	moved := 0
	err = errors.Join(err, filepath.WalkDir(generated, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" || moved == n {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		t.text += info.Size()
		moved++
		return os.Rename(path, filepath.Join(to, fmt.Sprintf("%d-%s", moved, d.Name())))
	}), os.RemoveAll(generated))
	if err != nil {
		t.Fatal(err)
	}
	t.say("%d handoffs, %.1f MB", moved, float64(t.text)/1e6)
}

// machine makes the home folder of a member who searches some folders.
func (t *teamBench) machine(name string, roots ...string) {
	t.Helper()
	text := "default_roots = false\n"
	for _, root := range roots {
		text += fmt.Sprintf("[[roots]]\npath = %q\n", root)
	}
	text += fmt.Sprintf("[team]\nmember = %q\nmachine = \"bench\"\n", name)
	config := filepath.Join(t.dir, name, ".config", "handex", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A cost is what one command took.
type cost struct{ cpu, wall time.Duration }

func (c cost) add(d cost) cost { return cost{c.cpu + d.cpu, c.wall + d.wall} }

// on runs a command with the home folder of a member, and returns what it took.
func (t *teamBench) on(name, program string, args ...string) cost {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = t.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(t.dir, name), "TZ=UTC", "TMPDIR=" + t.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_TEMPLATE_DIR=",
	}
	began := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(began)
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), took}
}

// say prints what is known so far: all of it takes long.
func (t *teamBench) say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// report reports the medians of some costs.
func (t *teamBench) report(what, unit string, runs ...cost) {
	cpu, wall := make([]time.Duration, len(runs)), make([]time.Duration, len(runs))
	for i, r := range runs {
		cpu[i], wall[i] = r.cpu, r.wall
	}
	slices.Sort(cpu)
	slices.Sort(wall)
	last := len(runs) - 1
	t.say("%s: processor %v (%v to %v), from start to end %v (%v to %v)", what, cpu[last/2], cpu[0], cpu[last],
		wall[last/2].Round(time.Millisecond), wall[0].Round(time.Millisecond), wall[last].Round(time.Millisecond))
	t.ReportMetric(cpu[last/2].Seconds()*1000, unit)
}

// remote makes an empty repository and a project whose origin it is.
func (t *teamBench) remote(name, project string) (address string) {
	dir := filepath.Join(t.dir, name+".git")
	t.on("git", "git", "init", "-q", "--bare", dir)
	t.on("git", "git", "init", "-q", project)
	t.on("git", "git", "-C", project, "remote", "add", "origin", "file://"+dir)
	return "file://" + dir
}

// shareAll shares all handoffs as one project.
func (t *teamBench) shareAll() {
	t.machine("sharer", t.tree)
	t.remote("shared", t.tree)
	t.report("index of all handoffs, before", "index-ms", t.on("sharer", t.handex, "index"))
	t.report("first share of all handoffs", "share-ms", t.on("sharer", t.handex, "team", "share", "--yes", t.tree))
}

// arrive measures a new machine from nothing to its first answer.
func (t *teamBench) arrive() {
	t.machine("follower")
	follow := t.on("follower", t.handex, "team", "follow", "file://"+filepath.Join(t.dir, "shared.git"))
	search := t.on("follower", t.handex, "search", "session", "limit:20")
	t.report("new machine: follow, which fetches, writes and indexes all", "follow-ms", follow)
	t.report("new machine: first search", "first-search-ms", search)
	t.report("new machine: from nothing to the first answer", "arrive-ms", follow.add(search))
}

// sizes compares what the new machine and the remote keep with the text of the handoffs.
func (t *teamBench) sizes() {
	for name, dir := range map[string]string{
		"mirror": filepath.Join(t.dir, "follower", ".local", "share", "handex", "team", "mirror"),
		"repo":   filepath.Join(t.dir, "follower", ".local", "share", "handex", "team", "repo.git"),
		"sent":   filepath.Join(t.dir, "sharer", ".local", "share", "handex", "team", "repo.git"),
		"remote": filepath.Join(t.dir, "shared.git"),
	} {
		size := 0.0
		err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				size += float64(info.Size())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		t.say("size of %s: %.1f MB, %.2f of the text", name, size/1e6, size/float64(t.text))
		t.ReportMetric(size/float64(t.text), name+"/text")
	}
}

// pushOne measures a push after one new handoff beside all others, its fetch elsewhere,
// and a sync that finds nothing.
func (t *teamBench) pushOne() {
	var push, pull, empty []cost
	for i := range teamRuns {
		t.write(t.tree, i)
		push = append(push, t.on("sharer", t.handex, "team", "sync", "--push"))
		pull = append(pull, t.on("follower", t.handex, "team", "sync", "--pull"))
		empty = append(empty, t.on("follower", t.handex, "team", "sync"))
	}
	t.report("push after one new handoff beside all others", "push-all-ms", push...)
	t.report("fetch of it, with the index", "pull-all-ms", pull...)
	t.report("empty sync of who only follows", "empty-follower-ms", empty...)
}

// write writes a new handoff in a project.
func (t *teamBench) write(project string, n int) {
	t.Helper()
	path := filepath.Join(project, "docs", "handoffs", fmt.Sprintf("2026-03-01-new-%d.md", n))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("# Handoff\n\nDate: 2026-03-01\nStatus: in_progress\n\n## Next\n\n- step %d\n", n)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ownRemotes measures syncs of projects with remotes of their own.
func (t *teamBench) ownRemotes() {
	t.machine("own", filepath.Join(t.dir, "projects"))
	for i := range ownRemotes {
		name := fmt.Sprintf("project-%d", i)
		project := filepath.Join(t.dir, "projects", name)
		t.remote(name, project)
		for n := range ownHandoffs {
			t.write(project, n)
		}
		t.on("own", t.handex, "team", "share", "--yes", project)
		if i > 0 && i < ownRemotes-1 {
			continue
		}
		t.on("own", t.handex, "team", "sync")
		var empty, push []cost
		for n := range teamRuns {
			empty = append(empty, t.on("own", t.handex, "team", "sync"))
			t.write(project, 1000+n)
			push = append(push, t.on("own", t.handex, "team", "sync", "--push"))
		}
		t.report(fmt.Sprintf("empty sync of %d projects with remotes of their own", i+1), fmt.Sprintf("empty-%d-ms", i+1), empty...)
		t.report(fmt.Sprintf("push after one new handoff, %d projects with remotes of their own", i+1), fmt.Sprintf("push-%d-ms", i+1), push...)
	}
}

// searchBeside compares a search on a machine that shares with the same without a team.
func (t *teamBench) searchBeside() {
	t.machine("alone", t.tree)
	index := filepath.Join(t.dir, "index")
	t.on("alone", t.handex, "index", "--full", "--root", t.tree, "--index", index)
	times := map[string][]cost{}
	for range teamRuns * 5 {
		for _, name := range []string{"alone", "sharer"} {
			times[name] = append(times[name], t.on(name, t.handex, "search", "--root", t.tree, "--index", index, "--no-refresh", "session", "limit:20"))
		}
	}
	t.report("search without a team", "search-alone-ms", times["alone"]...)
	t.report("search with a team", "search-team-ms", times["sharer"]...)
}
