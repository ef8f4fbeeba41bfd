package index_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// A knownItem is what a reader remembered of a file, and the hashes of the
// files it is true of: the one that was read, and others that say the same.
type knownItem struct {
	SHA256 string   `json:"sha256"`
	Also   []string `json:"also"`
	Kind   string   `json:"kind"` // short, specific or passage
	Query  string   `json:"query"`

	held bool // of the half that nothing is tuned on
}

// readKnownItems reads the queries. Those of every other file are held back.
func readKnownItems(b *testing.B) []knownItem {
	b.Helper()
	text, err := os.ReadFile("testdata/known_items.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var items []knownItem
	var files []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var item knownItem
		if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
			b.Fatal(err)
		}
		if !slices.Contains(files, item.SHA256) {
			files = append(files, item.SHA256)
		}
		item.held = slices.Index(files, item.SHA256)%2 == 1
		items = append(items, item)
	}
	if err := lines.Err(); err != nil || len(items) == 0 {
		b.Fatalf("%d queries: %v", len(items), err)
	}
	return items
}

// rank is the place of the first file that was meant, each file counted once;
// 0 for none.
func (k *knownItem) rank(places []place, sums map[string]string) int {
	seen := map[string]bool{}
	for _, p := range places {
		if seen[p.path] {
			continue
		}
		seen[p.path] = true
		if slices.ContainsFunc(append(p.versions, p.path), func(name string) bool {
			return sums[name] == k.SHA256 || slices.Contains(k.Also, sums[name])
		}) {
			return len(seen)
		}
	}
	return 0
}

// A place is a file in a list of what was found, and the ids of those that are shown with
// it as its versions.
type place struct {
	path     string
	versions []string
}

// A finder returns the files of the best handoffs for words, best first; one may come
// twice.
type finder func(ctx context.Context, words string) ([]place, error)

// BenchmarkKnownItems measures how well find finds what is half remembered, and
// plain FTS5 beside it. It needs the files that the queries are about: a folder
// of handoffs, named by HANDEX_CORPUS.
func BenchmarkKnownItems(b *testing.B) {
	corpus := os.Getenv("HANDEX_CORPUS")
	if corpus == "" {
		b.Skip("HANDEX_CORPUS names no folder of handoffs")
	}
	items := readKnownItems(b)
	h := newHouse(b)
	if _, err := h.Refresh(b.Context(), []index.Root{{Path: corpus, Include: []string{"**"}}}, index.RefreshOptions{}); err != nil {
		b.Fatal(err)
	}
	sums := h.sums(b)
	for _, side := range []struct {
		name string
		find finder
	}{{"plain", plainFinder(b, sums)}, {"find", h.rankedPaths}} {
		for _, half := range []string{"tuned", "held"} {
			for _, kind := range []string{"all", "short", "specific", "passage"} {
				some := slices.DeleteFunc(slices.Clone(items), func(i knownItem) bool {
					return i.held != (half == "held") || kind != "all" && kind != i.Kind
				})
				b.Run(side.name+"/"+half+"/"+kind, func(b *testing.B) { measureKnown(b, side.find, some, sums) })
			}
		}
	}
}

// measureKnown reports how high the files that were meant come: the mean of
// 1/rank up to rank 10, and how often they are first.
func measureKnown(b *testing.B, find finder, items []knownItem, sums map[string]string) {
	b.Helper()
	if len(items) == 0 {
		b.Fatal("no queries")
	}
	var reciprocal, first float64
	for b.Loop() {
		reciprocal, first = 0, 0
		for i := range items {
			places, err := find(b.Context(), items[i].Query)
			if err != nil {
				b.Fatal(err)
			}
			rank := items[i].rank(places, sums)
			if rank > 0 && rank <= 10 {
				reciprocal += 1 / float64(rank)
			}
			if rank == 1 {
				first++
			}
		}
	}
	n := float64(len(items))
	b.ReportMetric(reciprocal/n, "MRR@10")
	b.ReportMetric(first/n, "hit@1")
	b.ReportMetric(n, "queries")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N)/n, "ms/query")
	b.ReportMetric(0, "ns/op")
}

// sums returns the hashes of the indexed files by path, and by the ids of their handoffs.
func (h *house) sums(b *testing.B) map[string]string {
	b.Helper()
	sums := map[string]string{}
	for _, hit := range h.search("* limit:0").Hits {
		if sums[hit.Path] == "" {
			text, err := os.ReadFile(hit.Path)
			if err != nil {
				b.Fatal(err)
			}
			sum := sha256.Sum256(text)
			sums[hit.Path] = hex.EncodeToString(sum[:])
		}
		sums[hit.ID] = sums[hit.Path]
	}
	return sums
}

// rankedPaths is what handex find lists.
func (h *house) rankedPaths(ctx context.Context, words string) ([]place, error) {
	q, err := query.Find(words, query.Env{Now: h.now, Zone: h.zone})
	if err != nil {
		return nil, err
	}
	r, err := h.Search(ctx, q, index.SearchOptions{NoSnippets: true})
	if err != nil {
		return nil, err
	}
	places := make([]place, len(r.Hits))
	for i, hit := range r.Hits {
		places[i] = place{hit.Path, hit.Versions}
	}
	return places, nil
}

// plainFinder is what FTS5 finds without more ado: each file a row of one
// column, all words, and if fewer than 10 have them, any.
func plainFinder(b *testing.B, files map[string]string) finder {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "plain.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	run := func(text string, args ...any) {
		if _, err := db.ExecContext(b.Context(), text, args...); err != nil {
			b.Fatal(err)
		}
	}
	run("CREATE VIRTUAL TABLE plain USING fts5(path UNINDEXED, text, tokenize = 'unicode61'); BEGIN")
	for path := range files {
		if !filepath.IsAbs(path) { // an id
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		run("INSERT INTO plain VALUES (?, ?)", path, string(text))
	}
	run("COMMIT")
	return func(ctx context.Context, words string) ([]place, error) {
		var quoted []string
		for word := range strings.FieldsSeq(words) {
			quoted = append(quoted, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
		}
		paths, err := plainMatch(ctx, db, strings.Join(quoted, " AND "))
		if err != nil || len(paths) >= 10 {
			return paths, err
		}
		more, err := plainMatch(ctx, db, strings.Join(quoted, " OR "))
		return append(paths, more...), err
	}
}

func plainMatch(ctx context.Context, db *sql.DB, match string) ([]place, error) {
	rows, err := db.QueryContext(ctx, "SELECT path FROM plain WHERE plain MATCH ? ORDER BY bm25(plain), path LIMIT 50", match)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var paths []place
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.path); err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	return paths, rows.Err()
}
