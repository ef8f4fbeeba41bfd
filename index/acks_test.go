package index_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// ackOf is the acknowledgement of the one handoff a query finds.
func ackOf(h *house, text string) index.Ack {
	h.t.Helper()
	found := h.search(text)
	if found.Total != 1 {
		h.t.Fatalf("%s finds %d handoffs", text, found.Total)
	}
	return index.Ack{ID: found.Hits[0].ID, Digest: found.Hits[0].Digest, At: h.now}
}

func (h *house) acks(list ...index.Ack) {
	h.t.Helper()
	if err := h.SetAcks(h.t.Context(), list); err != nil {
		h.t.Fatal(err)
	}
}

func TestAcks(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	h.acks(ackOf(h, "form"), index.Ack{ID: "h_000000000000"})
	h.expect("is:acked", one)
	h.refreshWith(index.RefreshOptions{Full: true})
	h.expect("is:acked", one)
	h.acks()
	h.expect("is:acked")
}

// What a person acknowledged is what the handoff said: a signal that is added
// later is not.
func TestAckIsOfAText(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	was := note("2026-02-01", "aaaa1111", "login form", "test it")
	h.write(one, was)
	h.refresh()
	h.acks(ackOf(h, "form"))
	h.expect("is:acked", one)
	h.write(one, was+"\nHUMAN REVIEW NEEDED: keys in the log\n")
	h.refresh()
	h.expect("is:acked")
	h.expect("is:escalated", one)
	h.write(one, was)
	h.refresh()
	h.expect("is:acked", one)
}

// An entry of a log stays acknowledged while the log grows.
func TestAckOfAnEntry(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	log := "shop/HANDOFF.md"
	first := "# Handoff log\n\n## 2026-02-01 — basket\n\nHUMAN REVIEW NEEDED: prices\n\n### Next\n\n- test\n\n## 2026-02-02 — till\n\n### Next\n\n- ship\n\n## 2026-02-02 — cart\n\n### Next\n\n- push\n"
	h.write(log, first)
	h.refresh()
	h.acks(ackOf(h, "basket"), ackOf(h, "cart"))
	h.expect("is:acked", log, log)
	h.write(log, first+"\n## 2026-02-03 — lamp\n\nHUMAN REVIEW NEEDED: it burns\n\n### Next\n\n- look\n")
	h.refresh()
	h.expect("is:acked", log, log)
	h.expect("is:escalated -is:acked", log)
	h.expect("lamp is:escalated -is:acked", log)
}

// An acknowledgement outlives the index also where the file was moved: what was said
// stays acknowledged, and nothing else is.
func TestAckOfAMovedFileOutlivesTheIndex(t *testing.T) {
	t.Parallel()
	const moved = "shop/docs/handoffs/login.md"
	undated := "# Handoff\n\n## Next\n\n- HUMAN REVIEW NEEDED: ask\n"
	for _, c := range []struct {
		name   string
		text   string // what is acknowledged, at one
		change func(*house)
		want   []string // what is acknowledged after the index was lost
	}{
		{"not moved", "", func(*house) {}, []string{one}},
		{"moved", "", func(h *house) { h.move(one, moved) }, []string{moved}},
		{"moved twice", "", func(h *house) {
			h.move(one, "till/HANDOFF.md")
			h.refresh()
			h.move("till/HANDOFF.md", moved)
		}, []string{moved}},
		{"moved, and says something else", "", func(h *house) {
			h.move(one, moved)
			h.refresh()
			h.write(moved, note("2026-02-01", "aaaa1111", "login form", "test it twice"))
		}, nil},
		{"moved, and another in its place", "", func(h *house) {
			h.move(one, moved)
			h.refresh()
			h.write(one, note("2026-02-09", "cccc3333", "till", "count"))
		}, []string{moved}},
		{"moved to two places", "", func(h *house) {
			text, err := os.ReadFile(h.path(one))
			noErr(h.t, err)
			h.move(one, moved)
			h.write("till/HANDOFF.md", string(text))
		}, nil},
		{"copied", "", func(h *house) {
			text, err := os.ReadFile(h.path(one))
			noErr(h.t, err)
			h.write(moved, string(text))
		}, []string{one}},
		{"without a date, moved", undated, func(h *house) { h.move(one, moved) }, []string{moved}},
		{"without a date, the same is said later", undated, func(h *house) {
			h.remove(one)
			h.writeAt(moved, undated, h.now.Add(time.Minute))
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := twoNotes(t)
			if c.text != "" {
				h.write(one, c.text)
				h.refresh()
			}
			ack := ackOf(h, "path:aaaa1111.md")
			c.change(h)
			h.refresh()
			h.acks(ack)
			noErr(t, os.RemoveAll(h.dir))
			h.reopen()
			h.refresh()
			h.expect("is:acked")
			h.acks(ack)
			h.expect("is:acked", c.want...)
			for _, hit := range h.search("* limit:0").Hits {
				if slices.Contains(hit.States, "acked") != slices.Contains(h.found("is:acked"), h.relative(hit.Path)) {
					t.Errorf("%s is %v", hit.Path, hit.States)
				}
			}
			h.refreshWith(index.RefreshOptions{Full: true})
			h.expect("is:acked", c.want...)
		})
	}
}

// Of several acknowledgements of one text, the last one counts.
func TestAcksOfOneText(t *testing.T) {
	t.Parallel()
	h := twoNotes(t)
	first := ackOf(h, "form")
	second := first
	second.At = first.At.Add(time.Hour)
	for _, list := range [][]index.Ack{{first, second}, {second, first}, {second}} {
		h.acks(list...)
		h.expect("is:acked", one)
	}
}
