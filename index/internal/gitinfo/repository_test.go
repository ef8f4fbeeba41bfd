package gitinfo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index/internal/gitinfo"
)

// Git names a further work tree by its whole path, or, where it is told to, relative to
// what it keeps of the work tree.
func TestFurtherWorkTrees(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	whole := filepath.Join(base, "whole")
	for name, mark := range map[string]string{
		"relative": "../../../../relative/.git\n", "whole": filepath.Join(whole, ".git") + "\n",
	} {
		private := filepath.Join(base, "main", ".git", "worktrees", name)
		if err := os.MkdirAll(private, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(private, "gitdir"), []byte(mark), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(base, "relative"), whole}
	if diff := cmp.Diff(want, gitinfo.FurtherWorkTrees(filepath.Join(base, "main"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
