package index_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A variant is the program with a change that only a test makes.
type variant struct {
	file, old, new string // a file from the module's top, and what is replaced in it
}

var (
	// pinned runs all that package index does in order on one thread: strace
	// counts system calls by thread.
	pinned = variant{"cmd/handex/main.go", "func main() {\n", "func main() {\n\truntime.LockOSThread()\n"}
	// pinnedImport is what pinned needs.
	pinnedImport = variant{"cmd/handex/main.go", "\t\"os\"\n", "\t\"os\"\n\t\"runtime\"\n"}
)

var built struct {
	sync.Mutex
	programs map[string]string
	dir      string
}

// TestMain gives random tests the same values in every run, so that none fails
// by chance; with HANDEX_FAULTS, as in make faults, they draw new ones. At the
// end it removes what the tests built.
func TestMain(m *testing.M) {
	if os.Getenv("HANDEX_FAULTS") == "" {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			panic(err)
		}
	}
	status := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(status)
}

// program builds the real program with some changes, once each.
func program(t *testing.T, changes ...variant) string {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is needed to build the program")
	}
	built.Lock()
	defer built.Unlock()
	key := fmt.Sprint(changes)
	if path := built.programs[key]; path != "" {
		return path
	}
	if built.dir == "" {
		if built.dir, err = os.MkdirTemp("", "handex-faults-"); err != nil { //nolint:usetesting // outlives the test
			t.Fatal(err)
		}
		built.programs = map[string]string{}
	}
	path := filepath.Join(built.dir, fmt.Sprintf("handex%d", len(built.programs)))
	cmd := exec.CommandContext(t.Context(), goTool, "build", "-buildvcs=false", "-overlay", overlay(t, path, changes), "-o", path, "handex/cmd/handex")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	built.programs[key] = path
	return path
}

// overlay writes the changed files and the list of them that go build takes.
func overlay(t *testing.T, prefix string, changes []variant) string {
	t.Helper()
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	replace, texts := map[string]string{}, map[string]string{}
	for _, c := range changes {
		file := filepath.Join(top, c.file)
		text, ok := texts[file]
		if !ok {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		if strings.Count(text, c.old) != 1 {
			t.Fatalf("%s holds %q %d times, want once", c.file, c.old, strings.Count(text, c.old))
		}
		texts[file] = strings.Replace(text, c.old, c.new, 1)
	}
	for file, text := range texts {
		replace[file] = prefix + "-" + filepath.Base(file)
		if err := os.WriteFile(replace[file], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(prefix+".json", list, 0o600); err != nil {
		t.Fatal(err)
	}
	return prefix + ".json"
}
