package team

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/index"
)

// A listed is an Index that has some handoffs.
type listed struct {
	Index
	list []index.Summary
}

func (l listed) HandoffsOf(context.Context, string) ([]index.Summary, error) { return l.list, nil }

func TestWhatIsReadAgain(t *testing.T) {
	t.Parallel()
	const was, is = "nothing is secret here, but 1, 2 and 3\n", "password: hunter2hunter2hunter2 and 12\n"
	for _, tc := range []struct {
		name, text, rules, want string
		age                     time.Duration // of the file when it was read first
	}{
		{"as it was", was, redact.Rules(), was, time.Hour},
		{"other rules", was, "of another handex", is, time.Hour},
		{"too new", was, redact.Rules(), is, time.Second},
		{"masked before", "password: hunter3hunter2hunter2 and 12\n", redact.Rules(), is, time.Hour},
	} {
		root, now := t.TempDir(), time.Now()
		path := filepath.Join(root, "docs", "handoffs", "x.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		own := index.Summary{ID: "own", Path: path, Root: root}
		others := index.Summary{ID: "others", Path: filepath.Join(root, "mirror.md"), Root: root, Member: "bob@desk"}
		machine := func() *Team {
			return &Team{
				Dir: filepath.Join(root, "team"), Getenv: func(string) string { return "" },
				Now: func() time.Time { return now }, Index: listed{list: []index.Summary{own, others}},
			}
		}
		collect := func(m *Team, text string) entry {
			for _, file := range []string{others.Path, path} {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chtimes(path, now, now.Add(-tc.age)); err != nil {
				t.Fatal(err)
			}
			out, err := m.collect(t.Context(), Share{Root: root})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"docs/handoffs/x.md"}, out.Paths()); diff != "" {
				t.Fatalf("%s: what leaves (-want +got):\n%s", tc.name, diff)
			}
			return out.Files[0]
		}
		last := &manifest{Rules: tc.rules, Files: []entry{collect(machine(), tc.text)}}
		later := machine()
		later.remember(last)
		want, _ := redact.Text(tc.want)
		if got := collect(later, is); got.SHA256 != sumOf([]byte(want)) {
			t.Errorf("%s: another text is sent: %+v", tc.name, got)
		}
	}
}
