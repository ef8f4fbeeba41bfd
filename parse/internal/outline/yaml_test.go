package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse/internal/outline"
)

const flowYAML = `# Written by the session guard
# Do not edit by hand
goal: Move the importer to streaming
status: in_progress
now: "Replace the buffer: step 2 of 5"
hypothesis: null
files:
- src/importer.go
- src/buffer.go
timestamp: '2026-03-04T10:30:00.123456+00:00'
`

const streamYAML = `---
session: importer
date: 2026-03-04
status: partial
---

goal: Stream the importer
done_this_session:
  - task: Split the reader
    files: [src/reader.go, src/lines.go]
  - task: Measured memory
blockers: []
decisions:
  - bounded_buffer: keep 64 KiB, because larger gains nothing
next:
  - Wire the writer
files:
  created: []
  modified:
    - src/reader.go
`

const stateYAML = `project: lantern
updated: 2026-04-03
items:
- id: lantern-1
  name: ci-tiers
  status: open
  title: Enforce tiers in checks
  description: |
    Branch protection is prose only.
    See docs/tiers.md
  extra: []
log:
- date: 20260403
  summary: Added tiers
  commits: [!Sha abc1234]
policy:
  merge:
    squash: true
    reviewers: 2
`

func TestReadYAML(t *testing.T) {
	t.Parallel()
	checkShapes(t, outline.ReadYAML, []shapeCase{
		{"flow guardian", flowYAML, shape{
			head: "Written by the session guard\nDo not edit by hand",
			fields: []string{
				`goal = "Move the importer to streaming"`, `status = "in_progress"`,
				`now = "Replace the buffer: step 2 of 5"`, `hypothesis = null`,
				`files = [src/importer.go | src/buffer.go]`, `timestamp = "2026-03-04T10:30:00.123456+00:00"`,
			},
			sections: []string{"files: - src/importer.go\n- src/buffer.go"},
		}},
		{"two documents", streamYAML, shape{
			head: "task", // the key left out in front of elements
			fields: []string{
				`session = "importer"`, `date = "2026-03-04"`, `status = "partial"`, `goal = "Stream the importer"`,
				`blockers = []`, `next = [Wire the writer]`, `files.created = []`, `files.modified = [src/reader.go]`,
			},
			sections: []string{
				"done_this_session: - Split the reader\n  - files:\n    - src/reader.go\n    - src/lines.go\n- Measured memory",
				"decisions: - bounded_buffer: keep 64 KiB, because larger gains nothing",
				"next: - Wire the writer",
				"files: - created:\n- modified:\n  - src/reader.go",
			},
		}},
		{"items and log", stateYAML, shape{
			head: "!Sha\ntitle\nsummary",
			fields: []string{
				`project = "lantern"`, `updated = "2026-04-03"`, `policy.merge.squash = "true"`, `policy.merge.reviewers = "2"`,
			},
			sections: []string{
				"items: - Enforce tiers in checks — id: lantern-1; name: ci-tiers; status: open\n" +
					"  - description:\n    Branch protection is prose only.\n    See docs/tiers.md\n  - extra:",
				"log: - Added tiers — date: 20260403\n  - commits:\n    - abc1234",
				"policy: - merge:\n  - squash: true\n  - reviewers: 2",
			},
			problems: []string{"warning yaml.tag:15 tag !Sha is unknown: the value is read as written"},
		}},
		{"scalars keep their text", "a: no\nb: 0123\nc: 12e5\nd: 1_000\ne: 2026-01-02\nf: =\ng: ~\nh:\ni: ''\nj: 'null'\n", shape{
			fields: []string{
				`a = "no"`, `b = "0123"`, `c = "12e5"`, `d = "1_000"`, `e = "2026-01-02"`, `f = "="`,
				`g = null`, `h = null`, `i = ""`, `j = "null"`,
			},
		}},
		{"texts of many lines", "a: |\n  one\n    two\n\nb: >-\n  one\n  two\nc: one\n  two\n", shape{
			fields: []string{`a = "one\n  two\n"`, `b = "one two"`, `c = "one two"`},
		}},
		{"list at the top", "- a\n- b: 1\n- - c\n", shape{sections: []string{": - a\n- b: 1\n-\n  - c"}}},
		{"scalar at the top", "just some text\n", shape{sections: []string{": just some text"}}},
		{"empty", "", shape{}},
		{"comments only", "# nothing yet\n", shape{head: "nothing yet"}},
		{"comments everywhere", "a: b # beside\n# between\nc: [d, # inside\n  e]\n", shape{
			head: "beside\nbetween\ninside", fields: []string{`a = "b"`, `c = [d | e]`}, sections: []string{"c: - d\n- e"},
		}},
		{"comment in a value", "goal: fix issue #12 now\npr: #7\nok: a # b\n", shape{
			head: "12 now\n7\nb", fields: []string{`goal = "fix issue"`, `pr = null`, `ok = "a"`},
			problems: []string{
				`warning yaml.comment-in-value:1 the value ends before "#12 now": put it in quotes to keep the rest`,
				`warning yaml.comment-in-value:2 the value ends before "#7": put it in quotes to keep the rest`,
			},
		}},
		{"tags and anchors", "a: !foo bar\nb: !!str 12\nc: &mark d\n", shape{
			head: "!foo\n!!str\n&mark", fields: []string{`a = "bar"`, `b = "12"`, `c = "d"`},
			problems: []string{"warning yaml.tag:1 tag !foo is unknown: the value is read as written"},
		}},
		{"aliases", "base: &b {x: y}\nuse: *b\n<<: *b\n", shape{
			head: "&b", fields: []string{`base.x = "y"`, `use = "*b"`, `<< = "*b"`}, sections: []string{"base: - x: y"},
			problems: []string{
				"warning yaml.alias:2 alias *b is not followed: the value is its name",
				"warning yaml.alias:3 alias *b is not followed: the value is its name",
			},
		}},
		{"three documents", "a: 1\n---\na: 2\n---\nb: 3\n", shape{
			fields:   []string{`a = "1"`, `a = "2"`, `b = "3"`},
			problems: []string{"warning yaml.multi-doc:4 3 documents in one file: all are read"},
		}},
		{"duplicate keys", "a: first\nb: [x]\na: second\nb: [y]\nc: {d: 1, d: 2}\n", shape{
			head: "a: second", fields: []string{`a = "first"`, `b = [x]`, `c.d = "1"`},
			sections: []string{"b: - x", "b: - y", "c: - d: 1\n- d: 2"},
			problems: []string{
				`warning yaml.dup-key:3 key "a" occurs twice: the value on line 1 is used`,
				`warning yaml.dup-key:4 key "b" occurs twice: the value on line 2 is used`,
				`warning yaml.dup-key:5 key "d" occurs twice: the value on line 5 is used`,
			},
		}},
		{"odd keys", "? [a, b]\n: c\n1: d\ntrue: e\n\"f g\": h\n", shape{
			fields: []string{`[a, b] = "c"`, `1 = "d"`, `true = "e"`, `f g = "h"`},
		}},
	})
}

func TestSalvageYAML(t *testing.T) {
	t.Parallel()
	syntax := func(line int, message string) []string {
		return []string{fmt.Sprintf("error yaml.syntax:%d not YAML: %s; read line by line", line, message)}
	}
	const nested = `a value contains ": "`
	checkShapes(t, outline.ReadYAML, []shapeCase{
		{"colon in a value", "goal: Fix: the thing\nnow: next step\n", shape{
			fields: []string{`goal = "Fix: the thing"`, `now = "next step"`}, problems: syntax(1, nested),
		}},
		{"colon further down", "# top\ngoal: a\n\nnow: Fix: the thing\n", shape{
			head: "top", fields: []string{`goal = "a"`, `now = "Fix: the thing"`}, problems: syntax(4, nested),
		}},
		{"back quote", "now: `go test` fails\n", shape{
			fields: []string{"now = \"`go test` fails\""}, problems: syntax(1, "a value begins with a character that YAML reserves"),
		}},
		{"at", "to: @alex\n", shape{
			fields: []string{`to = "@alex"`}, problems: syntax(1, "a value begins with a character that YAML reserves"),
		}},
		{"per cent", "progress: %60\n", shape{
			fields: []string{`progress = "%60"`}, problems: syntax(1, "a value begins with a character that YAML reserves"),
		}},
		{"text behind quotes", "next:\n- \"x\" and y\n- z\n", shape{
			sections: []string{"next: - \"x\" and y\n- z"},
			problems: syntax(2, "text follows a closing quote or bracket"),
		}},
		{"unclosed quote", "goal: \"half\nnow: b\n", shape{
			fields: []string{`goal = "\"half"`, `now = "b"`}, problems: syntax(1, "a quote is never closed"),
		}},
		{"tabs", "a:\n\tb: c\nd: e\n", shape{
			fields: []string{`d = "e"`}, sections: []string{"a: b: c"},
			problems: syntax(2, "the line is indented with a tab"),
		}},
		{"bad indentation", "a:\n    b: 1\n  c: 2\nd: |\n  text\nd: again\n", shape{
			head: "d: again", fields: []string{`d = "text"`}, sections: []string{"a:   b: 1\nc: 2"},
			problems: syntax(3, "the line is not indented like the lines it belongs to"),
		}},
		{"prose", "Here it is:\n\nSome prose.\n---\n'quoted key': ~\nfoo: 'bar'\nfoo bar\nx: `\n", shape{
			fields:   []string{`Here it is = null`, `quoted key = null`, `foo = "bar"`, "x = \"`\""},
			sections: []string{": Some prose.", ": foo bar"},
			problems: syntax(3, `the line is not "key: value"`),
		}},
		{"unknown anchor", "a: *nobody\n", shape{
			fields: []string{`a = "*nobody"`}, problems: syntax(1, "a value begins with a character that YAML reserves"),
		}},
	})
}

func TestYAMLLimits(t *testing.T) {
	t.Parallel()
	nest := func(n int) string { return "a: " + strings.Repeat("[", n) + strings.Repeat("]", n) }
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: v\n", i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, problem string }{
		{"depth at the bound", nest(31), ""},
		{"depth over it", nest(32), "warning yaml.depth:1 nested more than 32 levels deep: read line by line"},
		{"depth beyond the parser", strings.Repeat("[", 50_000), "warning yaml.depth:1 nested more than 32 levels deep: read line by line"},
		{"keys at the bound", keys(1000), ""},
		{"keys over it", keys(1001), "warning yaml.too-large:1 more than 1000 keys: read line by line"},
		{"many keys", keys(200_000), "warning yaml.too-large:0 more than 256 KiB of YAML: read line by line"},
		{"items at the bound", strings.Repeat("- a\n", 10_000), ""},
		{"items over it", strings.Repeat("- a\n", 10_001), "warning yaml.too-large:1 more than 10000 list items: read line by line"},
		{"documents over the bound", strings.Repeat("--- a\n", 1001), "warning yaml.too-large:1001 more than 1000 documents: read line by line"},
		{"size over the bound", "a: " + strings.Repeat("x", mebi), "warning yaml.too-large:0 more than 256 KiB of YAML: read line by line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := outline.ReadYAML(c.text)
			var got string
			if len(o.Problems) > 0 && !strings.HasPrefix(o.Problems[0].Rule, "yaml.multi") {
				got = show(o).problems[0]
			}
			if got != c.problem {
				t.Errorf("got %q, want %q", got, c.problem)
			}
			checkPlaces(t, c.text, o)
		})
	}
}

func TestYAMLAliasBomb(t *testing.T) {
	t.Parallel()
	text := "a: &a [lol, lol]\n"
	for c := 'b'; c <= 'm'; c++ {
		text += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c]\n", c, c, c-1, c-1, c-1, c-1)
	}
	o := outline.ReadYAML(text)
	if got := len(o.Fields); got != 13 {
		t.Errorf("%d fields, want 13", got)
	}
	last := o.Problems[len(o.Problems)-1]
	if want := "alias *e is not followed: the value is its name (and 28 more)"; last.Message != want || last.Rule != "yaml.alias" {
		t.Errorf("got %+v, want message %q", last, want)
	}
}

func TestYAMLSpans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"plain", "a: b c\n", "b c"},
		{"plain, many lines", "a: b\n  c\nd: e\n", "b\n  c"},
		{"before a comment", "a: b   # c\n", "b"},
		{"double", `a: "b \" c" # d`, `"b \" c"`},
		{"double, backslash", `a: "b\\"`, `"b\\"`},
		{"single", "a: 'b '' c'\n", "'b '' c'"},
		{"single, empty", "a: ''\nb: c\n", "''"},
		{"literal", "a: |- # note\n\n  b # no note\n   c\n\nd: e\n", "b # no note\n   c"},
		{"folded", "a: >2\n    b\n  c\n", "b\n  c"},
		{"after runes", "é: \"日本\"\n", `"日本"`},
		{"after runes in line", "{日本: x, a: b}", "x"},
		{"after a tag", "a: !t &x b\n", "b"},
		{"after NEL", "# x\u0085a: b\u0085", "b"},
		{"null", "a:\nb: c\n", ""},
		{"list", "a: [b, 'c]', {d: e}, [f]] # g\n", "[b, 'c]', {d: e}, [f]]"},
		{"block list", "a:\n- b\n- c\nd: e\n", "- b\n- c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := outline.ReadYAML(c.text)
			checkPlaces(t, c.text, o)
			if len(o.Fields) == 0 {
				s := o.Sections[0].Span
				if got := c.text[s.Start:s.End]; got != "a: "+c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
				return
			}
			f := o.Fields[0].Span
			if got := c.text[f.Start:f.End]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestYAMLSectionPlaces(t *testing.T) {
	t.Parallel()
	o := outline.ReadYAML(stateYAML)
	items := o.Sections[0]
	if s := outline.ReadYAML("\n-\n- a\n-\n").Sections[0]; fmt.Sprint(s.Lines, s.Span) != "[2 3 4] {1 8 2 4}" {
		t.Errorf("empty items: lines %v, span %v", s.Lines, s.Span)
	}
	if got := stateYAML[items.Span.Start:items.Span.End]; !strings.HasPrefix(got, "items:\n- id") || !strings.HasSuffix(got, "extra: []") {
		t.Errorf("items span %q", got)
	}
	want := []int{4, 8, 9, 10, 11}
	if fmt.Sprint(items.Lines) != fmt.Sprint(want) {
		t.Errorf("lines %v, want %v", items.Lines, want)
	}
}

// A styled value is written by hand, so that the reader is not its own judge.
func styledValue(t *rapid.T) (source, value string) {
	word := rapid.StringMatching(`[a-zé日][a-z0-9é日]{0,8}`)
	words := rapid.SliceOfN(word, 1, 5).Draw(t, "words")
	text := strings.Join(words, " ")
	switch rapid.IntRange(0, 5).Draw(t, "style") {
	case 0:
		return strings.Join(words, "\n    "), text
	case 1:
		return `"` + text + `: \"x\""`, text + `: "x"`
	case 2:
		return `'` + text + ` ''x'' #'`, text + ` 'x' #`
	case 3:
		return "|\n    " + strings.Join(words, "\n    ") + "\n", strings.Join(words, "\n") + "\n"
	case 4:
		return ">-\n    " + strings.Join(words, "\n    "), text
	default:
		return text, text
	}
}

func TestYAMLValuesAndSpansMatchTheirSource(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var sources, values []string
		for i := range rapid.IntRange(1, 8).Draw(t, "fields") {
			source, value := styledValue(t)
			sources = append(sources, source)
			values = append(values, value)
			comment := rapid.SampledFrom([]string{"", "\n# note é", "\n\n"}).Draw(t, "comment")
			fmt.Fprintf(&b, "clé%d: %s%s\n", i, source, comment)
		}
		o := outline.ReadYAML(b.String())
		if len(o.Fields) != len(values) || len(o.Problems) != 0 {
			t.Fatalf("%q: %+v", b.String(), o)
		}
		for i, f := range o.Fields {
			source := sources[i]
			if source[0] == '|' || source[0] == '>' {
				_, source, _ = strings.Cut(source, "\n    ")
			}
			got := b.String()[f.Span.Start:f.Span.End]
			if f.Value != values[i] || got != strings.TrimSuffix(source, "\n") {
				t.Fatalf("field %d: value %q, want %q; span %q, want %q", i, f.Value, values[i], got, source)
			}
		}
	})
}

func TestYAMLMutantsLoseNoWord(t *testing.T) {
	t.Parallel()
	checkMutants(t, outline.ReadYAML, ":#\"'-[]{}|>&*!%@`\t\n ,?~.é", flowYAML, streamYAML, stateYAML)
}

func TestYAMLIsQuick(t *testing.T) {
	t.Parallel()
	checkQuick(t, outline.ReadYAML, map[string]string{
		"flow lists":    filled("[", yamlSize),
		"flow maps":     filled("{a: ", yamlSize),
		"block lists":   filled("- ", yamlSize),
		"keys":          numbered("k%d: v\n", yamlSize),
		"nested keys":   "a: {" + numbered("k%d: {a: , b: , c: }, ", 20_000) + "}",
		"one line":      "a: [" + filled("b, ", 29_000) + "]",
		"comments":      filled("# c\n", yamlSize),
		"line comments": filled("- b # c\n", 70_000),
		"hashes":        filled(" #", yamlSize),
		"aliases":       "[&a x, " + filled("*a, ", 39_000) + "]",
		"tags":          filled("- !x y\n", 60_000),
		"documents":     filled("---\n", yamlSize),
		"double quotes": `a: "` + filled(`\x41`, yamlSize) + `"`,
		"single quotes": `a: '` + filled(`''`, yamlSize) + `'`,
		"literal":       "a: |\n" + filled("  x\n", yamlSize),
		"salvage keys":  numbered("k%d: v\n", mebi),
		"salvage lines": filled("a: b\n c\n", mebi),
		"salvage words": filled("a b c ", mebi),
		"tabs":          filled("\t", mebi),
	})
}

func FuzzReadYAML(f *testing.F) {
	fuzzShape(f, outline.ReadYAML, flowYAML, streamYAML, stateYAML,
		"a: &x [1, *x]\n", "? [a]\n: !t |2-\n   x\n", "%YAML 1.1\n--- >\n a\n...\n", "a: Fix: b\n- c\n")
}
