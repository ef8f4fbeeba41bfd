package query_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The vocabularies are small, so that values meet; some are equal but for case,
// marks or the place in a path.
var (
	projects = []project{
		{"/home/ann/shop", "shop"},
		{"/srv/Shop", "Shop"},
		{"/home/ann/docs.site", "docs.site"},
		{"-home-ann-docs-site", "docs-site"}, // of this one only the folder is known
		{"/home/ann/straße_2", "straße_2"},
	}
	pools = map[string][]string{
		"declared": {"", "", "Handbook", "SHOP", "docs"},
		"path":     {"/home/ann/shop/.handoff/a.md", "/home/ann/shop/notes/A.md", "/srv/docs/a.md", "/srv/docs/ü/b.md"},
		"format":   {"alpha", "beta"},
		"id":       {"h0", "h1", "H2", "h"},
		"session":  {"", "b4db9cba-11", "B4DB", "b4", "é-1", "7"},
		"agent":    {"", "", "codex", "Claude", "claude", "ann b"},
		"status":   {"", "in-progress", "completed", "blocked", "pending", "sent", "failed"},
		"branch":   {"", "main", "Main", "fix/login", "fix/Login-2", "feat/über", "日本", "a*b", "v1 rc"},
		"member":   {"", "", "ann@laptop", "ann@desk", "bob@desk", "me", "here", "ann", "b?b"},
		"source":   {"", "discussion/001-a.md", "001-a.md", "discussion/old/001-a.md"},
		"version":  {"", "1", "1.0", "v2", "V2.1", "1.2.3", "2-beta", "fond-v1"},
		"priority": {"", "low", "medium", "high", "critical"},
		"file":     {"src/auth.py", "auth.py", "src/Auth.py", "web/src/auth.py", "/home/ann/shop/src/auth.py", "docs/ü.md", "README", "src/a b.md", ""},
		"item":     {"SHOP-7", "shop-7", "DOC-1", "gh#12", "日本-1", ""},
		"commit":   {"3e1f00aa", "3e1f", "3E1F00aa", "ff00"},
		"approach": {"worked", "failed", "partial", ""},
		"meta":     {"release", "Release", "x,y", "über", ""},
		"problem":  {"alpha.date", "beta.source", "Alpha.Date"},
	}
	metaKeys   = []string{"meta.tags", "meta.Tags", "meta.owner"}
	textKinds  = []string{"goal", "state", "next", "done", "gotchas", "risks", "blockers", "questions", "human", "decisions", "approaches", "worked", "failed", "partial", "context", "advice", "reflection", "hypothesis", "outcome", "checks", "files", "other"}
	textPieces = []string{
		"token", "tokens", "Token", "tökens", "refresh", "token_refresh", "re-fresh", "jwt", "JWT", "café", "cafe", "Cafe\u0301", "日本", "日本語", "語", "§§", "->", "🧪", "😀", "x", "a.b", "C++", "ﬁx",
		"fix", "fixed", "STRASSE", "straße", "İx", "K", "k", "\u212a", "e\u0301", "\u0301x", "Łódź", "one", "two", "three", "12", "1.2", "ⅷ", "한국어", "ไทย", "ſ", "s", "refreshing", "refrehs", "none", "x0token", "X0",
	}
	separators = []string{" ", "\n", "  ", "-", ".", "", "_", ", ", "\u00a0", "/", "🧪", "\u0301", "\u2028"}
)

// slugs are headings and the names sec. knows them by.
var slugs = map[string]string{"Next Steps": "next-steps", "RISKS & Co.": "risks-co", "2. Über": "2-über", "next — steps": "next-steps", "§": ""}

// oneOf draws one of a list; its first is what a failure is simplified to.
func oneOf[T any](t *rapid.T, list ...T) T { return list[rapid.IntRange(0, len(list)-1).Draw(t, "of")] }

// chance draws true once in n times.
func chance(t *rapid.T, n int) bool { return rapid.IntRange(1, n).Draw(t, "chance") == n }

func drawText(t *rapid.T, label string, most int) string {
	var b strings.Builder
	for range rapid.IntRange(0, most).Draw(t, label) {
		b.WriteString(oneOf(t, textPieces...))
		b.WriteString(oneOf(t, separators...))
	}
	return b.String()
}

// drawCollection draws handoffs as an index holds them.
func drawCollection(t *rapid.T) collection {
	var c collection
	kinds := []string{oneOf(t, textKinds...), oneOf(t, textKinds...), oneOf(t, "next", "blockers", "other")}
	for range rapid.IntRange(2, 6).Draw(t, "handoffs") {
		c = append(c, drawHandoff(t, kinds))
	}
	c.number()
	return c
}

// number gives the ids: the second of the sort instant, or the next free one.
func (c collection) number() {
	slices.SortStableFunc(c, func(a, b *handoff) int { return a.sort.Compare(b.sort) })
	last := int64(-1 << 40)
	for i, h := range c {
		last = max(last+1, h.sort.Unix()-millennium)
		h.id, h.hid = last, fmt.Sprintf("h%d", i)
	}
	slices.Reverse(c)
}

func drawHandoff(t *rapid.T, kinds []string) *handoff {
	h := &handoff{
		project: oneOf(t, projects...), declared: oneOf(t, pools["declared"]...), path: oneOf(t, pools["path"]...), format: oneOf(t, pools["format"]...),
		session: oneOf(t, pools["session"]...), from: oneOf(t, pools["agent"]...), to: oneOf(t, pools["agent"]...), status: oneOf(t, pools["status"]...),
		branch: oneOf(t, pools["branch"]...), member: oneOf(t, pools["member"][:5]...), source: oneOf(t, pools["source"]...), version: oneOf(t, pools["version"]...), priority: oneOf(t, pools["priority"]...),
		words: oneOf(t, 0, 120, 2000), title: oneOf(t, "", drawText(t, "title", 2)), head: drawText(t, "head", 2),
		latest: !chance(t, 3), standing: !chance(t, 3), earlier: chance(t, 5), escalated: chance(t, 2), legacy: chance(t, 4), blocked: chance(t, 3), waiting: chance(t, 3), acked: chance(t, 5), link: chance(t, 4), dateOfFile: chance(t, 3),
	}
	h.progress, h.phase = drawNumber(t, 0, 59.5, 60, 100), drawNumber(t, 1, 4, 4.5)
	drawTimes(t, h)
	for range rapid.IntRange(0, 4).Draw(t, "parts") {
		h.parts = append(h.parts, drawPart(t, kinds))
	}
	for range rapid.IntRange(0, 5).Draw(t, "facts") {
		h.facts = append(h.facts, drawFact(t))
	}
	for range rapid.IntRange(0, 2).Draw(t, "problems") {
		h.problems = append(h.problems, broken{oneOf(t, 1, 2), oneOf(t, pools["problem"]...)})
	}
	return h
}

func drawNumber(t *rapid.T, values ...float64) *float64 {
	if chance(t, 2) {
		return nil
	}
	v := oneOf(t, values...)
	return &v
}

func drawPart(t *rapid.T, kinds []string) part {
	p := part{kind: oneOf(t, kinds...), level: oneOf(t, 2, 0, 6, -1, -2), text: drawText(t, "text", 6)}
	if chance(t, 6) {
		p.text = oneOf(t, "none", "N/A", "\u00a0", "None at the moment.")
	}
	if p.level >= 0 {
		p.heading = oneOf(t, "Next Steps", "RISKS & Co.", "2. Über", "next — steps", "§")
	}
	return p
}

func drawFact(t *rapid.T) fact {
	name := oneOf(t, "file", "item", "commit", "approach", "meta")
	switch name {
	case "approach":
		return fact{name, oneOf(t, "", "cache the keys"), oneOf(t, pools[name]...)}
	case "meta":
		return fact{oneOf(t, metaKeys...), oneOf(t, pools[name]...), ""}
	}
	return fact{name, oneOf(t, pools[name]...), ""}
}

// days are the days of the oracle: both changes of the clock, the ends of
// months and years, and the days around the oracle's own.
var days = []string{
	"2026-03-31", "2026-03-30", "2026-03-29", "2026-03-28", "2026-03-01", "2026-02-28", "2026-02-01", "2026-01-31", "2026-01-01", "2025-12-31", "2025-12-29", "2025-10-26", "2024-02-29", "1999-12-31",
}

// oracleNow is a Tuesday, two days after the clock was changed.
var oracleNow = time.Date(2026, 3, 31, 10, 0, 0, 0, berlin)

// drawInstant draws a time, most often near the end of something.
func drawInstant(t *rapid.T) time.Time {
	day, err := time.ParseInLocation(time.DateOnly, oneOf(t, days...), berlin)
	if err != nil {
		t.Fatal(err)
	}
	return day.Add(oneOf(t, 0, time.Millisecond, -time.Millisecond, 90*time.Minute, 150*time.Minute, 10*time.Hour, 12*time.Hour))
}

// drawTimes draws a date of some precision, and the other times.
func drawTimes(t *rapid.T, h *handoff) {
	at := drawInstant(t)
	y, m, d := at.Date()
	h.precision = oneOf(t, "day", "instant", "month", "year")
	switch h.precision {
	case "day":
		h.start, h.end = time.Date(y, m, d, 0, 0, 0, 0, berlin), time.Date(y, m, d+1, 0, 0, 0, 0, berlin)
	case "month":
		h.start, h.end = time.Date(y, m, 1, 0, 0, 0, 0, berlin), time.Date(y, m+1, 1, 0, 0, 0, 0, berlin)
	case "year":
		h.start, h.end = time.Date(y, 1, 1, 0, 0, 0, 0, berlin), time.Date(y+1, 1, 1, 0, 0, 0, 0, berlin)
	default:
		h.start, h.end = at, at.Add(time.Millisecond)
	}
	h.sort = oneOf(t, h.start, at, h.end.Add(-time.Millisecond))
	h.updated = drawInstant(t)
	if chance(t, 3) {
		h.sent = drawInstant(t)
	}
}

// TestDrawnHandoffsDiffer checks that each kind of handoff is drawn.
func TestDrawnHandoffsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for i := range 50 {
		for _, h := range rapid.Custom(drawCollection).Example(i) {
			seen[h.precision]++
			seen[cmp.Or(h.status, "none")]++
		}
	}
	for _, want := range append([]string{"day", "instant", "month", "year", "none"}, pools["status"][1:]...) {
		if seen[want] == 0 {
			t.Errorf("no handoff is %s", want)
		}
	}
}
