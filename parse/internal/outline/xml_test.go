package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/source"
)

const fullXML = `<?xml version="1.0" encoding="UTF-8"?>
<context_handoff version="1.0">
  <metadata>
    <project>Lantern v2</project>
    <timestamp>2026-03-04T10:30:00Z</timestamp>
    <from_session>main-session</from_session>
    <to_agent></to_agent>
  </metadata>

  <original_task>
    <!-- Full description of the goal -->
    Move the importer to streaming
  </original_task>

  <work_completed>
    <!-- Completed actions,
         with timestamps -->
    - [10:30] Split the reader
      and its tests
    - ✅ Measured memory
  </work_completed>
  <attempted_approaches>
    - In place: ❌ Too slow
    - Use <b>buffers</b> of List&lt;String&gt; &amp; friends
    <![CDATA[- Raw a < b && c &amp; d]]>
  </attempted_approaches>
  <current_state>Phase: 4/6 | Progress: 60%</current_state>
</context_handoff>
`

const delegatedXML = `<context_handoff>
  <metadata>
    <project>Webshop</project>
    <to_agent>review-agent</to_agent>
  </metadata>
  <original_task>
    Review the session module
  </original_task>
  <critical_context>
    - Tokens live for 1 hour
  </critical_context>
  <files_touched>
    - src/session/token.ts (created)
    - src/session/refresh.ts
  </files_touched>
  <recommendations>
    - Focus on validation
  </recommendations>
</context_handoff>
`

const rootlessXML = `# Where we are

<original_task>
Parse List<String> & keep a < b, even if x --> y
</original_task>

Some loose prose.

<work_remaining>
## Now
1. Handle ` + "`<work_remaining>`" + ` in text
   - nested 🎉

## Later
` + "```go\nif a < b && c > d {}\n```" + `
</work_remaining>
<current_state>Phase: {{PHASE}}</current_state>
<project_backlog>
Nothing yet
</project_backlog>
`

func actTags(name string) bool {
	switch name {
	case "original_task", "work_completed", "work_remaining", "attempted_approaches", "critical_context",
		"current_state", "files_touched", "recommendations":
		return true
	}
	return false
}

func readXML(text string) outline.Outline {
	return outline.ReadXML(text, 0, source.NewLines(text), actTags)
}

func TestReadXML(t *testing.T) {
	checkShapes(t, readXML, []shapeCase{
		{"everything", fullXML, shape{
			head: "Full description of the goal\nCompleted actions,\n         with timestamps",
			fields: []string{
				`context_handoff.version = "1.0"`, `metadata.project = "Lantern v2"`, `metadata.timestamp = "2026-03-04T10:30:00Z"`,
				`metadata.from_session = "main-session"`, `metadata.to_agent = null`,
			},
			sections: []string{
				"original_task: Move the importer to streaming",
				"work_completed: - [10:30] Split the reader\n  and its tests\n- ✅ Measured memory",
				"attempted_approaches: - In place: ❌ Too slow\n- Use <b>buffers</b> of List<String> & friends\n- Raw a < b && c &amp; d",
				"current_state: Phase: 4/6 | Progress: 60%",
			},
		}},
		{"delegation", delegatedXML, shape{
			fields: []string{`metadata.project = "Webshop"`, `metadata.to_agent = "review-agent"`},
			sections: []string{
				"original_task: Review the session module", "critical_context: - Tokens live for 1 hour",
				"files_touched: - src/session/token.ts (created)\n- src/session/refresh.ts", "recommendations: - Focus on validation",
			},
		}},
		{"without a root", rootlessXML, shape{
			head: "# Where we are",
			sections: []string{
				"original_task: Parse List<String> & keep a < b, even if x --> y",
				": Some loose prose.",
				"work_remaining: ## Now\n1. Handle `<work_remaining>` in text\n   - nested 🎉\n\n## Later\n```go\nif a < b && c > d {}\n```",
				"current_state: Phase: {{PHASE}}",
				"project_backlog: Nothing yet",
			},
		}},
		{"one line", "<h><metadata><project>p</project></metadata><current_state>a</current_state><x-y>b</x-y></h>", shape{
			fields: []string{`metadata.project = "p"`}, sections: []string{"current_state: a", "x-y: b"},
		}},
		{"one section", "<current_state>\n  a &amp; b\n</current_state>", shape{sections: []string{"current_state: a & b"}}},
		{"code fence", "```xml\n<h>\n<current_state>a</current_state>\n</h>\n```\n", shape{sections: []string{"current_state: a"}}},
		{"attributes", `<h a='1 &lt; 2'><current_state b="" c = "d">e</current_state><work_completed/></h>`, shape{
			fields:   []string{`h.a = "1 < 2"`, `current_state.b = null`, `current_state.c = "d"`},
			sections: []string{"current_state: e", "work_completed: "},
		}},
		{"text in metadata", "<h><metadata>\n  Session: 4\n  <project>p</project>\n</metadata></h>", shape{
			fields: []string{`metadata.project = "p"`}, sections: []string{"metadata: Session: 4"},
		}},
		{"duplicate", "<h>\n<current_state>a</current_state>\n<current_state>b</current_state>\n</h>", shape{
			sections: []string{"current_state: a", "current_state: b"},
			problems: []string{"warning xml.dup-tag:3 a second <current_state>: both are read"},
		}},
		{"text only", "No tags, a < b.\n", shape{head: "No tags, a < b."}},
		{"empty", "", shape{}},
	})
}

func TestReadBrokenXML(t *testing.T) {
	t.Parallel()
	checkShapes(t, readXML, []shapeCase{
		{"ampersand", "<h>\n<metadata>\n<project>R&D</project>\n</metadata>\n<current_state>\n  a &amp; b\n</current_state>\n</h>\n", shape{
			fields: []string{`metadata.project = "R&D"`}, sections: []string{"current_state: a &amp; b"},
			problems: []string{"warning xml.not-well-formed:3 not well-formed XML: invalid character entity &D (no semicolon): only its section tags are read"},
		}},
		{"generics", "<h>\n<current_state>\nList<String> a < b\n</current_state>\n<next_step>\nb\n</next_step>\n</h>\n", shape{
			sections: []string{"current_state: List<String> a < b", "next_step: b"},
			problems: []string{"warning xml.not-well-formed:3 not well-formed XML: expected element name after <: only its section tags are read"},
		}},
		{"prose around", "Here it is:\n```xml\n<h>\n<current_state>a</current_state>\n</h>\n```\nDone.\n", shape{
			head: "Here it is:", sections: []string{"current_state: a", ": Done."},
			problems: []string{"warning xml.not-well-formed:1 not well-formed XML: text outside of the root element: only its section tags are read"},
		}},
		{"second root", "<h>\n<current_state>a</current_state>\n</h>\n<k>\n<current_state>b</current_state>\n</k>\n", shape{
			sections: []string{"current_state: a", "current_state: b"},
			problems: []string{
				"warning xml.not-well-formed:4 not well-formed XML: a second root element <k>: only its section tags are read",
				"warning xml.dup-tag:5 a second <current_state>: both are read",
			},
		}},
		{"cut", "<h>\n<current_state>\n  a\n</current_state>\n<work_completed>\n  - b\n  - c", shape{
			sections: []string{"current_state: a", "work_completed: - b\n- c"},
			problems: []string{
				"warning xml.unclosed:5 <work_completed> is not closed",
				"warning xml.not-well-formed:7 not well-formed XML: unexpected EOF: only its section tags are read",
			},
		}},
		{"unclosed in the middle", "<h>\n<work_completed>\n- a\n<current_state>b</current_state>\n<recommendations>\n- c\n</h>\n", shape{
			sections: []string{"work_completed: - a", "current_state: b", "recommendations: - c"},
			problems: []string{
				"warning xml.unclosed:2 <work_completed> is not closed",
				"warning xml.unclosed:5 <recommendations> is not closed",
				"warning xml.not-well-formed:7 not well-formed XML: element <recommendations> closed by </h>: only its section tags are read",
			},
		}},
		{"mention of itself", "<current_state>\nthe <current_state> tag & more\n</current_state>\n<work_completed>\nb\n</work_completed>\n", shape{
			sections: []string{"current_state: the <current_state> tag & more", "work_completed: b"},
		}},
		{"forgotten twice", "<work_completed>\na\n<work_completed>\nb\n</work_completed>\n", shape{
			sections: []string{"work_completed: a", "work_completed: b"},
			problems: []string{
				"warning xml.unclosed:1 <work_completed> is not closed",
				"warning xml.dup-tag:3 a second <work_completed>: both are read",
			},
		}},
		{"entity bomb", "<!DOCTYPE h [\n<!ENTITY lol \"lollol\">\n<!ENTITY lol2 \"&lol;&lol;\">\n]>\n<h>\n<current_state>&lol2;</current_state>\n</h>\n", shape{
			head:     "<!DOCTYPE h [\n<!ENTITY lol \"lollol\">\n<!ENTITY lol2 \"&lol;&lol;\">\n]>",
			sections: []string{"current_state: &lol2;"},
			problems: []string{"warning xml.doctype:1 the DOCTYPE is not expanded: only its section tags are read"},
		}},
		{"stray tags", "</h>\n<current_state>a</current_state>\n</b>\n", shape{
			head: "</h>", sections: []string{"current_state: a", ": </b>"},
		}},
	})
}

func TestXMLRoots(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		fullXML:     "[context_handoff]",
		rootlessXML: "[]",
		"<a><recommendations>x</recommendations></a>\n<c>\n<current_state>y</current_state>\n</c>": "[a c]",
		"<a>text, then <b>bold</b></a>":                             "[]",
		"<a>\n<b>x</b>\n</a>\n<current_state>y & z</current_state>": "[]",
	} {
		if got := fmt.Sprint(readXML(text).Roots); got != want {
			t.Errorf("%q: roots %s, want %s", text, got, want)
		}
	}
}

func TestXMLPlaces(t *testing.T) {
	t.Parallel()
	o := readXML(fullXML)
	span := func(s source.Span) string { return fullXML[s.Start:s.End] }
	if got, want := span(o.Fields[0].Span)+span(o.Fields[1].Span), "1.0Lantern v2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	done := o.Sections[1]
	if got := span(done.Span); !strings.HasPrefix(got, "<work_completed>\n") || !strings.HasSuffix(got, "</work_completed>") {
		t.Errorf("section span %q", got)
	}
	if got, want := fmt.Sprint(done.Lines), "[18 19 20]"; got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
}

func TestXMLLimits(t *testing.T) {
	t.Parallel()
	nest := func(n int) string {
		return "<h><current_state>" + strings.Repeat("<a>", n-2) + strings.Repeat("</a>", n-2) + "</current_state></h>"
	}
	for _, c := range []struct{ name, text, problem string }{
		{"depth at the bound", nest(64), ""},
		{"depth over it", nest(65), "warning xml.depth:1 nested more than 64 levels deep: only its section tags are read"},
		{"depth beyond measure", nest(100_000), "warning xml.depth:1 nested more than 64 levels deep: only its section tags are read"},
		{"tokens over the bound", "<h><current_state>" + strings.Repeat("<a/>", 50_000) + "</current_state></h>", "warning xml.too-large:1 more than 100000 tags and texts: only its section tags are read"},
		{"size over the bound", "<h><current_state>" + strings.Repeat("x", mebi) + "</current_state></h>", "warning xml.too-large:1 more than 1024 KiB of XML: only its section tags are read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := readXML(c.text)
			if got := strings.Join(show(o).problems, "\n"); got != c.problem {
				t.Errorf("got %q, want %q", got, c.problem)
			}
			if len(o.Sections) != 1 || o.Sections[0].Key != "current_state" {
				t.Errorf("got %d sections", len(o.Sections))
			}
		})
	}
}

// wellFormed draws a text that is XML, with what makes scanners stumble.
func wellFormed(t *rapid.T) string {
	body := rapid.SampledFrom([]string{
		"plain", "\n  - a\n  - b\n", "\n## Head\n\ntext\n", "a &lt; b &amp;&amp; c &gt; d", "do <b>this</b> now",
		"<!-- hint -->\n x", "<![CDATA[<current_state> & raw]]>", "<!-- <work_completed> -->", "\n<note>\n  deep <i>er</i>\n</note>\n",
		"\n<recommendations>inner</recommendations>\n", "<a><a>x</a></a>", `<a href="x > y"/>`, "&#65;&#x42;", "🎉 {{X}}", "", "]] > -->",
	})
	name := rapid.SampledFrom([]string{
		"current_state", "work_completed", "original_task", "metadata", "x", "next-step", "Odd.Name", "recommendations",
	})
	between := rapid.SampledFrom([]string{"", "\n", "\n  ", "\n<!-- between -->\n", "\nloose text\n", "\n  see <em>this</em>\n", " text <x>y</x> "})
	attrs := rapid.SampledFrom([]string{"", "", ` a="b"`, " a='&quot;' b=\"c\"", " "})
	var b strings.Builder
	root := rapid.SampledFrom([]string{"context_handoff", "h", "h", "current_state", "metadata"}).Draw(t, "root")
	b.WriteString(rapid.SampledFrom([]string{"", "<?xml version=\"1.0\"?>\n", "<!-- first -->\n", "```xml\n"}).Draw(t, "before"))
	fenced := strings.HasPrefix(b.String(), "```")
	fmt.Fprintf(&b, "<%s%s>%s", root, attrs.Draw(t, "attrs"), between.Draw(t, "between"))
	for range rapid.IntRange(0, 5).Draw(t, "sections") {
		n := name.Draw(t, "name")
		fmt.Fprintf(&b, "<%s%s>%s</%s>%s", n, attrs.Draw(t, "attrs"), body.Draw(t, "body"), n, between.Draw(t, "between"))
	}
	fmt.Fprintf(&b, "</%s>\n", root)
	if fenced {
		b.WriteString("```\n")
	}
	return b.String()
}

func TestWellFormedXML(t *testing.T) {
	t.Parallel()
	for _, text := range []string{fullXML, delegatedXML} {
		checkWellFormed(t, text)
	}
	rapid.Check(t, func(t *rapid.T) { checkWellFormed(t, wellFormed(t)) })
}

func checkWellFormed(t failer, text string) {
	t.Helper()
	o := readXML(text)
	for _, p := range o.Problems {
		if p.Rule != "xml.dup-tag" {
			t.Fatalf("%s\n%+v", text, p)
		}
	}
	checkPlaces(t, text, o)
	checkWords(t, text, o)
}

func TestXMLMutantsLoseNoWord(t *testing.T) {
	t.Parallel()
	checkMutants(t, readXML, "<>/&;\"'=!-[]`\n ?{}é", fullXML, delegatedXML, rootlessXML)
}

func TestXMLIsQuick(t *testing.T) {
	t.Parallel()
	checkQuick(t, readXML, map[string]string{
		"open tags":       filled("<a>", mebi/4),
		"open lines":      filled("<a>\n", mebi/4),
		"distinct tags":   numbered("<a%d>\n", mebi/4),
		"known tags":      filled("<current_state>\n", mebi/4),
		"roots":           filled("<x>\n<current_state>\n", mebi/4),
		"pairs":           filled("<a></a>\n", mebi/4),
		"empty tags":      filled("<a/>", mebi/4),
		"closing tags":    filled("</a>", mebi/4),
		"deep":            strings.Repeat("<a>", 100_000) + strings.Repeat("</a>", 100_000),
		"less than":       filled("<", mebi/4),
		"comments":        filled("<!---->", mebi/4),
		"open comments":   filled("<!--", mebi/4),
		"open CDATA":      filled("<![CDATA[", mebi/4),
		"attributes":      "<a " + filled("b='c' ", mebi/4) + ">",
		"open attributes": filled("<a b='", mebi/4),
		"half attributes": filled("<a b='' c", mebi/4),
		"metadata":        "<metadata>" + filled("<a>x</a>", mebi/4) + "</metadata>",
		"commented":       "<metadata>" + filled("<!--a--><a>x</a>", mebi/4) + "</metadata>",
		"broken root":     "<r>" + filled("<a>&</a>", mebi/4) + "</r>",
		"mentions":        filled("<current_state> `<current_state>`\n", mebi/4),
		"crossed":         filled("<current_state><a>\n</current_state>\n", mebi/4),
		"entities":        "<!DOCTYPE h [" + filled("<!ENTITY a \"b\">\n", mebi/4) + "]><h>&a;</h>",
		"blanks":          filled("<a  \n ", mebi/4),
	})
}

func FuzzReadXML(f *testing.F) {
	fuzzShape(f, readXML, fullXML, delegatedXML, rootlessXML,
		"<a><!-- x --><b>&lt;</b><![CDATA[<c>]]></a>", "<metadata>x<a b='c'>y</a>", "<a>\n<b>\n</a>\n<a/>")
}
