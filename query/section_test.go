package query_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSections searches below headings that have no field of their own. The
// pieces lie as the schema says: heading and text of each in turn, a newline
// behind each; a part of another kind has no heading, a field is no section.
func TestSections(t *testing.T) {
	t.Parallel()
	db := openIndex(t)
	rows := []row{
		{
			hid: "s1", date: "2026-02-10", project: "/p", format: "alpha",
			fields: map[string]any{"sections": `[["goal",-2,1,1,0,4,1],["other",2,3,5,13,8,4],["next",-1,3,5,0,6,5],["other",2,6,8,6,9,7],["other",3,9,9,13,4,9]]`},
			body: map[string]string{
				"heading": "Opportunities\nLedger\nOpportunities\n",
				"goal":    "ship\n",
				"other":   "mesh two\nmesh gone\nlast\n",
				"next":    "after2\n",
			},
		},
		{
			hid: "s2", date: "2026-02-09", project: "/p", format: "alpha",
			fields: map[string]any{"sections": `[["other",2,1,2,13,0,2],["other",2,3,4,19,5,4]]`},
			body:   map[string]string{"heading": "Opportunities\nFür später: Ideen\n", "other": "\nmesh2\n"},
		},
		{hid: "s3", date: "2026-02-08", project: "/p", format: "alpha", body: map[string]string{"other": "mesh after2 last two"}},
	}
	for _, r := range rows {
		r.insert(t, db)
	}
	for _, c := range []struct{ query, want string }{
		{"sec.opportunities:mesh", "s1"},
		{"sec.ledger:gone", "s1"},
		{"sec.ledger:two", ""},
		{"sec.opportunities:after2", "s1"},
		{"sec.opportunities:last", "s1"},
		{"sec.opportunities:ship", ""},
		{`sec.opportunities:"mesh two"`, "s1"},
		{`sec.opportunities:"two mesh"`, ""},
		{"sec.opportunities:*esh*", "s1"},
		{"sec.opportunities:/m.sh/", "s1"},
		{"sec.opportunities:(mesh NEAR/0 two)", "s1"},
		{"-sec.opportunities:mesh", "s2 s3"},
		{"(sec.opportunities:mesh OR is:blocked)", "s1"},
		{"sec.für-später-ideen:mesh2", "s2"},
		{"has:sec.opportunities", "s1"},
		{"no:sec.ledger", "s2 s3"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(hids(t, db, plan(t, c.query)), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.query, diff)
		}
	}
}
