package hostile

import (
	"fmt"
	"strings"
)

// aliasBomb returns ten to the ninth strings, were its aliases expanded.
func aliasBomb() string {
	return "k0: &k0 lol\n" + chain(9, "k%[1]d: &k%[1]d ["+strings.Repeat("*k%[2]d, ", 10)+"]\n")
}

// flowYAML returns a state file with these lines that is fine but for them.
func flowYAML(lines string) string {
	return "goal: WORD\nstatus: in_progress\nnow: testing\ntimestamp: 2026-01-15T10:00:00Z\n" + lines
}

func yaml() []file {
	return []file{
		{"docs/handoffs/alias-bomb.yaml", Problem, `yaml\.`, flowYAML(aliasBomb())},
		{
			"docs/handoffs/merge-chain.yaml", Problem, `yaml\.`,
			flowYAML(chain(2000, "k%[1]d: &k%[1]d {<<: *k%[2]d, a%[1]d: 1}\n")),
		},
		{"docs/handoffs/many-keys.yaml", Problem, `yaml\.`, flowYAML(chain(20_000, "key%[1]d: %[2]d\n"))},
		{"docs/handoffs/deep-flow.yaml", Problem, `yaml\.`, flowYAML("deep: " + strings.Repeat("[", 20_000) +
			strings.Repeat("]", 20_000) + "\n")},
		{"docs/handoffs/big.yaml", Problem, `yaml\.`, flowYAML("notes: |\n" + strings.Repeat("  a line of notes in a block\n",
			20_000))},
		{"docs/handoffs/tabs.yaml", Problem, `yaml\.`, flowYAML("files:\n\t- a.go\n\t- b.go\n")},
		{"docs/handoffs/colon.yaml", Problem, `yaml\.`, flowYAML("hypothesis: Fix: the thing: now\n")},
		{"docs/handoffs/backtick.yaml", Problem, `yaml\.`, flowYAML("hypothesis: `make` is broken\n")},
		{"docs/handoffs/at.yaml", Problem, `yaml\.`, flowYAML("hypothesis: @ada knows\n")},
		{"docs/handoffs/quote.yaml", Problem, `yaml\.`, flowYAML("hypothesis: \"never closed\nfiles:\n- a.go\n")},
		{"docs/handoffs/after-quote.yaml", Problem, `yaml\.`, flowYAML("hypothesis: \"closed\" and more\n")},
		{"docs/handoffs/indent.yaml", Problem, `yaml\.`, flowYAML("files:\n    - a.go\n  - b.go\n")},
		{"docs/handoffs/cut.yaml", Problem, `yaml\.`, flowYAML("files: [a.go, b.go,")},
		{"docs/handoffs/unknown-alias.yaml", Problem, `yaml\.`, flowYAML("hypothesis: *nowhere\n")},
		{"docs/handoffs/same-key.yaml", Problem, `yaml\.`, flowYAML("goal: the second\n")},
		{"docs/handoffs/control.yaml", Problem, `yaml\.`, flowYAML("hypothesis: a \x01\x02 b\n")},
		{"docs/handoffs/tag.yaml", Problem, `yaml\.tag`, flowYAML("hypothesis: !Sha 4be1f07\n")},
		{"docs/handoffs/python-tag.yaml", OK, "", flowYAML("files: !!python/object/apply:os.system [id]\n")},
	}
}

// actXML returns a handoff that is fine but for its task.
func actXML(task string) string {
	return "<context_handoff>\n  <metadata>\n    <project>P</project>\n    " +
		"<timestamp>2026-01-12T10:00:00Z</timestamp>\n    <from_session>s</from_session>\n  </metadata>\n" +
		"  <original_task>" + task +
		"</original_task>\n  <work_completed>\n    - one\n  </work_completed>\n  <work_remaining>\n    - WORD" +
		"\n  </work_remaining>\n  <current_state>\n    Phase: 1/2\n    Progress: 50%\n  </current_state>\n" +
		"</context_handoff>\n"
}

func xml() []file {
	return []file{
		{".act/handoffs/entity-bomb.xml", Problem, `xml\.`, "<?xml version=\"1.0\"?>\n<!DOCTYPE x [\n" + entities(9) +
			"]>\n" + actXML("&e9;")},
		{
			".act/handoffs/system-entity.xml", Problem, `xml\.`,
			"<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>\n" + actXML("&f;"),
		},
		{".act/handoffs/deep.xml", Problem, `xml\.`, actXML(strings.Repeat("<a>", 10_000) + strings.Repeat("</a>", 10_000))},
		{".act/handoffs/unescaped.xml", Problem, `xml\.`, actXML("a < b && Vec<T>")},
		{".act/handoffs/unknown-entity.xml", Problem, `xml\.`, actXML("one&nbsp;two &bogus; three")},
		{".act/handoffs/cut.xml", Problem, `xml\.`, strings.TrimSuffix(actXML("Cut short"),
			"\n  </work_remaining>\n  <current_state>\n    Phase: 1/2\n    Progress: 50%\n  </current_state>\n"+
				"</context_handoff>\n")},
		{".act/handoffs/mismatched.xml", Problem, `xml\.`, strings.Replace(actXML("Tags cross"), "</work_completed>",
			"</work_done>", 1)},
		{".act/handoffs/charset.xml", Problem, `xml\.|text\.`, "<?xml version=\"1.0\" encoding=\"KOI8-R\"?>\n" +
			actXML("\xe9\xce another alphabet")},
	}
}

func json() []file {
	return []file{
		{"deep/.planning/HANDOFF.json", Problem, `json\.`, `{"next_action": "WORD", "x": ` + strings.Repeat("[", 20_000) +
			strings.Repeat("]", 20_000) + "}\n"},
		{"trailing/.planning/HANDOFF.json", Problem, `json\.`, `{"next_action": "WORD"}` + "\n} and then some\n"},
		{"cut/.planning/HANDOFF.json", Problem, `json\.`, `{"next_action": "WORD", "blockers": [{"description": "cut sho`},
		{"bare/.planning/HANDOFF.json", Problem, `json\.`, "{next_action: 'WORD', // a comment\n}\n"},
	}
}

// chain writes n lines of a format with two arguments, a number and the one
// before it.
func chain(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1, i)
	}
	return b.String()
}

func entities(n int) string {
	return "<!ENTITY e0 \"lol\">\n" +
		chain(n, "<!ENTITY e%[1]d \"&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;&e%[2]d;\">\n")
}
