package write_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse/write"
)

const editedYAML = `# .flow-guardian/handoff.yaml
goal: "Implement user authentication with JWT"
status: in_progress  # in_progress | completed | blocked
now: "Debugging token expiry in auth.py"
outcome: null  # null until resolved
files:   # what I touch
  - src/auth.py  # main
  - tests/test_auth.py
team: &t {lead: ana}
text: |
  two
  status: no key
copy: *t
`

func one(key, value string) write.YAMLSet {
	return write.YAMLSet{Key: key, Values: []string{value}}
}

func TestEditYAML(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		set        []write.YAMLSet
		want       string
	}{
		{
			"scalars, the comments beside them stay", editedYAML,
			[]write.YAMLSet{one("status", "completed"), one("outcome", "off by one: fixed"), {Key: "now"}},
			strings.NewReplacer(
				"in_progress  #", "completed  #", "outcome: null", `outcome: "off by one: fixed"`, `now: "Debugging token expiry in auth.py"`, "now: null",
			).Replace(editedYAML),
		},
		{
			"a list", editedYAML,
			[]write.YAMLSet{{Key: "files", Values: []string{"a b.go", "x.go"}}},
			strings.Replace(editedYAML, "  - src/auth.py  # main\n  - tests/test_auth.py\n", "  - \"a b.go\"\n  - x.go\n# main\n", 1),
		},
		{
			"a list becomes a scalar", editedYAML,
			[]write.YAMLSet{one("files", "none")},
			strings.Replace(editedYAML, "files:   # what I touch\n  - src/auth.py  # main\n  - tests/test_auth.py\n", "files: none   # what I touch\n# main\n", 1),
		},
		{
			"a block of text", editedYAML,
			[]write.YAMLSet{one("text", "one\ntwo")},
			strings.Replace(editedYAML, "text: |\n  two\n  status: no key\n", "text: \"one\\ntwo\"\n", 1),
		},
		{"appended", editedYAML, []write.YAMLSet{one("branch", "fix/jwt"), {Key: "tags", Values: []string{"no"}, List: true}}, editedYAML + "branch: fix/jwt\ntags:\n  - \"no\"\n"},
		{"a list at the margin", "files:\n- a\n- b\nnow: x\n", []write.YAMLSet{{Key: "files", Values: []string{"c", "0123"}}}, "files:\n- c\n- \"0123\"\nnow: x\n"},
		{"a value that was missing", "goal:\nnow:   # soon\n", []write.YAMLSet{one("goal", "g"), one("now", "n")}, "goal: g\nnow: \"n\"   # soon\n"},
		{"an empty list", "files: []\n", []write.YAMLSet{{Key: "files", Values: []string{"a"}, List: true}}, "files:\n  - a\n"},
		{"emptied", "files:\n  - a\nnow: x", []write.YAMLSet{{Key: "files", List: true}}, "files: []\nnow: x"},
		{"empty", "", []write.YAMLSet{one("goal", "g")}, "goal: g\n"},
		{"comments only", "# c\n\n", []write.YAMLSet{one("goal", "g")}, "# c\n\ngoal: g\n"},
		{"a marker only", "%YAML 1.1\n# c\n---\n", []write.YAMLSet{one("goal", "g")}, "%YAML 1.1\n# c\n---\ngoal: g\n"},
		{"no newline at the end", "goal: x", []write.YAMLSet{one("now", "y")}, "goal: x\nnow: \"y\"\n"},
		{"a block without newline at the end", "goal: x\nnow: |\n  a", []write.YAMLSet{one("status", "s")}, "goal: x\nstatus: s\nnow: |\n  a"},
		{"duplicates", "goal: a\nnow: b\ngoal: c\n", []write.YAMLSet{one("goal", "d")}, "goal: d\nnow: b\ngoal: d\n"},
		{"the same key inside", "a:\n  goal: x\ngoal: y\n", []write.YAMLSet{one("goal", "z")}, "a:\n  goal: x\ngoal: z\n"},
		{"two documents", "goal: a\n---\ngoal: b\n", []write.YAMLSet{one("goal", "c"), one("now", "d")}, "goal: c\nnow: d\n---\ngoal: b\n"},
		{"CRLF and BOM", "\ufeffgoal: a\r\nnow: b\r\n", []write.YAMLSet{one("goal", "c"), {Key: "files", Values: []string{"x", "y"}}}, "\ufeffgoal: c\r\nnow: b\r\nfiles:\r\n  - x\r\n  - \"y\"\r\n"},
		{"braces", `{"goal": "a", now: b} # c`, []write.YAMLSet{one("goal", "d"), one("e", "f, g"), {Key: "now", Values: []string{"h", "i"}}}, `{"goal": d, now: [h, i], e: "f, g"} # c`},
		{"empty braces", "{}\n", []write.YAMLSet{one("goal", "d")}, "{goal: d}\n"},
		{"spaces after the colon", "goal:     a   # c\n", []write.YAMLSet{one("goal", "b")}, "goal:     b   # c\n"},
		{"an anchor and a tag go with their value", "goal: !x &a b\n", []write.YAMLSet{one("goal", "b")}, "goal: b\n"},
		{"a quoted key", "\"goal\" : a\n", []write.YAMLSet{one("goal", "b")}, "\"goal\" : b\n"},
		{"an indented mapping", "  goal: a\n  now: b\n", []write.YAMLSet{one("x", "c")}, "  goal: a\n  now: b\n  x: c\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := write.EditYAML([]byte(tt.text), tt.set)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestEditYAMLRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"- a\n", "the text is not a YAML mapping"},
		{"word\n", "the text is not a YAML mapping"},
		{"goal: [a\n", "not YAML: yaml: line 1: did not find expected ',' or ']'"},
		{"x: 1\n? goal\n: b\n", `line 2: "goal" cannot be set without changing something else`},
		{"goal: &a b\nnow: *a\n", `line 1: "goal" cannot be set without changing something else`},
		{"goal: \xff\n", "not YAML text: 1 bytes are not UTF-8; read as \ufffd"},
		{strings.Repeat("a: "+strings.Repeat("x", 1000)+"\n", 300), "more than 256 KiB of YAML"},
	}
	for _, tt := range tests {
		if got, err := write.EditYAML([]byte(tt.text), []write.YAMLSet{one("goal", "c")}); err == nil || err.Error() != tt.want {
			t.Errorf("%.40q: got %q, %v, want %s", tt.text, got, err, tt.want)
		}
	}
}

// A yamlEntry is a part of a text, which nobody may change who does not set its
// key.
type yamlEntry struct{ key, text string }

var yamlValues = []string{
	" plain", " \"quoted # \\u00e9\"", " 'single '' quote'", " |\n  block\n  goal: no key\n\n  # no comment", " >-\n  folded\n  text", " |+\n  kept\n\n",
	"\n  - a\n  - b # beside\n  # between\n  - c", "\n- at\n- margin", " [a, 'b, c', {d: e}]", " {goal: nested, x: [1]}", "\n  goal: nested\n  now:\n    - deep", "", " null", " ~",
	" 2026-01-17T10:30:00Z", " yes", " 0123", " first line\n  second line", " \"two\n  lines\"", " !!str 12", " !tag x", " &anchor text", "\n  # before\n  late", " x#y", " - x\n", "\n  -\n  - b\n  -", " 'a'   ",
}

var yamlKeys = []string{"goal", "now", "status", "files", "timestamp", "session_id", "x y", "\"q: k\"", "'s'", "1", "yes", "é"}

// yamlText draws the entries of a text which is YAML most of the time.
func yamlText(t *rapid.T) (entries []yamlEntry, eol string) {
	entry := rapid.Custom(func(t *rapid.T) yamlEntry {
		key := rapid.SampledFrom(yamlKeys).Draw(t, "key")
		text := key + ":" + rapid.SampledFrom(yamlValues).Draw(t, "value")
		text += rapid.SampledFrom([]string{"", "", "", " # beside", "\n# below", "\n\n", "\n  # inside"}).Draw(t, "end") + "\n"
		return yamlEntry{strings.Trim(key, `"'`), text}
	})
	entries = rapid.SliceOfN(entry, 0, 6).Draw(t, "entries")
	head := rapid.SampledFrom([]string{"", "", "# head\n", "---\n", "\ufeff# x\n", "# a\n--- # b\n"}).Draw(t, "head")
	tail := rapid.SampledFrom([]string{"", "", "# end", "...\n", "---\ngoal: other\n"}).Draw(t, "tail")
	entries = append([]yamlEntry{{"", head}}, append(entries, yamlEntry{"", tail})...)
	eol = rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "eol")
	for i := range entries {
		entries[i].text = strings.ReplaceAll(entries[i].text, "\n", eol)
	}
	return entries, eol
}

func joinEntries(entries []yamlEntry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.text)
	}
	return b.String()
}

// hostileText are strings that trip a writer of YAML.
var hostileText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
	"null", "~", "no", "Yes", "on", "y", "0123", "1_000", "0x1F", "1e3", ".5", ".inf", "12:30:45", "2026-01-17", "2026-01-17T10:30:00Z", "<<", "=", "", " ", " lead", "trail ", "- dash", "-", "? q", "a: b", "a:", "a #b", "#c",
	"\"", "'", "\\", "it's \"both\"", "a\nb", "a\n\n b\n", "\t", "tab\tbed", "\u0085", "\u2028", "\ufeff", "\u202egnal", "\x00", "\x1b[31m", "\u007f", "]]>", "<&>", "[a", "{b", "*x", "&y", "!z", "%d", "@e", "`f`", "|", ">", "---", "...", "```", "HUMAN REVIEW NEEDED", "日本語", "e\u0301", "😀", "\uffff",
}))

func drawSet(t *rapid.T) write.YAMLSet {
	return write.YAMLSet{
		Key:    rapid.SampledFrom([]string{"goal", "now", "files", "x y", "new key", "no", "1"}).Draw(t, "set"),
		Values: rapid.SliceOfN(hostileText, 0, 3).Draw(t, "values"), List: rapid.Bool().Draw(t, "list"),
	}
}

// stays reports whether every entry of another key stands in the edited text,
// byte for byte and in order.
func stays(entries []yamlEntry, key, edited string) error {
	for i := 0; i < len(entries); i++ {
		run := ""
		for i < len(entries) && (entries[i].key != key || i == 0) {
			run += entries[i].text
			i++
		}
		at := strings.Index(edited, run)
		if at < 0 || run == "" {
			// a new key may stand before the last entry
			if run = strings.TrimSuffix(run, entries[len(entries)-1].text); run != "" && !strings.Contains(edited, strings.TrimRight(run, "\r\n")) {
				return fmt.Errorf("%q is gone from %q", run, edited)
			}
			continue
		}
		edited = edited[at+len(run):]
	}
	return nil
}

func TestEditsKeepTheRest(t *testing.T) {
	t.Parallel()
	done, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		entries, _ := yamlText(t)
		text := joinEntries(entries)
		before, err := topLevel(text)
		if err != nil {
			t.Skip("no mapping")
		}
		set := drawSet(t)
		edited, err := write.EditYAML([]byte(text), []write.YAMLSet{set})
		if err != nil {
			refused++
			return
		}
		done++
		after, err := topLevel(string(edited))
		if err != nil {
			t.Fatalf("%q: %v", edited, err)
		}
		if err := sameEntries(before, after, set); err != nil {
			t.Fatalf("%q became %q: %v", text, edited, err)
		}
		if err := stays(entries, set.Key, string(edited)); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	})
	if refused*10 > done {
		t.Errorf("%d texts edited, %d refused", done, refused)
	}
}

// topLevel lists the keys and values of the first document, as texts.
func topLevel(text string) ([][2]string, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode && root.Value != "" {
		return nil, fmt.Errorf("no mapping")
	}
	var out [][2]string
	for i := 0; i+1 < len(root.Content); i += 2 {
		var b strings.Builder
		describe(&b, root.Content[i+1])
		out = append(out, [2]string{root.Content[i].Value, b.String()})
	}
	return out, nil
}

func describe(b *strings.Builder, n *yaml.Node) {
	fmt.Fprintf(b, "%s %q", n.Tag, n.Value)
	for _, c := range n.Content {
		b.WriteString("(")
		describe(b, c)
		b.WriteString(")")
	}
}

// sameEntries compares all entries but those of the key that is set, and these
// with what was set.
func sameEntries(before, after [][2]string, set write.YAMLSet) error {
	isSet := func(e [2]string) bool { return e[0] == set.Key }
	want := `!!null "null"`
	switch {
	case set.List || len(set.Values) > 1:
		want = `!!seq ""`
		for _, v := range set.Values {
			want += fmt.Sprintf("(!!str %q)", v)
		}
	case len(set.Values) == 1:
		want = fmt.Sprintf("!!str %q", set.Values[0])
	}
	n := 0
	for _, e := range after {
		if isSet(e) {
			n++
			if e[1] != want {
				return fmt.Errorf("%s is %s, not %s", e[0], e[1], want)
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("%q is not there", set.Key)
	}
	if b, a := slices.DeleteFunc(before, isSet), slices.DeleteFunc(after, isSet); !slices.Equal(b, a) {
		return fmt.Errorf("others were %v, are %v", b, a)
	}
	return nil
}

func FuzzEditYAML(f *testing.F) {
	f.Add([]byte(editedYAML), "goal", "a: b", false)
	f.Add([]byte("{a: 1}"), "a", "x\ny", true)
	f.Add([]byte("? a\n: b\r\n"), "b", "", true)
	for _, v := range yamlValues {
		f.Add([]byte("goal:"+v+"\nnow: x"), "goal", "null", false)
	}
	f.Fuzz(func(t *testing.T, text []byte, key, value string, list bool) {
		set := write.YAMLSet{Key: key, Values: []string{value}, List: list}
		before, err := topLevel(string(text))
		edited, failed := write.EditYAML(text, []write.YAMLSet{set})
		if failed != nil || err != nil {
			return
		}
		after, err := topLevel(string(edited))
		if err != nil {
			t.Fatalf("%q became %q: %v", text, edited, err)
		}
		if err := sameEntries(before, after, set); err != nil {
			t.Fatalf("%q became %q: %v", text, edited, err)
		}
	})
}
