package serve

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// Who waits no longer is told that the answer is late, and gets it when asking again.
func TestCacheAnswersLate(t *testing.T) {
	t.Parallel()
	var now clock
	c := now.cacheOf(t)
	end := make(chan bool)
	build := func(context.Context) (any, error) { <-end; return 1, nil }
	if got, err := c.getWithin(time.Millisecond, "q", build); got != nil || err != errLate { //nolint:errorlint // it is the very error
		t.Errorf("before it is made the answer is %v, %v", got, err)
	}
	close(end)
	if got, err := c.getWithin(time.Hour, "q", build); err != nil || got.value != 1 {
		t.Errorf("the answer is %v, %v", got, err)
	}
}

// A page whose facets take long shows the hits and says so; one whose hits do, says that.
func TestLatePages(t *testing.T) {
	t.Parallel()
	var now clock
	s := &Server{cache: now.cacheOf(t), wait: time.Millisecond}
	slow := func(q question) {
		end, begun := make(chan bool), make(chan bool)
		t.Cleanup(func() { close(end) })
		s.cache.builds.DoChan(buildKey(q, 0), func() (any, error) {
			close(begun)
			<-end
			return &cached{value: render.Answer{}}, nil
		})
		<-begun
	}
	whole := question{"x", 0, facets, pageHits}
	hits := question{"x", 0, "", pageHits}
	slow(whole)
	s.cache.answers[hits] = &cached{at: now.now(), value: render.Answer{
		Rows: make([]render.Row, 1), Result: &index.Result{Hits: make([]index.Hit, 1), Total: 1},
	}}
	for _, want := range []string{"not counted yet", "still running"} {
		var p pages.SearchPage
		if err := s.fill(&p, whole); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := pages.WriteSearch(&out, p, pages.Options{}); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, want) || strings.Contains(text, `class="hitlist"`) != (p.Answer != nil) {
			t.Errorf("the page does not say %q, or has other hits than it was given:\n%s", want, text)
		}
		delete(s.cache.answers, hits)
		if p.Answer != nil {
			slow(hits)
		}
	}
}
