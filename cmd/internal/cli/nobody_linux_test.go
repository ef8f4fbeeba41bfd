package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// No rights keep root out, so root has nobody run the script about rights, too.
func TestHooksAsNobody(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("TestScripts is not run by root already")
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "handex-nobody-") //nolint:usetesting // t.TempDir is root's alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	script := filepath.Join("testdata", "script", "hooks-files.txtar")
	tests := filepath.Join(dir, "cli.test")
	err = errors.Join(
		os.MkdirAll(filepath.Join(dir, filepath.Dir(script)), 0o755), os.CopyFS(filepath.Join(dir, "testdata", "tree"), os.DirFS("testdata/tree")),
		copyFile(script, filepath.Join(dir, script)), copyFile(os.Args[0], tests),
		os.Chown(dir, nobody, nobody), os.Chmod(dir, 0o755), //nolint:gosec // nobody has to run it
	)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), tests, "-test.run=^TestScripts$/^hooks-files$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir, "GOTMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		t.Skipf("nobody cannot run tests here: %v", err)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case !strings.Contains(string(out), "--- PASS: TestScripts/hooks-files"), !strings.Contains(string(out), "dotfiles/claude cannot be written to"):
		t.Fatalf("it did not run:\n%s", out)
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}
