package report_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/cmd/internal/gen"
	"github.com/OWNER/handex/cmd/internal/hostile"
	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/index/testkit"
)

var restrictions = []string{
	"", "token", "-is:blocked", "is:stale OR has:next", "project:webshop", `from:codex -"token families"`, "is:open date>=2026-01-20", "query OR case AND (is:latest OR next:*)", "-(a b) case:yes",
}

// windows are times to report of; the first is the report's own.
func windows(zone *time.Location) [][2]time.Time {
	at := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, zone) }
	return [][2]time.Time{
		{},
		{at(2026, 1, 26), at(2026, 2, 2)},
		{at(2026, 3, 23), at(2026, 4, 6)}, // the clock is changed in it
		{{}, at(2026, 2, 1)},
		{at(2025, 1, 1), {}},
		{at(2026, 2, 5).Add(10*time.Hour + 7*time.Millisecond), at(2026, 2, 9).Add(90 * time.Minute)},
	}
}

// Every number of every report is what its query finds.
func TestNumbers(t *testing.T) {
	t.Parallel()
	hostileRoot := t.TempDir()
	hostile.Write(t, hostileRoot)
	trees := map[string]string{"examples": examples(t), "namesakes": namesakes(t), "hostile": hostileRoot}
	for name, root := range trees {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := see(t, root, testNow, berlin)
			n := 0
			for _, kind := range report.Kinds() {
				// The random trees draw from all of them.
				for i, restriction := range testkit.Some(restrictions, 2) {
					list := windows(berlin)
					for _, window := range [][2]time.Time{list[0], list[1+i%(len(list)-1)]} {
						n += w.numbers(t, report.Options{Name: kind.Name, From: window[0], To: window[1]}, restriction)
					}
				}
			}
			for _, by := range report.Groupings {
				n += w.numbers(t, report.Options{By: by}, "")
			}
			for _, kind := range report.SectionKinds {
				own := &report.Definition{Name: "own", Query: "-(a b)", Since: "2026-01-01", By: "status", Sections: []report.SectionDefinition{
					{Kind: kind, Query: "is:open OR has:next"}, {Kind: kind, Query: "is:stale", Always: true},
				}}
				n += w.numbers(t, report.Options{Own: own}, "-nosuchword")
			}
			if n == 0 {
				t.Error("no report has a number")
			}
		})
	}
}

// numbers checks one report, and answers how many numbers it has. A timeline of
// many projects is refused.
func (w *world) numbers(tb tester, o report.Options, restriction string) int {
	tb.Helper()
	r, err := w.report(tb, o, restriction)
	var many *report.ManyProjectsError
	if errors.As(err, &many) && o.Name == "timeline" {
		return 0
	}
	if err != nil {
		tb.Fatalf("%+v %q: %v", o, restriction, err)
	}
	return w.check(tb, r)
}

// namesakes are projects of one name, with names that others declare, known by
// their folders or by the encoded names of these.
func namesakes(tb testing.TB) string {
	tb.Helper()
	root, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	files := map[string]string{}
	for i, dir := range []string{"a/shop", "b/shop", "b/Shop.Two", "c/shop-two", "d/api"} {
		if err := os.MkdirAll(filepath.Join(root, dir, ".git"), 0o700); err != nil {
			tb.Fatal(err)
		}
		day := fmt.Sprintf("2026-02-0%d", 4+i)
		files[dir+"/.bon/handoffs/"+day+"-aaaa000"+fmt.Sprint(i)+".md"] = markdown(day, "Done", "- Rounded the invoice totals of "+dir, "Next", "- [ ] Ship it to production soon", "Gotchas", "- The price cache keeps stale rounding")
		files[dir+"/docs/handoffs/month.md"] = "---\ndate: 2026-02\nproject: shop\nfrom: codex, x\nto: \"claude \\\"two\\\"\"\n---\n# Month of " + dir + "\n\n## Blockers\n\n- Waiting for keys of " + dir + "\n"
		files[dir+"/docs/handoffs/year.md"] = "---\ndate: 2026\nproject: " + filepath.Base(dir) + "\nstatus: blocked\n---\n# Year\n\n## Failed approaches\n\n- Rewriting the cache layer in one step\n"
	}
	files["home/.claude/handoffs/-srv-shop/2026-02-06-bbbb0001.md"] = markdown("2026-02-06", "Risks", "HUMAN REVIEW NEEDED: keys expire")
	files["home/.claude/handoffs/-srv-api/2026-02-07-bbbb0002.md"] = markdown("2026-02-07", "Done", "- The same as elsewhere")
	files["a/shop/.act/handoffs/2026-02-09-0900-1.xml"] = `<handoff><metadata><project>api</project><timestamp>2026-02-09T09:00:00Z</timestamp></metadata></handoff>`
	lay(tb, root, files)
	return root
}

// Any tree, clock, zone, time and restriction will do.
func TestNumbersOfRandomTrees(t *testing.T) {
	t.Parallel()
	told, n, trees := 0, 0, t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(trees, strconv.Itoa(n))
		n++
		if err := os.Mkdir(dir, 0o700); err != nil {
			rt.Fatal(err)
		}
		if _, err := gen.Tree(dir, rapid.IntRange(1, 60).Draw(rt, "handoffs"), rapid.Uint64Range(1, 1<<20).Draw(rt, "seed")); err != nil {
			rt.Fatal(err)
		}
		where := rapid.SampledFrom([]*time.Location{time.UTC, berlin, zone("America/New_York"), zone("Asia/Kathmandu")}).Draw(rt, "zone")
		now := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(0, 370*24*60).Draw(rt, "minute")) * time.Minute)
		w := see(t, dir, now, where)
		o := report.Options{
			Name: rapid.SampledFrom(report.Kinds()).Draw(rt, "kind").Name,
			By:   rapid.SampledFrom(append([]string{""}, report.Groupings...)).Draw(rt, "by"),
			Most: rapid.SampledFrom([]int{0, -1, 1, 3}).Draw(rt, "most"),
		}
		back := rapid.IntRange(0, 400).Draw(rt, "days back")
		o.To = time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, where)
		if o.From = o.To.AddDate(0, 0, -back); back == 0 {
			o.From, o.To = time.Time{}, time.Time{}
			o.By = ""
		}
		told += w.numbers(rt, o, rapid.SampledFrom(append(make([]string, len(restrictions)), restrictions...)).Draw(rt, "restriction"))
	})
	if told == 0 {
		t.Error("no report has a number")
	}
}
