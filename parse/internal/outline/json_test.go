package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/OWNER/handex/parse/internal/outline"
)

const pausedJSON = `{
  "version": "1.0",
  "phase": 21,
  "plan": 0,
  "status": "paused",
  "completed_tasks": [
    {"id": "20-01", "name": "Write the scanner stub", "status": "done", "commit": null}
  ],
  "remaining_tasks": [],
  "blockers": [
    {
      "description": "Certificates expired in staging",
      "type": "human_action",
      "workaround": "none\nask operations"
    }
  ],
  "decisions": ["Keep the old parser", "Ship behind a flag"],
  "next_action": "Renew \"wildcard\" \u2014 then rerun",
  "owner": {"name": "Ada", "shift": {"start": 9.50, "on": true}}
}
`

func TestReadJSON(t *testing.T) {
	t.Parallel()
	checkShapes(t, outline.ReadJSON, []shapeCase{
		{"paused work", pausedJSON, shape{
			head: "name\ndescription", // the keys left out in front of elements
			fields: []string{
				`version = "1.0"`, `phase = "21"`, `plan = "0"`, `status = "paused"`, `remaining_tasks = []`,
				`decisions = [Keep the old parser | Ship behind a flag]`, `next_action = "Renew \"wildcard\" — then rerun"`,
				`owner.name = "Ada"`, `owner.shift.start = "9.50"`, `owner.shift.on = "true"`,
			},
			sections: []string{
				"completed_tasks: - Write the scanner stub — id: 20-01; status: done; commit: null",
				"blockers: - Certificates expired in staging — type: human_action\n  - workaround:\n    none\n    ask operations",
				"decisions: - Keep the old parser\n- Ship behind a flag",
				"owner: - name: Ada\n- shift:\n  - start: 9.50\n  - on: true",
			},
		}},
		{"list at the top", `[{"task": "a", "n": 1}, "b", [1, 2]]`, shape{head: "task", sections: []string{": - a — n: 1\n- b\n-\n  - 1\n  - 2"}}},
		{"scalar at the top", `"text"`, shape{sections: []string{": text"}}},
		{"null", `{"a": null, "b": "null", "c": "", "d": {}}`, shape{
			fields: []string{`a = null`, `b = "null"`, `c = ""`, `d = ""`},
		}},
		{"numbers as written", `{"a": 1e400, "b": -0.10, "c": 12345678901234567890}`, shape{
			fields: []string{`a = "1e400"`, `b = "-0.10"`, `c = "12345678901234567890"`},
		}},
		{"list and lines", "[{\"task\": \"a\"}]\n{\"task\": \"b\"}\n\n{\"x\": [1]}\n", shape{
			head: "task", fields: []string{`task = "b"`, `x = [1]`}, sections: []string{": - a", "x: - 1"},
			problems: []string{"warning json.trailing:2 more than one value in the file: all are read"},
		}},
		{"duplicate keys", "{\"a\": 1,\n\"a\": 2}", shape{
			head: "a: 2", fields: []string{`a = "1"`},
			problems: []string{`warning json.dup-key:2 key "a" occurs twice: the value on line 1 is used`},
		}},
		{"empty", "", shape{}},
	})
}

func TestSalvageJSON(t *testing.T) {
	t.Parallel()
	checkShapes(t, outline.ReadJSON, []shapeCase{
		{"lost comma", "{\n  \"goal\": \"go \\\"on\\\"\"\n  \"n\": 12,\n  \"deep\": {\"status\": \"x\"},\n  \"goal\": \"again\",\n  \"z\": null\n}\n", shape{
			fields:   []string{`goal = "go \"on\""`, `n = "12"`, `z = null`},
			sections: []string{": {\n  \"goal\": \"go \\\"on\\\"\"\n  \"n\": 12,\n  \"deep\": {\"status\": \"x\"},\n  \"goal\": \"again\",\n  \"z\": null\n}"},
			problems: []string{`error json.syntax:3 not JSON: invalid character '"' after object key:value pair`},
		}},
		{"cut", "{\"goal\": \"a\",\n \"now\": \"b", shape{
			fields: []string{`goal = "a"`}, sections: []string{": {\"goal\": \"a\",\n \"now\": \"b"},
			problems: []string{"error json.syntax:2 not JSON: the text ends too early"},
		}},
		{"broken tail", "{\"a\": \"b\"}\nnot json,\n\"c\": \"d\"\n", shape{
			fields: []string{`a = "b"`, `c = "d"`}, sections: []string{": not json,\n\"c\": \"d\""},
			problems: []string{"error json.syntax:2 not JSON: invalid character 'o' in literal null (expecting 'u')"},
		}},
		{"lost quote", "{\n\"a\": \"b,\n\"c\": \"d\"\n}", shape{
			fields: []string{`c = "d"`}, sections: []string{": {\n\"a\": \"b,\n\"c\": \"d\"\n}"},
			problems: []string{`error json.syntax:2 not JSON: invalid character '\n' in string literal`},
		}},
		{"prose", "no JSON at all", shape{
			sections: []string{": no JSON at all"},
			problems: []string{"error json.syntax:1 not JSON: invalid character 'o' in literal null (expecting 'u')"},
		}},
	})
}

func TestJSONLimits(t *testing.T) {
	t.Parallel()
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ name, text, problem string }{
		{"depth at the bound", nest(64), ""},
		{"depth over it", nest(65), "warning json.depth:1 nested more than 64 levels deep: only the outermost pairs are read"},
		{"values at the bound", "[" + strings.Repeat("1,", 99_998) + "1]", ""},
		{"values over it", "[" + strings.Repeat("1,", 100_000) + "1]", "warning json.too-large:1 more than 100000 values: only the outermost pairs are read"},
		{"size over the bound", `["` + strings.Repeat("x", mebi) + `"]`, "warning json.too-large:0 more than 1024 KiB of JSON: only its outermost pairs are read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := outline.ReadJSON(c.text)
			if got := strings.Join(show(o).problems, "\n"); got != c.problem {
				t.Errorf("got %q, want %q", got, c.problem)
			}
			checkPlaces(t, c.text, o)
		})
	}
}

func TestJSONSpans(t *testing.T) {
	t.Parallel()
	o := outline.ReadJSON(pausedJSON)
	want := map[string]string{
		"phase": "21", "status": `"paused"`, "remaining_tasks": "[]", "owner.shift.on": "true",
		"next_action": `"Renew \"wildcard\" \u2014 then rerun"`, "decisions": `["Keep the old parser", "Ship behind a flag"]`,
	}
	for _, f := range o.Fields {
		got := pausedJSON[f.Span.Start:f.Span.End]
		if w, ok := want[f.Key]; ok && got != w {
			t.Errorf("%s: got %q, want %q", f.Key, got, w)
		}
	}
	blockers := o.Sections[1]
	if got := pausedJSON[blockers.Span.Start:blockers.Span.End]; !strings.HasPrefix(got, "\"blockers\": [\n") || !strings.HasSuffix(got, "}\n  ]") {
		t.Errorf("blockers span %q", got)
	}
	if got, want := fmt.Sprint(blockers.Lines), "[11 14 14 14]"; got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
}

func TestJSONMutantsLoseNoWord(t *testing.T) {
	t.Parallel()
	checkMutants(t, outline.ReadJSON, ":\"{}[],\n 1.-é", strings.NewReplacer(`\"`, "", `\n`, " ", `\u2014`, "").Replace(pausedJSON))
}

func TestJSONIsQuick(t *testing.T) {
	t.Parallel()
	checkQuick(t, outline.ReadJSON, map[string]string{
		"lists":        filled("[", mebi),
		"deep numbers": strings.Repeat("[", 63) + filled("1,", mebi-100) + "1" + strings.Repeat("]", 63),
		"objects":      "[" + filled(`{"a":1},`, mebi-10) + "1]",
		"lines":        filled("{\"a\":\"b\"}\n", mebi),
		"numbers":      filled("1 ", mebi),
		"quotes":       filled(`"`, mebi),
		"open quotes":  filled("\"\n", mebi),
		"backslashes":  filled(`"\`, mebi),
		"colons":       filled(`"a":`, mebi),
		"pairs":        "{" + filled(`"a":"b",`, 4*mebi),
		"keys":         "{" + numbered(`"k%d":x`, 4*mebi),
		"deep objects": filled(`{"a":`, mebi),
		"string":       `"` + strings.Repeat("x", mebi-2) + `"`,
	})
}

func FuzzReadJSON(f *testing.F) {
	fuzzShape(f, outline.ReadJSON, pausedJSON, "[1]\n{\"a\": \"b\\u00e9\"}", `{"a": "b`, "{\"a\nb\": [{}, {\"c\": [[]]}]}")
}
