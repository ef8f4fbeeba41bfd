package brief_test

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"handex/cmd/internal/brief"
	"handex/index"
	"handex/parse"
)

// A pair are two handoffs of one folder that follow each other, and all of the
// folder up to the first.
type pair struct {
	folder string
	before []datedFile // oldest first; the last is the one before next
	next   datedFile
}

type datedFile struct {
	path string
	text []byte
	date time.Time
	done string
}

// pairs lists those below a folder of handoffs. Every second folder can be held
// out: half says which half is wanted, 0 both.
func pairs(tb testing.TB, root string, half int) []pair {
	tb.Helper()
	folders := map[string][]datedFile{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if f, ok := readDated(path); ok {
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], f)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	var list []pair
	for _, folder := range sortedKeys(folders) {
		files := folders[folder]
		slices.SortFunc(files, func(a, b datedFile) int {
			return cmp.Or(a.date.Compare(b.date), strings.Compare(a.path, b.path))
		})
		for i := range len(files) - 1 {
			follows := files[i].date.Before(files[i+1].date)
			if follows && len(distinctive(files[i+1].done)) > 0 && (half == 0 || inHalf(folder) == half) {
				list = append(list, pair{folder, files[max(i-15, 0) : i+1], files[i+1]})
			}
		}
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func inHalf(folder string) int {
	sum := 0
	for _, c := range []byte(folder) {
		sum += int(c)
	}
	return sum%2 + 1
}

func readDated(path string) (datedFile, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return datedFile{}, false
	}
	docs := parse.Parse(parse.Source{Path: filepath.ToSlash(path), Bytes: text})
	if len(docs) != 1 || docs[0].Date.Source == "mtime" || docs[0].Date.Source == "" {
		return datedFile{}, false
	}
	d := docs[0]
	var done strings.Builder
	for _, s := range d.Sections {
		if s.Kind == parse.Done {
			done.WriteString(s.Heading + "\n" + s.Body + "\n")
		}
	}
	return datedFile{path, text, d.Date.Time, done.String()}, true
}

var wordPattern = regexp.MustCompile(`[\p{L}\p{N}_][\p{L}\p{N}_./-]*`)

// distinctive are the words of a text that tell what it is about: five letters
// or more, paths and identifiers, no stop words.
func distinctive(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range wordPattern.FindAllString(strings.ToLower(text), -1) {
		w = strings.Trim(w, "./-_")
		if utf8.RuneCountInString(w) < 5 && !strings.ContainsAny(w, "_/.") || stopWords[w] {
			continue
		}
		words[w] = true
	}
	return words
}

var stopWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`about above after again against because before being below between cannot could doing during
		each further having herself himself itself other ought ourselves should their theirs them themselves there these they this those
		through under until where which while would yourself with without within added adding updated update updates created create
		fixed fixes using based since still first second every never always still files there's session handoff`) {
		m[w] = true
	}
	return m
}()

func foreseen(done map[string]bool, told string) float64 {
	have := distinctive(told)
	n := 0
	for w := range done {
		if have[w] {
			n++
		}
	}
	return float64(n) / float64(len(done))
}

// replay indexes the files before the next and briefs.
func replay(tb testing.TB, p pair, budget brief.Budget) string {
	tb.Helper()
	dir := tb.TempDir()
	root := filepath.Join(dir, "project")
	place := filepath.Join(root, "docs", "handoffs")
	if err := os.MkdirAll(place, 0o700); err != nil {
		tb.Fatal(err)
	}
	for _, f := range p.before {
		to := filepath.Join(place, filepath.Base(f.path))
		if err := os.WriteFile(to, f.text, 0o600); err != nil {
			tb.Fatal(err)
		}
		_ = os.Chtimes(to, f.date, f.date)
	}
	now := p.next.date
	ctx := context.Background()
	s, err := index.Open(ctx, index.Options{Dir: filepath.Join(dir, "index"), Now: func() time.Time { return now }})
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := s.Refresh(ctx, []index.Root{{Path: root, Include: []string{"**"}}}, index.RefreshOptions{}); err != nil {
		tb.Fatal(err)
	}
	f, err := brief.Gather(ctx, s, root, brief.Options{Getenv: func(string) string { return "" }})
	if err != nil {
		tb.Fatal(err)
	}
	b := brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: budget, Now: now})
	if b == nil {
		return ""
	}
	return brief.Plain.Write(b)
}

// BenchmarkForesight tells how much of what a session did the briefing before it
// held, beside what the head and the whole of the handoff before held. It needs
// HANDEX_CORPUS, a folder of real handoffs; HANDEX_HALF=1 or 2 takes half of its
// folders, so that what is tuned on one can be tried on the other.
func BenchmarkForesight(b *testing.B) {
	corpus := os.Getenv("HANDEX_CORPUS")
	if corpus == "" {
		b.Skip("HANDEX_CORPUS names no folder of handoffs")
	}
	half := strings.Index("012", cmp.Or(os.Getenv("HANDEX_HALF"), "0"))
	list := pairs(b, corpus, half)
	if len(list) == 0 {
		b.Fatal("there is no pair of dated handoffs")
	}
	for b.Loop() {
		var told, head, whole, size float64
		for _, p := range list {
			done := distinctive(p.next.done)
			before := string(p.before[len(p.before)-1].text)
			text := replay(b, p, brief.Budget{N: 2000, Unit: 'c'})
			told += foreseen(done, text)
			size += float64(utf8.RuneCountInString(text))
			runes := []rune(before)
			head += foreseen(done, string(runes[:min(len(runes), 2000)]))
			whole += foreseen(done, before)
		}
		n := float64(len(list))
		b.ReportMetric(n, "pairs")
		b.ReportMetric(told/n, "brief")
		b.ReportMetric(head/n, "head")
		b.ReportMetric(whole/n, "whole")
		b.ReportMetric(size/n, "chars")
		b.ReportMetric(0, "ns/op")
	}
}
