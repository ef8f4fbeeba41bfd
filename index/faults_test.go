package index_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/query"
)

// faultKinds are the ways in which an index is damaged.
var faultKinds = []struct {
	name   string
	damage func(r *rand.Rand, b []byte) []byte
}{
	{"flip", func(r *rand.Rand, b []byte) []byte {
		b[r.IntN(len(b))] ^= byte(1 << r.IntN(8))
		return b
	}},
	{"zero", func(r *rand.Rand, b []byte) []byte {
		at := r.IntN(len(b))
		clear(b[at:min(len(b), at+1+r.IntN(512))])
		return b
	}},
	{"truncate", func(r *rand.Rand, b []byte) []byte { return b[:r.IntN(len(b))] }},
	{"swap", func(r *rand.Rand, b []byte) []byte {
		x, y := pageOf(r, b), pageOf(r, b)
		other := slices.Clone(x)
		copy(x, y)
		copy(y, other)
		return b
	}},
	{"garbage", func(r *rand.Rand, b []byte) []byte {
		page := pageOf(r, b)
		for i := range page {
			page[i] = byte(r.Uint32())
		}
		return b
	}},
	{"foreign", func(r *rand.Rand, b []byte) []byte {
		// A page of another database of ours: whole, and of another time.
		from := pageOf(r, b)
		copy(pageOf(r, b), from)
		return b
	}},
}

// pageOf is a page of a database but the first.
func pageOf(r *rand.Rand, b []byte) []byte {
	size := int(b[16])<<8 | int(b[17])
	at := (1 + r.IntN(len(b)/size-1)) * size
	return b[at : at+size]
}

// A faulty is a house whose index is damaged again and again.
type faulty struct {
	*house
	path  string
	whole []byte
	ids   []string
	cards map[string]string   // by id
	want  map[string][]string // the answers of the whole index: a line each
}

func newFaulty(t *testing.T) *faulty {
	t.Helper()
	h := newHouse(t)
	words := []string{"token", "expiry", "login", "migration", "schema", "cache", "retry", "queue", "deploy", "session", "tests", "parser"}
	for i := range 36 {
		a, b, c := words[i%len(words)], words[(i*5+1)%len(words)], words[(i*7+2)%len(words)]
		text := note(fmt.Sprintf("2026-02-%02d", 1+i%28), fmt.Sprintf("%08x", 0x10203040*(i+1)), a+" "+b, "write the "+c+" and the "+a)
		if i%5 == 0 {
			text += "\n## Blockers\n\n- HUMAN REVIEW NEEDED: the " + c + " is not ours\n"
		}
		h.write(fmt.Sprintf(".claude/handoffs/-work-%c/%08x.md", 'a'+rune(i%4), i), text)
	}
	h.refresh()
	f := &faulty{house: h, path: filepath.Join(h.dir, generationName(1))}
	for _, hit := range h.search("* limit:0").Hits {
		f.ids = append(f.ids, hit.ID)
	}
	var err error
	if f.want, err = f.answers(t); err != nil || len(f.want) < 40 {
		t.Fatalf("%d answers, %v", len(f.want), err)
	}
	f.cards = map[string]string{}
	for _, row := range f.want["* limit:0"] {
		f.cards[handoffID(row)] = card(row)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if f.whole, err = os.ReadFile(f.path); err != nil {
		t.Fatal(err)
	}
	return f
}

// answers asks everything the program asks of an index. The error is the first.
func (f *faulty) answers(t *testing.T) (map[string][]string, error) {
	t.Helper()
	all := map[string][]string{}
	for _, text := range []string{
		"* limit:0", "token", `"write the schema"`, "migr*", "is:open", "is:escalated", "next:cache", "status:completed",
		"token OR queue", "login !deploy", "date:>2026-02-10", "is:blocked sort:date-asc", "session:1",
	} {
		q, err := query.Parse(text, query.Env{Now: f.now, Zone: f.zone})
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Search(t.Context(), q, index.SearchOptions{})
		if err != nil {
			return nil, err
		}
		for _, hit := range r.Hits {
			hit.Score = 0
			all[text] = append(all[text], asJSON(t, hit))
		}
	}
	for _, id := range f.ids {
		h, err := f.Load(t.Context(), id)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all[id] = []string{asJSON(t, h)}
	}
	for _, dir := range []string{"/code/a", "/code/b"} {
		list, err := f.Latest(t.Context(), dir)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			all[dir] = append(all[dir], asJSON(t, s))
		}
	}
	return all, nil
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A verdict is how a damaged index has answered.
type verdict string

const (
	harmless verdict = "harmless" // as the whole one
	detected verdict = "detected" // it was told, and the new index answers right
	refused  verdict = "refused"  // it was told, and the file was left alone
	lacking  verdict = "lacking"  // right rows, but not just those; a check finds out
)

// try answers everything from a damaged index.
func (f *faulty) try(t *testing.T, b []byte) verdict {
	t.Helper()
	if err := os.RemoveAll(f.dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{pointerName: []byte(generationName(1) + "\n"), generationName(1): b} {
		if err := os.WriteFile(filepath.Join(f.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f.reopen()
	defer func() { _ = f.Close() }()
	got, err := f.answers(t)
	switch {
	case errors.Is(err, index.ErrForeign):
		return refused
	case errors.Is(err, index.ErrCorrupt):
		return f.mended(t, err)
	case err != nil:
		t.Errorf("an error that does not tell of damage: %v", err)
	}
	return f.judge(t, got)
}

// mended is the verdict on a new index in the place of the damaged one.
func (f *faulty) mended(t *testing.T, cause error) verdict {
	t.Helper()
	_ = f.Reopen()
	if _, err := f.Mend(t.Context(), f.roots(), index.RefreshOptions{}, cause); err != nil {
		t.Errorf("%v; and mending: %v", cause, err)
	}
	if notices := f.Notices(); len(notices) == 0 {
		t.Error("nobody was told")
	}
	got, err := f.answers(t)
	if diff := cmp.Diff(f.want, got); err != nil || diff != "" {
		t.Errorf("the new index: %v (-want +got):\n%s", err, diff)
	}
	return detected
}

// judge compares answers that came without an error. What is shown of a handoff
// must be right; a list may lack some, or have one that does not belong there,
// if a check tells.
func (f *faulty) judge(t *testing.T, got map[string][]string) verdict {
	t.Helper()
	v := harmless
	for question, want := range f.want {
		if slices.Equal(want, got[question]) {
			continue
		}
		v = lacking
		for _, row := range got[question] {
			if !slices.Contains(want, row) && (slices.ContainsFunc(want, sameID(row)) || card(row) != f.cards[handoffID(row)]) {
				t.Fatalf("%s: a row that never was:\n%s\nof %q", question, row, want)
			}
		}
	}
	if v == harmless {
		return v
	}
	if faults, err := f.Check(t.Context()); err != nil || len(faults) == 0 {
		for question, want := range f.want {
			if !slices.Equal(want, got[question]) {
				t.Fatalf("a check finds nothing (%v), and %s has %d rows, not %d", err, question, len(got[question]), len(want))
			}
		}
	}
	return v
}

func handoffID(row string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(row, `{"ID":"`), `"`)
	return id
}

func sameID(row string) func(string) bool {
	id := handoffID(row)
	return func(other string) bool { return handoffID(other) == id }
}

// card is what every listing shows of a row.
func card(row string) string {
	text, _, _ := strings.Cut(row, `],"S`)
	return strings.TrimSuffix(text, "]}")
}

// A damaged index never answers with a row that is not so: it tells, and a new
// one takes its place.
func TestFaults(t *testing.T) {
	t.Parallel()
	n := testkit.Rounds(t, 24, 10_000) // four of each kind
	f := newFaulty(t)
	if v := f.try(t, slices.Clone(f.whole)); v != harmless {
		t.Fatalf("the whole index is %s", v)
	}
	counts := map[string]map[verdict]int{}
	for i := range n {
		kind := faultKinds[i%len(faultKinds)]
		if counts[kind.name] == nil {
			counts[kind.name] = map[verdict]int{}
		}
		t.Run(fmt.Sprintf("%s-%d", kind.name, i), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			counts[kind.name][f.try(t, kind.damage(r, slices.Clone(f.whole)))]++
		})
	}
	for _, kind := range faultKinds {
		t.Logf("%-9s %v", kind.name, counts[kind.name])
	}
}
