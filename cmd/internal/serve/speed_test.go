package serve_test

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/OWNER/handex/cmd/internal/gen"
)

// BenchmarkPage measures the page of hits over 10,000 handoffs as a person sees it: from
// the request of the first page to its first paint, and from a letter that is typed to
// the hits of it.
func BenchmarkPage(b *testing.B) {
	tree := b.TempDir()
	if _, err := gen.Tree(tree, 10_000, 1); err != nil {
		b.Fatal(err)
	}
	s := startOn(b, tree)
	tab := open(b, 1280, 900, s.base)
	tab.run(chromedp.Navigate(s.url), chromedp.WaitVisible(".hitlist"))
	var painted, typed []float64
	for b.Loop() {
		tab.run(chromedp.Navigate(s.base+"/"), chromedp.WaitVisible(".hitlist"))
		painted = append(painted, value[float64](tab, firstPaint))
		typed = append(typed, value[[]float64](tab, typeQueries)...)
	}
	b.ReportMetric(at(painted, 0.5), "ms-paint-p50")
	b.ReportMetric(slices.Max(painted), "ms-paint-max")
	b.ReportMetric(at(typed, 0.5), "ms-typed-p50")
	b.ReportMetric(at(typed, 0.95), "ms-typed-p95")
	b.Logf("%d letters in %v; pages %.0f", len(typed), b.Elapsed().Round(time.Second), painted)
}

func at(list []float64, share float64) float64 {
	slices.Sort(list)
	return list[min(int(share*float64(len(list))), len(list)-1)]
}

// firstPaint comes to the time from the request to the first paint of content.
const firstPaint = `new Promise(done => new PerformanceObserver(list => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
}).observe({type: "paint", buffered: true}))`

// typeQueries types letter by letter, and waits after each for what the page then shows.
// It comes to the times from a letter to the frame that shows its hits; errors, which the
// page holds back, are not among them.
const typeQueries = `(async () => {
  const times = [], frame = () => new Promise(requestAnimationFrame);
  for (const query of ["session token", "is:open migration", "project:a", "next:test since:2020", "cache OR retry"]) {
    box.value = "";
    for (const letter of query) {
      box.value += letter;
      const from = performance.now();
      box.setSelectionRange(box.value.length, box.value.length);
      box.dispatchEvent(new Event("input"));
      const wanted = "?q=" + encodeURIComponent(box.value.trim());
      while (location.search !== wanted && performance.now() - from < 5000) await frame();
      await frame();
      if (letter !== " " && !document.querySelector(".fault")) times.push(performance.now() - from);
    }
  }
  return times;
})()`
