package index_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// oddities are what a watch has to look at again at each question, as no event tells of it.
var oddities = []struct {
	name string
	make func(*house)
}{
	{"a manifest without its folder", func(h *house) {
		h.write("crew/meta/handoff.yaml", "version: 1\nsource_file: discussion/058-codex-response.md\ngenerated_at: 2026-02-09\nfrom: codex\nto: claude\nstatus: pending\nwork_queue_items: [gates]\n")
	}},
	{"a link out of the root", func(h *house) {
		h.write("../away/HANDOFF.md", noteText)
		h.link("../away/HANDOFF.md", "HANDOFF.md")
	}},
	{"a link that leads nowhere", func(h *house) { h.link("later.md", "HANDOFF.md") }},
	{"a link that cannot be followed", func(h *house) { h.link(strings.Repeat("x", 300), "HANDOFF.md") }},
	{"a folder that may not be read", func(h *house) {
		asUser(h.t)
		h.write("locked/HANDOFF.md", noteText)
		noErr(h.t, os.Chmod(h.path("locked"), 0))
		h.t.Cleanup(func() { _ = os.Chmod(h.path("locked"), 0o755) })
	}},
	{"a handoff that may not be read any more", func(h *house) {
		asUser(h.t)
		noErr(h.t, os.Chmod(h.path(one), 0))
	}},
	{"two names", func(h *house) { noErr(h.t, os.Link(h.path(one), h.path("elsewhere.bak"))) }},
	{"a folder that is too deep", func(h *house) { h.write(strings.Repeat("d/", 65)+"HANDOFF.md", noteText) }},
}

// One odd file does not make a question look at all of the root again.
func TestOddFileDoesNotSweep(t *testing.T) {
	for _, c := range oddities {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			h.needEvents()
			c.make(h)
			g := h.guard(t, index.WatchOptions{Sweep: time.Hour})
			g.await("a question is answered without a refresh", func() bool {
				before := h.RefreshedAt()
				_, ok := h.Watched(t.Context(), index.Scope{Roots: h.roots()})
				return ok && h.RefreshedAt().Equal(before)
			})
		})
	}
}
