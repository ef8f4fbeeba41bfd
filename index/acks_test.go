package index_test

import (
	"testing"

	"handex/index"
)

// ackOf is the acknowledgement of the one handoff a query finds.
func ackOf(h *house, text string) index.Ack {
	h.t.Helper()
	found := h.search(text)
	if found.Total != 1 {
		h.t.Fatalf("%s finds %d handoffs", text, found.Total)
	}
	return index.Ack{ID: found.Hits[0].ID, Digest: found.Hits[0].Digest}
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
