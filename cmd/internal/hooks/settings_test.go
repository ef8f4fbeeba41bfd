package hooks_test

import (
	"strings"

	"pgregory.net/rapid"
)

// Settings are drawn as people and programs write them: any white space, comments,
// commas at ends, keys in any order and twice, hooks of others.

// A writer draws one text.
type writer struct {
	t       *rapid.T
	b       strings.Builder
	newline string
}

func drawSettings(t *rapid.T, events ...string) string {
	w := &writer{t: t, newline: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "newline")}
	if rapid.Bool().Draw(t, "mark") {
		w.b.WriteString("\ufeff")
	}
	w.gap()
	if rapid.IntRange(0, 9).Draw(t, "empty") > 0 {
		w.object(3, append([]string{"hooks", "version", "env", "a b", "hooks\\u0020"}, events...), events)
		w.gap()
	}
	return w.b.String()
}

// gap is what may stand between two signs of JSON.
func (w *writer) gap() {
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3}).Draw(w.t, "gaps") {
		switch rapid.IntRange(0, 7).Draw(w.t, "gap") {
		case 0, 1:
			w.b.WriteString(w.newline + strings.Repeat(" ", rapid.IntRange(0, 5).Draw(w.t, "blanks")))
		case 2:
			w.b.WriteString(w.newline + "\t")
		case 3, 4:
			w.b.WriteString(" ")
		case 5:
			w.b.WriteString("/* { \" */")
		case 6:
			w.b.WriteString("// it's [, " + w.newline)
		case 7:
			w.b.WriteString("\t" + w.newline)
		}
	}
}

func (w *writer) object(depth int, names, events []string) {
	w.items("{", "}", func() {
		name := rapid.SampledFrom(names).Draw(w.t, "name")
		w.b.WriteString(`"` + name + `"`)
		w.gap()
		w.b.WriteString(":")
		w.gap()
		switch {
		case name == "hooks":
			w.object(depth-1, append([]string{"Stop"}, events...), events)
		case name == "version":
			w.b.WriteString("1")
		case strings.EqualFold(name, "SessionStart") || name == "PreCompact" || name == "SessionEnd" || name == "Stop":
			w.items("[", "]", w.group)
		default:
			w.any(depth - 1)
		}
	})
}

// group is an element of an event's list: another tool's, or what nobody expects.
func (w *writer) group() {
	w.b.WriteString(rapid.SampledFrom([]string{
		`{"matcher":"startup","hooks":[{"type":"command","command":"other brief --for claude | cat"}]}`,
		`{ "hooks": [ { "type": "command", "command": "echo \"hi\"", "timeout": 3 }, ] }`,
		`{"command":"./mine.sh"}`, `{}`, `null`, `"handex brief --for claude"`, `{"hooks":{}}`, `{"hooks":[]}`,
	}).Draw(w.t, "group"))
}

func (w *writer) items(before, after string, one func()) {
	w.b.WriteString(before)
	w.gap()
	n := rapid.SampledFrom([]int{0, 0, 1, 1, 2, 3}).Draw(w.t, "items")
	for i := range n {
		one()
		w.gap()
		if i+1 < n || rapid.IntRange(0, 3).Draw(w.t, "comma") == 0 {
			w.b.WriteString(",")
			w.gap()
		}
	}
	w.b.WriteString(after)
}

func (w *writer) any(depth int) {
	kind := rapid.IntRange(0, 5).Draw(w.t, "kind")
	switch {
	case kind == 0 && depth > 0:
		w.object(depth, []string{"x", "hooks", "SessionStart"}, nil)
	case kind == 1 && depth > 0:
		w.items("[", "]", func() { w.any(depth - 1) })
	default:
		w.b.WriteString(rapid.SampledFrom([]string{`"a\\\"b"`, "1.50", "true", "null", `""`, `"\u00e9//"`, "-0e5"}).Draw(w.t, "scalar"))
	}
}
