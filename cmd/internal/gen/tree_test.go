package gen_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/OWNER/handex/cmd/internal/gen"
	"github.com/OWNER/handex/index/testkit"
)

// golden is the digest of the 50 files of seed 7. It changes only when what is
// measured changes: figures from before and after cannot be compared.
const golden = "d965894d79d2995c3068bb68db9c116be5749be00e041f844b24807c174bccdf"

func TestTreeIsAFunctionOfSizeAndSeed(t *testing.T) {
	t.Parallel()
	first, again, other := tree(t, 48, 7), tree(t, 48, 7), tree(t, 48, 8)
	if got := digest(t, first); got != golden {
		t.Errorf("48 handoffs of seed 7 have digest %s, want %s", got, golden)
	}
	if digest(t, first) != digest(t, again) {
		t.Error("two trees of seed 7 differ")
	}
	if digest(t, first) == digest(t, other) {
		t.Error("the trees of seeds 7 and 8 are the same")
	}
}

func TestTreeRefusesToOverwrite(t *testing.T) {
	t.Parallel()
	dir := tree(t, 5, 1)
	if _, err := gen.Tree(dir, 5, 1); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second tree in one folder: %v, want an error that is fs.ErrExist", err)
	}
}

// A large tree has what is common and what is rare, and tells their shares.
func TestLargeTree(t *testing.T) {
	t.Parallel()
	n := testkit.Rounds(t, 1000, 10_000)
	files := contents(t, tree(t, n, 3))
	t.Run("sizes are log-normal", func(t *testing.T) { checkSizes(t, files) })
	t.Run("machine formats are well formed", func(t *testing.T) { checkFormats(t, files, n) })
	t.Run("words have their shares", func(t *testing.T) { checkShares(t, files, n) })
}

func checkShares(t *testing.T, files map[string]string, n int) {
	t.Helper()
	handoffs := joined(files)
	if len(handoffs) != n {
		t.Fatalf("%d handoffs, want %d", len(handoffs), n)
	}
	for path, text := range handoffs {
		handoffs[path] = strings.ToLower(text)
	}
	for _, c := range []struct {
		share float64
		words []string
	}{
		{gen.ShareRare, []string{"zqrare"}},
		{gen.ShareMedium, []string{"qmedium"}},
		{gen.ShareCommon, []string{"session"}},
		{gen.SharePair, []string{"migration", "rollback"}},
		{gen.SharePhrase, []string{"token expiry"}},
		{gen.ShareEscalated, []string{"human review needed"}},
		{0.999, []string{"the"}},
	} {
		var found int
		for _, text := range handoffs {
			if !slices.ContainsFunc(c.words, func(w string) bool { return !holds(text, w) }) {
				found++
			}
		}
		if want := c.share * float64(n); math.Abs(float64(found)-want) > max(want/10, 1) {
			t.Errorf("%q stand in %d handoffs, want %.0f", c.words, found, want)
		}
	}
}

func checkSizes(t *testing.T, files map[string]string) {
	t.Helper()
	var sizes []int
	for _, text := range joined(files) {
		sizes = append(sizes, len(text))
	}
	slices.Sort(sizes)
	for _, c := range []struct{ percent, want int }{{10, 1800}, {50, 4217}, {90, 9500}, {100, 31_000}} {
		got := sizes[(len(sizes)-1)*c.percent/100]
		if math.Abs(float64(got-c.want)) > float64(c.want)/10 {
			t.Errorf("the %d%% size is %d bytes, want %d", c.percent, got, c.want)
		}
	}
}

func checkFormats(t *testing.T, files map[string]string, n int) {
	t.Helper()
	seen := map[string]int{}
	for path, text := range files {
		seen[filepath.Ext(path)]++
		var err error
		switch filepath.Ext(path) {
		case ".yaml":
			err = yaml.Unmarshal([]byte(text), &map[string]any{})
		case ".xml":
			err = readXML(text)
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	want := map[string]int{".md": 750, ".yaml": 150, ".xml": 150}
	for ext, each := range want {
		if all := each * n / 1000; math.Abs(float64(seen[ext]-all)) > float64(all)/10 {
			t.Errorf("%d files end in %s, want about %d", seen[ext], ext, all)
		}
	}
}

func TestStatsCountTheTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got, err := gen.Tree(dir, 300, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := gen.Stats{Handoffs: 300}
	walk(t, dir, func(path string, d fs.DirEntry) {
		switch info, err := d.Info(); {
		case err != nil:
			t.Error(err)
		case d.Name() == ".git":
			want.Projects++
		case !d.IsDir():
			want.Bytes += info.Size()
			if strings.HasSuffix(path, ".md") {
				want.Markdown += info.Size()
			}
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// holds reports whether the text holds the phrase as whole words, where an
// underscore is part of a word.
func holds(text, phrase string) bool {
	for {
		before, after, found := strings.Cut(text, phrase)
		if !found {
			return false
		}
		if !endsInWord(before) && !beginsInWord(after) {
			return true
		}
		text = after
	}
}

func endsInWord(s string) bool   { return s != "" && isWord(s[len(s)-1]) }
func beginsInWord(s string) bool { return s != "" && isWord(s[0]) }
func isWord(b byte) bool         { return b == '_' || 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

func tree(t *testing.T, n int, seed uint64) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := gen.Tree(dir, n, seed); err != nil {
		t.Fatal(err)
	}
	return dir
}

// joined puts each discussion's text behind its manifest's: the two are one
// handoff.
func joined(files map[string]string) map[string]string {
	out := map[string]string{}
	for path, text := range files {
		if dir := filepath.Dir(path); filepath.Base(dir) == "discussion" {
			path = filepath.Join(filepath.Dir(dir), "meta", "handoff.yaml")
			text = "\n" + text
		}
		out[path] += text
	}
	return out
}

// contents returns each file's text by its path.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	walk(t, dir, func(path string, d fs.DirEntry) {
		if d.IsDir() {
			return
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = string(text)
	})
	if len(out) == 0 {
		t.Fatal("the tree is empty")
	}
	return out
}

// digest covers the paths, the times and the bytes of all files.
func digest(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	walk(t, dir, func(path string, d fs.DirEntry) {
		if d.IsDir() {
			return
		}
		info, err := d.Info()
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(fmt.Appendf(nil, "%s %d %d\n%s\n", filepath.ToSlash(rel), info.ModTime().Unix(), len(text), text))
	})
	return hex.EncodeToString(sum.Sum(nil))
}

func walk(t *testing.T, dir string, visit func(string, fs.DirEntry)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			visit(path, d)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readXML(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
