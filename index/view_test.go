package index_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
	"github.com/OWNER/handex/query"
)

// Whatever is asked inside a view agrees, though the index moves on meanwhile.
func TestViewIsOneState(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.write("shop/.bon/handoffs/2026-02-03-aaaa0001.md", "# Handoff — 2026-02-03\n\n## Done\n\n- one\n")
	h.write("shop/.bon/handoffs/2026-02-04-aaaa0002.md", "# Handoff — 2026-02-04\n\n## Done\n\n- two\n")
	h.refresh()
	ask := func(text string) *query.Query {
		q, err := query.Parse(text, query.Env{})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	var ids []string
	err := h.View(t.Context(), index.SearchOptions{}, func(v *index.View) error {
		before, err := v.Count(t.Context(), ask(""))
		if err != nil {
			return err
		}
		h.write("shop/.bon/handoffs/2026-02-05-aaaa0003.md", "# Handoff — 2026-02-05\n\n## Done\n\n- three\n")
		h.refresh()
		after, err := v.Count(t.Context(), ask(""))
		if err != nil || before != 2 || after != 2 {
			t.Errorf("%d, then %d: %v", before, after, err)
		}
		list, err := v.Summaries(t.Context(), ask("sort:date-asc"))
		if err != nil {
			return err
		}
		again, err := v.Summaries(t.Context(), ask("one OR two sort:date-asc"))
		if diff := cmp.Diff(list, again); diff != "" || err != nil {
			t.Errorf("%v: the same handoffs differ:\n%s", err, diff)
		}
		first, total, err := v.First(t.Context(), ask("sort:date-asc"), 1)
		if diff := cmp.Diff(list[:1], first); diff != "" || total != 2 || err != nil {
			t.Errorf("%v: %d handoffs, first:\n%s", err, total, diff)
		}
		whole, err := v.Handoffs(t.Context(), list)
		if err != nil {
			return err
		}
		for i, w := range whole {
			ids = append(ids, w.Sections[0].Body)
			if diff := cmp.Diff(list[i], w.Summary); diff != "" {
				t.Error(diff)
			}
		}
		buckets, err := v.Buckets(t.Context(), ask("count-by:format"))
		if diff := cmp.Diff([]index.Bucket{{Values: []string{"claude-suite"}, Count: 2}}, buckets); diff != "" || err != nil {
			t.Errorf("%v: %s", err, diff)
		}
		if none, err := v.Buckets(t.Context(), ask("")); none != nil || err != nil {
			t.Errorf("%v, %v", none, err)
		}
		if _, err := v.Handoffs(t.Context(), []index.Summary{{ID: "h_0000"}}); err == nil {
			t.Error("a handoff was read that nobody asked about")
		}
		return nil
	})
	if diff := cmp.Diff([]string{"\n- one\n", "\n- two\n"}, ids); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}

func TestViewOfNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if err := h.View(t.Context(), index.SearchOptions{}, func(*index.View) error { t.Error("there is no index to see"); return nil }); err != nil {
		t.Error(err)
	}
}

// Hits that are passed on are those of the page, and no more than a portion of them is
// there at once.
func TestSearchPassesHitsOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const handoffs = 1100
	for i := range handoffs {
		h.write(fmt.Sprintf("shop/.bon/handoffs/%04d.md", i), fmt.Sprintf("# Handoff %d\n\n## Next\n\n- token %d\n", i, i))
	}
	h.refresh()
	for _, text := range []string{"limit:0", "token limit:0", "token limit:1000 offset:50", "limit:20"} {
		q, err := query.Parse(text, query.Env{})
		testkit.NoErr(t, err)
		whole, err := h.Search(t.Context(), q, index.SearchOptions{})
		testkit.NoErr(t, err)
		var hits []index.Hit
		most := 0
		passed, err := h.Search(t.Context(), q, index.SearchOptions{Each: func(part []index.Hit) error {
			hits, most = append(hits, part...), max(most, len(part))
			return nil
		}})
		testkit.NoErr(t, err)
		if hits = append(hits, passed.Hits...); len(hits) > 1000 && most > 600 {
			t.Errorf("%s: %d hits at once", text, most)
		}
		if diff := cmp.Diff(whole.Hits, hits); diff != "" || passed.Shown() != whole.Shown() || passed.Total != whole.Total {
			t.Errorf("%s: %d of %d are passed on, %d of %d found\n%s", text, passed.Shown(), passed.Total, whole.Shown(), whole.Total, diff)
		}
		stop := errors.New("stop")
		_, err = h.Search(t.Context(), q, index.SearchOptions{Each: func([]index.Hit) error { return stop }})
		if most > 0 && !errors.Is(err, stop) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
