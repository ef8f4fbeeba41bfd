package cli_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tailscale/hujson"

	"github.com/OWNER/handex/cmd/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"handex": handex})
}

// handex is main of the command.
func handex() {
	os.Exit(cli.Main(cli.Interruptible(), os.Args[1:], cli.OS(time.Now)))
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update,
		RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: setup,
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Getuid() == 0, nil
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"mode": mode, "mtime": mtime, "runs": runs, "snippets": snippets, "scrub": scrub, "swap": swap, "until": until},
	})
}

// setup gives every script the same surroundings: a home, a clock that stands
// still, and in $WORK/code the projects of testdata/tree, as old as they say.
func setup(env *testscript.Env) error {
	code := filepath.Join(env.WorkDir, "code")
	home := filepath.Join(env.WorkDir, "home")
	for key, value := range map[string]string{
		"HOME": home, "TZ": "UTC", "HANDEX_NOW": "2026-02-10T12:00:00Z", "HANDEX_ROOTS": code,
		"XDG_CONFIG_HOME": filepath.Join(home, ".config"), "XDG_CACHE_HOME": filepath.Join(home, ".cache"),
		"XDG_STATE_HOME": filepath.Join(home, ".local", "state"), "CODE": code, "COLUMNS": "", "NO_COLOR": "",
	} {
		env.Setenv(key, value)
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	if err := os.CopyFS(code, os.DirFS("testdata/tree")); err != nil {
		return err
	}
	projects, err := filepath.Glob(filepath.Join(code, "*"))
	if err != nil || len(projects) < 4 {
		return os.ErrNotExist
	}
	for _, project := range projects {
		if err := os.MkdirAll(filepath.Join(project, ".git"), 0o700); err != nil {
			return err
		}
	}
	return age(code)
}

// age makes every file of a tree as old as its name says, or else a week older
// than the clock.
func age(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		at := time.Date(2026, time.February, 3, 12, 0, 0, 0, time.UTC)
		if day, err := time.Parse(time.DateOnly, d.Name()[:min(len(d.Name()), len(time.DateOnly))]); err == nil {
			at = day.Add(18 * time.Hour)
		}
		return os.Chtimes(path, at, at)
	})
}

// scrub [stdout|stderr] writes that output to the file out, with what differs
// from run to run replaced: ids by h_1, h_2 ... as they come, the work folder by
// $WORK, sizes by N.
func scrub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: scrub stdout|stderr")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), ts.Getenv("WORK"), "$WORK")
	text = size.ReplaceAllString(text, "${1}N")
	seen := map[string]string{}
	text = publicID.ReplaceAllStringFunc(text, func(id string) string {
		if seen[id] == "" {
			seen[id] = "h_" + strconv.Itoa(len(seen)+1)
		}
		return seen[id]
	})
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(text), 0o600))
}

var size = regexp.MustCompile(`(\(|"bytes":|"index_schema":|/index-v|"zone":"UTC )[0-9a-f]+`)

var publicID = regexp.MustCompile(`h_[0-9a-f]{12}`)

// until PATTERN PROGRAM ARGS... runs a program until its output matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until pattern program args...")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ts.Exec(args[1], args[2:]...) == nil && pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("in 20 s no %s", pattern)
}

// runs FILE EVENT writes to the file command.sh what an agent of these settings
// gives to sh at an event: the last command, as entries are added at the end.
func runs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: runs file event")
	}
	text, err := hujson.Standardize([]byte(strings.TrimPrefix(ts.ReadFile(args[0]), "\ufeff")))
	ts.Check(err)
	type handler struct {
		Command string
		Hooks   []struct{ Command string }
	}
	var settings struct{ Hooks map[string][]handler }
	ts.Check(json.Unmarshal(text, &settings))
	command := ""
	for _, h := range settings.Hooks[args[1]] {
		command = h.Command
		for _, inner := range h.Hooks {
			command = inner.Command
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs("command.sh"), []byte(command+"\n"), 0o600))
}

// snippets FILE... writes each block of code in files of docs to the folder snippets,
// named after the heading above it and its language.
func snippets(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: snippets file...")
	}
	ts.Check(os.Mkdir(ts.MkAbs("snippets"), 0o700))
	for _, page := range args {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", page))
		ts.Check(err)
		writeSnippets(ts, string(text))
	}
}

func writeSnippets(ts *testscript.TestScript, text string) {
	heading, name, block := "", "", ""
	for line := range strings.Lines(text) {
		lang, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && name == "":
			name, block = heading+"."+strings.TrimSpace(lang), ""
		case fence:
			if _, err := os.Stat(ts.MkAbs("snippets/" + name)); err == nil {
				ts.Fatalf("two blocks %s", name)
			}
			ts.Check(os.WriteFile(ts.MkAbs("snippets/"+name), []byte(block), 0o600))
			name = ""
		case name != "":
			block += line
		case strings.HasPrefix(line, "#"):
			heading = strings.ReplaceAll(strings.ToLower(strings.Trim(line, "# \n")), " ", "-")
		}
	}
}

// mode FILE BITS checks who may do what with a file.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode file bits")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] {
		ts.Fatalf("%s has %s, not %s", args[0], got, args[1])
	}
}

// mtime FILE TIME sets when a file was changed.
func mtime(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mtime file time")
	}
	at, err := time.Parse(time.RFC3339, args[1])
	ts.Check(err)
	ts.Check(os.Chtimes(ts.MkAbs(args[0]), at, at))
}

// swap OLD NEW puts one text in the place of another of the same length wherever
// the index in use holds it, as a disk that forgets would.
func swap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 || len(args[0]) != len(args[1]) {
		ts.Fatalf("usage: swap old new, of the same length")
	}
	paths, err := filepath.Glob(filepath.Join(ts.Getenv("XDG_CACHE_HOME"), "handex", "index-*.db"))
	ts.Check(err)
	if len(paths) != 1 {
		ts.Fatalf("%d indexes", len(paths))
	}
	old := ts.ReadFile(paths[0])
	if !strings.Contains(old, args[0]) {
		ts.Fatalf("%q is not in the index", args[0])
	}
	ts.Check(os.WriteFile(paths[0], []byte(strings.ReplaceAll(old, args[0], args[1])), 0o600))
}
