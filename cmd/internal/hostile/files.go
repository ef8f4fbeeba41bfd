package hostile

import (
	_ "embed" // for the files
	"fmt"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"unicode/utf16"
)

//go:embed files.txt
var list string

// functions are those of the templates in files.txt.
var functions = template.FuncMap{
	"repeat":    func(n int, text string) string { return strings.Repeat(text, n) },
	"chain":     chain,
	"staircase": staircase,
	"utf16":     inUTF16,
	"act":       actXML,
	"replace":   func(old, replacement, text string) string { return strings.Replace(text, old, replacement, 1) },
	"cut": func(end, text string) string {
		before, _, _ := strings.Cut(text, end)
		return before
	},
	// flow is a state file that is valid with what follows it removed.
	"flow": func() string {
		return "goal: WORD\nstatus: in_progress\nnow: testing\ntimestamp: 2026-01-15T10:00:00Z\n"
	},
	// bomb is ten to the ninth strings when its aliases are expanded, entities the same in XML.
	"bomb": func() string {
		return "k0: &k0 lol\n" + chain(9, "k%[1]d: &k%[1]d ["+strings.Repeat("*k%[2]d, ", 10)+"]\n")
	},
	"entities": func() string {
		return chain(9, "<!ENTITY e%[1]d \""+strings.Repeat("&e%[2]d;", 10)+"\">\n")
	},
}

// files returns the rows of files.txt, with their templates executed.
func files(tb testing.TB) (rows []file) {
	tb.Helper()
	for line := range strings.Lines(list) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), " | ", 4)
		if len(cells) < 4 {
			continue // a comment
		}
		source, err := strconv.Unquote(`"` + strings.ReplaceAll(cells[3], `"`, `\"`) + `"`)
		if err != nil {
			tb.Fatalf("%s: %v", cells[0], err)
		}
		var text strings.Builder
		if err := template.Must(template.New("").Funcs(functions).Parse(source)).Execute(&text, nil); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, file{cells[0], cells[1], strings.TrimPrefix(cells[2], "-"), text.String()})
	}
	return rows
}

// actXML returns a valid ACT handoff with the given text as its task.
func actXML(task ...string) string {
	return "<context_handoff>\n  <metadata>\n    <project>P</project>\n    " +
		"<timestamp>2026-01-12T10:00:00Z</timestamp>\n    <from_session>s</from_session>\n  </metadata>\n" +
		"  <original_task>" + strings.Join(task, "") +
		"</original_task>\n  <work_completed>\n    - one\n  </work_completed>\n  <work_remaining>\n    - WORD" +
		"\n  </work_remaining>\n  <current_state>\n    Phase: 1/2\n    Progress: 50%\n  </current_state>\n" +
		"</context_handoff>\n"
}

// chain returns n times the format, with two arguments: the numbers from 1 to n, and the
// number before each.
func chain(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1, i)
	}
	return b.String()
}

// inUTF16 returns a text in UTF-16 with a byte order mark, in big or little endian.
func inUTF16(big bool, s string) string {
	var b strings.Builder
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(s))...) {
		if big {
			b.Write([]byte{byte(u >> 8), byte(u)})
		} else {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
	}
	return b.String()
}

// staircase returns a Markdown list of n items, each nested in the one before it.
func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}
