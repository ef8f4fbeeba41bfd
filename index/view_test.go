package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"handex/index"
	"handex/query"
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
