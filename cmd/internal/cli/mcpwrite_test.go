package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// change is the answer of the tools that write.
type change struct {
	Path    string
	Written bool
	Diff    string `json:"quote_diff"`
	Notes   []string
}

func TestMCPWrites(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.lay(t, map[string]string{"shop/.git/HEAD": "ref: refs/heads/main\n"})
	a := o.agent(t, "--write")
	home, err := filepath.EvalSymlinks(o.tree)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "shop/.flow-guardian/handoff.yaml")
	keys := arguments{"goal": "Tell the shopper", "status": "blocked", "files": []string{"a.go", "b.go"}}

	var c change
	text := a.answer(small, "update", arguments{"project": "shop", "keys": keys, "dry_run": true}, &c)
	if c.Written || c.Path != file || !strings.Contains(c.Diff, "+goal: \"Tell the shopper\"\n") || !strings.Contains(text, "│+goal: \"Tell the shopper\"\n") {
		t.Errorf("a dry run answers %+v\n%s", c, text)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a dry run writes")
	}
	a.answer(small, "update", arguments{"project": "shop", "keys": keys}, &c)
	wrote, err := os.ReadFile(file)
	if want := "goal: \"Tell the shopper\"\nstatus: blocked\nnow: \"Tell the shopper\"\nfiles:\n  - a.go\n  - b.go\ntimestamp: \"2026-02-10T12:00:00Z\"\n"; err != nil || string(wrote) != want || !c.Written {
		t.Errorf("%v, %+v: the file says\n%swant\n%s", err, c, wrote, want)
	}

	document := arguments{"title": "Exports", "sections": arguments{"done": "- exports", "next": []string{"imports", "- both\nof them"}}, "purpose": "Exports done", "session": "aaaa1111"}
	c = change{}
	a.answer(small, "write", arguments{"format": "claude-suite", "project": "shop", "document": document}, &c)
	wrote, err = os.ReadFile(c.Path)
	if err != nil || !strings.Contains(string(wrote), "## Next\n\n- imports\n- both\n  of them\n") || !c.Written {
		t.Errorf("%v, %+v\n%s", err, c, wrote)
	}
	document["sections"] = arguments{"next": arguments{"a": "b"}}
	if got := a.refusal("write", arguments{"format": "claude-suite", "project": "shop", "document": document}); got != "the document: sections: next: neither a string nor a list of strings" {
		t.Errorf("a section that is an object: %s", got)
	}
	if got := a.refusal("write", arguments{"format": "flow-guardian", "project": "shop", "document": arguments{"status": "merry"}}); !strings.Contains(got, `status is "merry", not one of in_progress, completed, blocked`) {
		t.Errorf("a handoff that is not valid: %s", got)
	}
	if after, err := os.ReadFile(file); err != nil || !strings.Contains(string(after), "status: blocked") {
		t.Errorf("a refused handoff was written: %v\n%s", err, after)
	}
}

// An acknowledged escalation is no longer open, and tells who said what.
func TestMCPAcks(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.many(t)
	a := o.agent(t, "--write")
	var p listPage
	a.answer(small, "escalations", nil, &p)
	if p.Total != 5 || p.Open[0].State != "open" || p.Open[0].Quote != "HUMAN REVIEW NEEDED: is part 5 of p1 what was meant?" {
		t.Fatalf("%+v", p)
	}
	id := p.Open[0].ID
	var done struct {
		Done []string `json:"quote_done"`
	}
	a.answer(small, "ack", arguments{"ids": []string{id}, "note": "it was"}, &done)
	if want := []string{"acknowledged: " + id + " p01: Part 5 of p01"}; !cmp.Equal(want, done.Done) {
		t.Errorf("done: %q", done.Done)
	}
	var after listPage
	if a.answer(small, "escalations", nil, &after); after.Total != 4 || after.Open[0].ID == id {
		t.Errorf("still open: %+v", after.Open)
	}
	var all struct {
		List []struct {
			ID, State, Acknowledged string
			Note                    string `json:"quote_note"`
		} `json:"escalations"`
	}
	text := a.answer(small, "escalations", arguments{"all": true}, &all)
	if e := all.List[0]; e.ID != id || e.State != "acknowledged" || e.Acknowledged != "2026-02-10" || e.Note != "it was" {
		t.Errorf("%+v\n%s", e, text)
	}
}
