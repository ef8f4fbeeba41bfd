package main_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"handex/cmd/internal/gen"
	"handex/index"
	"handex/query"
)

// BenchmarkForms searches a generated tree by every form a query can have, in
// one process. HANDEX_BENCH_N is how many handoffs it has (10,000), and
// HANDEX_BENCH_DIR keeps the tree and its index for the next time. cpu-ms is
// the processor time of a search, which says more than ns on a busy machine:
//
//	go test ./cmd/handex-bench -run '^$' -bench Forms -benchtime 20x
func BenchmarkForms(b *testing.B) {
	store, tree := formsIndex(b)
	for _, f := range forms(b, store, tree) {
		b.Run(f.name, func(b *testing.B) {
			f.run(b) // warm
			start := processorTime(b)
			for b.Loop() {
				f.run(b)
			}
			b.ReportMetric((processorTime(b)-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// A form is a way to ask.
type form struct {
	name string
	run  func(*testing.B)
}

// benchNow is behind the newest handoff of a generated tree.
var benchNow = time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)

func forms(b *testing.B, store *index.Store, tree string) []form {
	b.Helper()
	project := someProject(b, tree)
	list := []form{
		{"count common", func(b *testing.B) { count(b, store, "session") }},
		{"latest of a project", func(b *testing.B) {
			if found, err := store.Latest(b.Context(), project); err != nil || len(found) == 0 {
				b.Fatal(found, err)
			}
		}},
		{"without snippets, common", func(b *testing.B) { search(b, store, "session", index.SearchOptions{NoSnippets: true}) }},
	}
	for _, q := range []struct{ name, text string }{
		{"rare", "zqrare"},
		{"1 percent", "qmedium"},
		{"common", "session"},
		{"the", "the"},
		{"and of 2", "migration rollback"},
		{"phrase", `"token expiry"`},
		{"near", "token NEAR/3 expiry"},
		{"prefix", "migr*"},
		{"prefix of 2", "th*"},
		{"project", "project:" + filepath.Base(project)},
		{"project and common", "session project:" + filepath.Base(project)},
		{"status", "status:blocked"},
		{"status and common", "session status:blocked"},
		{"status, 2 and common", "session status:blocked,completed"},
		{"format and common", "session format:company"},
		{"30 days and common", "session since:30d"},
		{"old date and common", "session date:2025-04"},
		{"latest per project", "latest-per:project"},
		{"latest per project and common", "session latest-per:project"},
		{"escalations", "is:escalated"},
		{"substring, rare", "*qrar*"},
		{"substring, 1 percent", "*medi*"},
		{"substring, common", "*essio*"},
		{"substring, many words", "*a1b*"},
		{"substring, nowhere", "*zzqqzz*"},
		{"regex, rare", "/zq[a-z]+re/"},
		{"regex, common", "/sess.on/"},
		{"regex, a word in it", "/token exp[a-z]+y/"},
		{"CJK, 1 character", "日"},
		{"signs", "§§"},
	} {
		list = append(list,
			form{q.name, func(b *testing.B) { search(b, store, q.text, index.SearchOptions{}) }},
			form{q.name + ", ranked", func(b *testing.B) { search(b, store, q.text+" sort:relevance", index.SearchOptions{}) }})
	}
	return list
}

func search(b *testing.B, store *index.Store, text string, o index.SearchOptions) {
	b.Helper()
	if _, err := store.Search(b.Context(), parseQuery(b, store, text+" limit:20"), o); err != nil {
		b.Fatal(err)
	}
}

func count(b *testing.B, store *index.Store, text string) {
	b.Helper()
	if _, err := store.Count(b.Context(), parseQuery(b, store, text), index.SearchOptions{}); err != nil {
		b.Fatal(err)
	}
}

func parseQuery(b *testing.B, store *index.Store, text string) *query.Query {
	b.Helper()
	q, err := query.Parse(text, query.Env{Now: benchNow, Zone: time.UTC, Lexicon: store.Lexicon(b.Context())})
	if err != nil {
		b.Fatal(err)
	}
	return q
}

// formsIndex is an index of a generated tree, made unless it is there.
func formsIndex(b *testing.B) (store *index.Store, tree string) {
	b.Helper()
	n, dir := 10_000, os.Getenv("HANDEX_BENCH_DIR")
	if s := os.Getenv("HANDEX_BENCH_N"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	if dir == "" {
		dir = b.TempDir()
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		b.Fatal(err)
	}
	tree = filepath.Join(dir, fmt.Sprintf("tree-%d", n))
	if _, err := os.Stat(tree); err != nil {
		if _, err := gen.Tree(tree, n, 1); err != nil {
			b.Fatal(err)
		}
	}
	if tree, err = filepath.EvalSymlinks(tree); err != nil {
		b.Fatal(err)
	}
	store, err = index.Open(b.Context(), index.Options{Dir: filepath.Join(dir, fmt.Sprintf("index-%d", n)), Now: time.Now, Zone: time.UTC})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	report, err := store.Refresh(b.Context(), []index.Root{{Path: tree}}, index.RefreshOptions{})
	if err != nil || report.Handoffs != n {
		b.Fatalf("%d handoffs are indexed, not %d: %v", report.Handoffs, n, err)
	}
	return store, tree
}

// someProject is the first folder of the tree.
func someProject(b *testing.B, tree string) string {
	b.Helper()
	projects, err := fs.Glob(os.DirFS(tree), "*")
	if err != nil || len(projects) == 0 {
		b.Fatal("no projects", err)
	}
	return filepath.Join(tree, projects[0])
}
