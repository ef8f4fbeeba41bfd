package main_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/gen"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
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
			run := func() {
				if err := f.run(); err != nil {
					b.Fatal(err)
				}
			}
			run() // warm
			start := processorTime(b)
			for b.Loop() {
				run()
			}
			b.ReportMetric((processorTime(b)-start).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// A form is a way to ask.
type form struct {
	name string
	run  func() error
}

// benchNow is behind the newest handoff of a generated tree.
var benchNow = time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)

// asked are the queries by the names of their forms; those of names with a
// star are asked by relevance too.
var asked = [][2]string{
	{"rare*", "zqrare"},
	{"1 percent*", "qmedium"},
	{"common*", "session"},
	{"the*", "the"},
	{"and of 2*", "migration rollback"},
	{"phrase*", `"token expiry"`},
	{"near", "token NEAR/3 expiry"},
	{"prefix", "migr*"},
	{"prefix of 2", "th*"},
	{"project", "project:PROJECT"},
	{"project and common*", "session project:PROJECT"},
	{"status and common*", "session status:blocked"},
	{"status of 2 and common*", "session status:sent,pending"},
	{"format and common*", "session format:company"},
	{"30 days and common*", "session since:30d"},
	{"old date and common*", "session date:2025-04"},
	{"latest per project", "latest-per:project"},
	{"latest per project and common", "session latest-per:project"},
	{"escalations", "is:escalated"},
	{"substring rare", "*qrar*"},
	{"substring 1 percent", "*medi*"},
	{"substring common", "*essio*"},
	{"substring many words", "*a1b*"},
	{"substring nowhere", "*zzqqzz*"},
	{"regex rare", "/zq[a-z]+re/"},
	{"regex common", "/sess.on/"},
	{"regex phrase", "/token exp[a-z]+y/"},
	{"CJK 1 character", "日"},
	{"signs", "§§"},
}

func forms(b *testing.B, store *index.Store, tree string) []form {
	b.Helper()
	project := someProject(b, tree)
	search := func(text string, o index.SearchOptions) error {
		q, err := parseQuery(text)
		if err == nil {
			_, err = store.Search(b.Context(), q, o)
		}
		return err
	}
	list := []form{
		{"common without snippets", func() error { return search("session", index.SearchOptions{NoSnippets: true}) }},
		{"common counted", func() error {
			q, err := parseQuery("session")
			if err == nil {
				_, err = store.Count(b.Context(), q, index.SearchOptions{})
			}
			return err
		}},
		{"latest of a project", func() error {
			found, err := store.Latest(b.Context(), project)
			if err == nil && len(found) == 0 {
				return errors.New("none found")
			}
			return err
		}},
	}
	for _, a := range asked {
		name, ranked := strings.CutSuffix(a[0], "*")
		text := strings.ReplaceAll(a[1], "PROJECT", filepath.Base(project)) + " limit:20"
		list = append(list, form{name, func() error { return search(text, index.SearchOptions{}) }})
		if ranked {
			list = append(list, form{name + " ranked", func() error { return search(text+" sort:relevance", index.SearchOptions{}) }})
		}
	}
	return list
}

func parseQuery(text string) (*query.Query, error) {
	return query.Parse(text, query.Env{Now: benchNow, Zone: time.UTC})
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
