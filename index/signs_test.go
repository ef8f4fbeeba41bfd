package index_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// TestSignMarks holds what is marked of a text.
func TestSignMarks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain words":      "",
		"a - b":            "",
		"a->b":             "x0g2d3e",
		"x := (y)":         "x0g3a3d",
		"§ 4 -> §§ —":      "x0c2014 x0ca7 x0g2d3e",
		"日本語のメモ":           "",
		"\x01\x02":         "x0g0102",
		"Ⓐ ⓐ":              "x0c24d0",
		"-§-":              "x0ca7",
		"``x``, ---\n\t**": "x0g2a2a x0g2d2d x0g602c x0g6060",
	} {
		if got := index.SignsOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var many strings.Builder
	for r := rune(0x2190); many.Len() < 3*257; r++ {
		fmt.Fprintf(&many, "%c", r)
	}
	if got := index.SignsOf(many.String()); got != "x0cmany" {
		t.Errorf("257 signs: %q", got)
	}
}

// TestSignsAreFound compares the handoffs that signs are found in with those that
// hold them, of texts with few signs, and with very many.
func TestSignsAreFound(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const pool = "-> §Ⓐⓐ—×\u00a0*a日"
	var texts []string
	for i := range 60 {
		text := rapid.StringOfN(rapid.SampledFrom([]rune(pool)), 1, 12, -1).Example(i)
		if i == 30 {
			for r := rune(0x2200); r < 0x2400; r++ {
				text += string(r)
			}
		}
		texts = append(texts, strings.TrimSpace(text))
		h.write(fmt.Sprintf(".claude/handoffs/-work-shop/%08x.md", i), note("2026-02-01", fmt.Sprintf("%08x", i), "login", "x"+text+"x"))
	}
	h.refresh()
	for _, sign := range []string{"§", "§§", "->", "—×", "ⓐ", "Ⓐ", "->>", ">§", "→", "∀", "× §", "--"} {
		q := fmt.Sprintf(`next:%q limit:0 case:no`, sign)
		var want int
		for _, text := range texts {
			if strings.Contains(fold("x"+text+"x"), fold(sign)) {
				want++
			}
		}
		r := h.search(q)
		if len(r.Hits) != want {
			t.Errorf("%s: %d hits, want %d", q, len(r.Hits), want)
		}
		if h.plan(q).Leaves[0].Marks == "" {
			t.Errorf("%s: all texts are read", q)
		}
		for text, want := range map[string]int{"-" + q: len(texts) - want, "(" + fmt.Sprintf("next:%q", sign) + " OR next:nosuch) limit:0 case:no": want} {
			if r := h.search(text); len(r.Hits) != want {
				t.Errorf("%s: %d hits, want %d", text, len(r.Hits), want)
			}
		}
	}
}

// fold is how a search without case compares.
func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, "\u00a0", " ")), " "))
}

// plan is how a query is answered.
func (h *house) plan(text string) *query.Plan {
	h.t.Helper()
	q, err := query.Parse(text, query.Env{Now: h.now, Zone: h.zone})
	if err != nil {
		h.t.Fatal(err)
	}
	p, err := h.Plan(h.t.Context(), q, index.SearchOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}
