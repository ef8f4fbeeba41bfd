package pages_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/report"
)

// Each bar is what was open on a day of what is open now; what is settled is in none.
func TestOpenItems(t *testing.T) {
	t.Parallel()
	r := &report.Report{Name: "x", Title: "X", Now: now, Sections: []report.Section{
		{Name: report.Escalations, Title: "Waiting", Items: []report.Item{
			{Text: "a", Ref: ref(11, "A", "p"), State: "open"},
			{Text: "b", Ref: ref(11, "B", "p"), State: "replaced"},
			{Text: "c", Ref: ref(20, "C", "p"), State: "open"},
		}},
		{Name: report.Next, Title: "Next", Items: []report.Item{{Text: "d", Ref: ref(13, "D", "p"), Since: day(12)}}},
	}}
	want := []string{
		`class="s1" x="37" y="115" width="61" height="53" Waiting, 2026-02-11: 1`,
		`class="s1" x="101" y="115" width="61" height="53" Waiting, 2026-02-12: 1`,
		`class="s2" x="101" y="62" width="61" height="53" Next, 2026-02-12: 1`,
	}
	if diff := cmp.Diff(want, drawn(t, file(t, r, loaded), "bars", "rect")[:3]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A timeline is drawn by status, each handoff in its period.
func TestCourse(t *testing.T) {
	t.Parallel()
	items := []report.Item{
		{Text: "a", Ref: ref(1, "A", "p"), State: "completed"},
		{Text: "b", Ref: ref(3, "B", "p")},
		{Text: "c", Ref: ref(3, "C", "p"), State: "completed, earlier version"},
	}
	r := &report.Report{Name: "timeline", Title: "X", Now: now, Sections: []report.Section{{Name: report.Timeline, Title: "Handoffs", Items: items}}}
	want := []string{
		`class="s1" x="37" y="88" width="61" height="80" completed, 2026-02-01: 1`,
		`class="s1" x="165" y="88" width="61" height="80" completed, 2026-02-03: 1`,
		`class="s2" x="165" y="8" width="61" height="80" no status, 2026-02-03: 1`,
	}
	if diff := cmp.Diff(want, drawn(t, file(t, r, loaded), "bars", "rect")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
