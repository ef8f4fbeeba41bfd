package index_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
)

func TestRecent(t *testing.T) {
	t.Parallel()
	root := resolved(t, t.TempDir())
	for name, text := range map[string]string{
		"app/.git/HEAD":                     "ref: refs/heads/main\n",
		"app/docs/handoffs/2026-02-01-a.md": "# Handoff: A\n\n**Date**: 2026-02-01\n\nHUMAN REVIEW NEEDED: look\n",
		"app/docs/handoffs/2026-02-02-b.md": "# Handoff: B\n\n**Date**: 2026-02-02\n\n## Next\n- one\n",
		"app/docs/handoffs/2026-02-03-c.md": "# Handoff: C\n\n**Date**: 2026-02-03\n\n## Next\n- two\n",
		"app/.flow-guardian/handoff.yaml":   "goal: G\nstatus: in_progress\nnow: halfway\ntimestamp: \"2026-01-01T00:00:00+00:00\"\n",
		"other/.git/HEAD":                   "ref: refs/heads/main\n",
		"other/HANDOFF.md":                  "# Handoff: other\n\n**Date**: 2026-02-09\n",
	} {
		writeFile(t, text, root, name)
	}
	s, err := index.Open(t.Context(), index.Options{Dir: filepath.Join(t.TempDir(), "index"), Now: time.Now})
	noErr(t, err)
	defer func() { _ = s.Close() }()
	if got, err := s.Recent(t.Context(), root, 2); err != nil || got.Total != 0 {
		t.Errorf("an empty index has %+v, %v", got, err)
	}
	_, err = s.Refresh(t.Context(), []index.Root{{Path: filepath.Join(root, "app")}, {Path: filepath.Join(root, "other")}}, index.RefreshOptions{})
	noErr(t, err)
	got, err := s.Recent(t.Context(), filepath.Join(root, "app", "docs"), 2)
	noErr(t, err)
	var titles, escalated []string
	for _, h := range got.Handoffs {
		titles = append(titles, h.Title+h.Goal)
		whole, err := s.Load(t.Context(), h.ID)
		noErr(t, err)
		if diff := cmp.Diff(whole, h); diff != "" {
			t.Errorf("%s is not as Load has it:\n%s", h.ID, diff)
		}
	}
	for _, h := range got.Escalated {
		escalated = append(escalated, h.Title+": "+h.Escalations[0].Text)
	}
	// The newest two, and the latest of another format.
	if diff := cmp.Diff([]string{"C", "B", "G"}, titles); diff != "" || got.Total != 4 {
		t.Errorf("%d handoffs (-want +got):\n%s", got.Total, diff)
	}
	if diff := cmp.Diff([]string{"A: HUMAN REVIEW NEEDED: look"}, escalated); diff != "" {
		t.Errorf("escalated (-want +got):\n%s", diff)
	}
	if state := got.Handoffs[2].Lines; len(state) != 2 || state[1].Key != "state" || state[1].Value != "halfway" {
		t.Errorf("its lines are %+v", state)
	}
}
