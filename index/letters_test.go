package index_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A response that a manifest names is read with it; others are handoffs.
func TestLetters(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const text = "# Ack\n\n**From:** Codex\n**To:** Claude\n**Date:** 2026-02-03\n\n## Open questions\n\n- which index?\n"
	h.write("app/discussion/001-codex-response.md", text)
	h.write("app/discussion/002-codex-response.md", text)
	h.write("app/discussion/003-codex-update.md", text)
	h.write("app/discussion/004-codex-response.md", "# Codex is slow\n")
	manifest := "version: 1\nfrom: codex\nto: claude\nstatus: pending\ngenerated_at: 2026-02-03\nsource_file: discussion/002-codex-response.md\n"
	h.write("app/meta/handoff.yaml", manifest)
	want := func(paths ...string) {
		t.Helper()
		h.now = h.now.Add(time.Minute)
		h.refresh()
		got := map[string]bool{}
		for path := range h.dates() {
			got[path] = true
		}
		all := map[string]bool{}
		for _, path := range paths {
			all[path] = true
		}
		if diff := cmp.Diff(all, got); diff != "" {
			t.Errorf("handoffs (-want +got):\n%s", diff)
		}
	}
	want("app/discussion/001-codex-response.md", "app/meta/handoff.yaml")
	h.write("app/meta/handoff.yaml", manifest[:len(manifest)-len("002-codex-response.md\n")]+"001-codex-response.md\n")
	want("app/discussion/002-codex-response.md", "app/meta/handoff.yaml")
	h.remove("app/meta/handoff.yaml")
	want("app/discussion/001-codex-response.md", "app/discussion/002-codex-response.md")
}
