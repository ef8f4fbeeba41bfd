package write_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

func TestAppendLog(t *testing.T) {
	t.Parallel()
	entry := []write.YAMLSet{one("source_file", "discussion/058-codex-response.md"), one("generated_at", "2026-02-09"), {Key: "branch"}}
	const written = "  - source_file: discussion/058-codex-response.md\n    generated_at: \"2026-02-09\"\n    branch: null\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "version: 1\nmax_entries: 50\nentries:\n" + written},
		{"no entries", "version: 1\nentries: []\n", "version: 1\nentries:\n" + written},
		{"null", "version: 1\nentries:\nmore: x\n", "version: 1\nentries:\n" + written + "more: x\n"},
		{
			"comments and unknown keys", "# ours\nversion: 1 # first\nowner: ann\nmax_entries: 2\nentries:\n  - {source_file: a, n: 1}\n  # the second\n  - source_file: b\n",
			"# ours\nversion: 1 # first\nowner: ann\nmax_entries: 2\nentries:\n  # the second\n  - source_file: b\n" + written,
		},
		{"a number that is none", "max_entries: many\nentries: [a]\n", "max_entries: many\nentries:\n  - a\n" + written},
	} {
		got, err := write.AppendLog([]byte(c.text), entry)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestAppendLogRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"a: [", "not YAML: yaml: line 1: did not find expected node content"},
		{"- a\n", "the text is not a YAML mapping"},
		{"version: 1\nentries: none\n", "line 2: entries is not a list"},
		{"a: 1\n---\nb: 2\n", "2 documents in one file"},
		{strings.Repeat("# x\n", 70_000), "more than 256 KiB of YAML"},
	} {
		got, err := write.AppendLog([]byte(c.text), nil)
		if err == nil || err.Error() != c.want || got != nil {
			t.Errorf("%.20q: %v, want %s", c.text, err, c.want)
		}
	}
}

// The log keeps its newest entries, in order, and is read as past handoffs.
func TestLogIsKeptShort(t *testing.T) {
	t.Parallel()
	var text []byte
	for i := range 60 {
		var err error
		n := strconv.Itoa(100 + i)
		text, err = write.AppendLog(text, []write.YAMLSet{one("source_file", "discussion/"+n+"-codex-response.md"), one("from", "codex"), one("to", "claude"), one("status", "sent"), one("generated_at", "2026-02-09")})
		if err != nil {
			t.Fatal(err)
		}
	}
	docs := parse.Parse(parse.Source{Path: "shop/meta/handoff-log.yaml", Bytes: text})
	if len(docs) != 50 {
		t.Fatalf("%d handoffs", len(docs))
	}
	for i, d := range docs {
		want := "discussion/" + strconv.Itoa(110+i) + "-codex-response.md"
		if got := fieldValue(d, "source"); got != want {
			t.Errorf("entry %d is of %s, want %s", i, got, want)
		}
	}
}

func fieldValue(d *parse.Document, key string) string {
	for _, f := range d.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}
