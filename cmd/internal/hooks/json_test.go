package hooks_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/hooks"
)

// Where an entry goes, and how it is laid out.
func TestInstall(t *testing.T) {
	// entry, list and members are what is added, at an indentation.
	at := func(indent, text string) string { return strings.ReplaceAll(text, "\n", "\n"+indent) }
	entry := func(indent string) string {
		return at(indent, "{\n  \"command\": \"handex brief --for cursor\",\n  \"timeout\": 10\n}")
	}
	list := func(indent string) string {
		return at(indent, "\"sessionStart\": [\n  "+entry("  ")+"\n]")
	}
	members := func(indent string) string {
		return at(indent, "\"hooks\": {\n  "+list("  ")+"\n}")
	}
	const short = `{"command": "handex brief --for cursor", "timeout": 10}`
	tabs := func(text string) string { return strings.ReplaceAll(text, "  ", "\t") }
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "{\n  \"version\": 1,\n  " + members("  ") + "\n}\n"},
		{"white space", " \n", "{\n  \"version\": 1,\n  " + members("  ") + "\n}\n"},
		{"empty object", "{}\n", "{\n  \"version\": 1,\n  " + members("  ") + "\n}\n"},
		{"other keys", "{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  " + members("  ") + "\n}"},
		{"one line", `{"a":1}`, `{"a":1, "hooks": {"sessionStart": [` + short + `]}}`},
		{"empty hooks", "{\n\t\"hooks\": {},\n}", "{\n\t\"hooks\": {\n\t\t" + tabs(list("    ")) + "\n\t},\n}"},
		{"empty hooks, open", "{\n  \"hooks\": {\n  }\n}", "{\n  \"hooks\": {\n    " + list("    ") + "\n  }\n}"},
		{"empty list", `{"hooks":{"sessionStart":[]}}`, "{\"hooks\":{\"sessionStart\":[\n  " + entry("  ") + "\n]}}"},
		{"comment in an empty list", "{\"hooks\":{\"sessionStart\":[ // none\n ]}}", "{\"hooks\":{\"sessionStart\":[ // none\n  " + entry("  ") + "\n]}}"},
		{"another event", `{"hooks":{"stop":[]}}`, `{"hooks":{"stop":[], "sessionStart": [` + short + `]}}`},
		{"other entries", `{"hooks":{"sessionStart":[{"command":"x"}]}}`, `{"hooks":{"sessionStart":[{"command":"x"}, ` + short + `]}}`},
		{"comma at the end", `{"hooks":{"sessionStart":[{"command":"x"} , ],},}`, `{"hooks":{"sessionStart":[{"command":"x"} , ` + short + `, ],},}`},
		{
			"comments", "{\"hooks\":{\"sessionStart\":[\n {} // a\n // b\n]}}",
			"{\"hooks\":{\"sessionStart\":[\n {}, // a\n // b\n " + entry(" ") + "\n]}}",
		},
		{"comment to the end of the line", "{\"hooks\":{\"sessionStart\":[{} // a\n]}}", "{\"hooks\":{\"sessionStart\":[{}, // a\n" + short + "\n]}}"},
		{"comment to the end of the file", "{\n  \"a\": 1\n} // c", "{\n  \"a\": 1,\n  " + members("  ") + "\n} // c"},
		{"CRLF", "{\r\n\t\"version\": 1\r\n}\r\n", "{\r\n\t\"version\": 1,\r\n\t" + strings.ReplaceAll(tabs(members("  ")), "\n", "\r\n") + "\r\n}\r\n"},
		{"byte order mark", "\ufeff{\n  \"a\": 1 }", "\ufeff{\n  \"a\": 1,\n  " + members("  ") + " }"},
		{"escaped key", `{"hook\u0073":{"stop":[]}}`, `{"hook\u0073":{"stop":[], "sessionStart": [` + short + `]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := jsonFiles(t)["cursor"].Install([]byte(c.text), entries("cursor", "handex", false))
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// What is there already is renewed in its place; one of several is left.
func TestInstallRenews(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"path", `{"hooks":{"sessionStart":[{"command":"/old/handex brief --for cursor","timeout":5,"x":1},1]}}`, `{"hooks":{"sessionStart":[{"command":"handex brief --for cursor","timeout":5,"x":1},1]}}`},
		{"flags", `{"hooks":{"sessionStart":[{"command":"'/my tools/handex.exe' brief --budget 99 --for=cursor"}]}}`, `{"hooks":{"sessionStart":[{"command":"handex brief --for cursor"}]}}`},
		{"name of the program", `{"hooks":{"sessionStart":[{"command":"hx brief --for cursor"}]}}`, `{"hooks":{"sessionStart":[{"command":"handex brief --for cursor"}]}}`},
		{"twice", `{"hooks":{"sessionStart":[{"command":"handex brief --for cursor"},{"command":"\"C:/x/handex.exe\" brief --for cursor"}]}}`, `{"hooks":{"sessionStart":[{"command":"handex brief --for cursor"}]}}`},
		{
			"the user's own", `{"hooks":{"sessionStart":[{"command":"handex brief --for claude"},{"command":"handex brief --for cursor | tee x"}],"stop":[{"command":"handex brief --for cursor"}]}}`,
			`{"hooks":{"sessionStart":[{"command":"handex brief --for claude"},{"command":"handex brief --for cursor | tee x"}, {"command": "handex brief --for cursor", "timeout": 10}],"stop":[{"command":"handex brief --for cursor"}]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := jsonFiles(t)["cursor"].Install([]byte(c.text), entries("cursor", "handex", false))
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestInstallRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, "line 1, column 2: parsing value: unexpected EOF"},
		{"{\n  \"a\": 1\n  \"b\": 2\n}", `line 3, column 3: invalid character '"' after object value (expecting ',' or '}')`},
		{"// mine\n", "line 2, column 1: parsing value: unexpected EOF"},
		{`{"a":1}}`, "line 1, column 8: invalid character '}' after top-level value"},
		{"{\n \"a\": [{\"b\": 1,\n \"\\u0062\": 2}]}", `line 3, column 2: the key "b" occurs twice`},
		{"\ufeff{'a':1}", `line 1, column 2: invalid character '\'' at start of value`},
		{"[]", "line 1, column 1: the file is an array, but must be an object"},
		{" 12", "line 1, column 2: the file is a number, but must be an object"},
		{"{\n\"hooks\": []}", "line 2, column 10: hooks is an array, but must be an object"},
		{`{"hooks":null}`, "line 1, column 10: hooks is null, but must be an object"},
		{`{"hooks":{"SessionStart":{}}}`, "line 1, column 26: hooks.SessionStart is an object, but must be an array"},
		{`{"hooks":{"SessionStart":"x"}}`, "line 1, column 26: hooks.SessionStart is a string, but must be an array"},
		{"\x00", `line 1, column 1: invalid character '\u0000' at start of value`},
		{strings.Repeat("[", 100_001), "too large for a settings file: more than 100000 brackets"},
		{strings.Repeat("[", 4<<20), "too large for a settings file: more than 100000 brackets"},
		{strings.Repeat("[", 100_000), "line 1, column 100001: parsing value: unexpected EOF"},
	} {
		got, err := jsonFiles(t)["claude"].Install([]byte(c.text), entries("claude", "handex", false))
		if err == nil || err.Error() != c.want || got != nil {
			t.Errorf("%.40q: %v, %q", c.text, err, got)
		}
	}
}

// Where the text was edited meanwhile, the entry goes with what held nothing else,
// and comments stay.
func TestUninstallOfEdited(t *testing.T) {
	const entry = `{"command": "handex brief --for cursor", "timeout": 10}`
	for _, c := range []struct{ name, text, want string }{
		{"laid out anew", "{\n \"version\": 1,\n \"hooks\": {\"sessionStart\": [\n     " + entry + "\n ]}\n}", "{\n \"version\": 1\n}"},
		{"alone", "{\n\n \"hooks\": {\"sessionStart\": [\n     " + entry + "\n ]}\n}", "{}"},
		{"in the middle", `{"hooks":{"sessionStart":[1,` + entry + ` /* c */, 2]}}`, `{"hooks":{"sessionStart":[1, /* c */ 2]}}`},
		{"first", `{"hooks":{"sessionStart":[ ` + entry + `, 2]}}`, `{"hooks":{"sessionStart":[ 2]}}`},
		{"with a comma", `{"hooks":{"stop":[],"sessionStart":[` + entry + `,]}}`, `{"hooks":{"stop":[]}}`},
		{"with comments", "{\"hooks\":{\"sessionStart\":[ // mine\n" + entry + "]}}", "{\"hooks\":{\"sessionStart\":[ // mine\n]}}"},
		{"twice", `{"hooks":{"sessionStart":[` + entry + `,` + entry + `]},"a":1}`, `{"a":1}`},
		{"none", `{"hooks":{"sessionStart":[]}}`, `{"hooks":{"sessionStart":[]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := jsonFiles(t)["cursor"].Uninstall([]byte(c.text))
			if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// No bytes make the editor panic; what it makes of JSON is JSON, and can be undone.
func FuzzInstall(f *testing.F) {
	for _, text := range []string{"", "{}", "// c", "\ufeff{ }", `{"hooks":{"SessionStart":[ {}, ]}}`, `{"version":1,"hooks":{"sessionStart":[{"command":"handex brief --for cursor"}]}}`, "{\r\n\t\"hooks\": {\r\n\t}\r\n}"} {
		f.Add([]byte(text), false)
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, saves bool) {
		for name, file := range jsonFiles(t) {
			if found, err := file.Entries(text); err != nil || len(found) > 0 {
				back, err := file.Uninstall(text)
				if rest, errRest := file.Entries(back); err == nil && (errRest != nil || len(rest) > 0) {
					t.Fatalf("%v %v in %q of %q", rest, errRest, back, text)
				}
				if _, err := file.Install(text, entries(name, "handex", saves)); err != nil {
					return
				}
				continue
			}
			if installed, err := file.Install(text, entries(name, "handex", saves)); err == nil {
				checkUndone(t, file, text, installed, entries(name, "handex", saves))
			}
		}
	})
}

func TestWords(t *testing.T) {
	for command, want := range map[string][]string{
		"handex brief --for claude":        {"handex", "brief", "--for", "claude"},
		` "C:/my tools/handex.exe"  brief`: {"C:/my tools/handex.exe", "brief"},
		`& 'C:/my tools/handex.exe' brief`: {"C:/my tools/handex.exe", "brief"},
		`'/it'\''s/handex' brief`:          {"/it's/handex", "brief"},
		`a"b c"'d e'\ f`:                   {"ab cd e f"},
		"":                                 nil,
		"handex brief | cat":               nil,
		"handex brief; rm x":               nil,
		"FOO=1 handex brief":               nil,
		`"$HOME/handex" brief`:             nil,
		"'open":                            nil,
		`end\`:                             nil,
		"handex brief > x":                 nil,
		"handex $(brief)":                  nil,
		"handex brief --for claude\nhandex brief": nil,
	} {
		if diff := cmp.Diff(want, hooks.Words(command)); diff != "" {
			t.Errorf("%q\n%s", command, diff)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		shell      hooks.Shell
		path, want string
	}{
		{hooks.POSIX, "/usr/bin/handex", "/usr/bin/handex"},
		{hooks.POSIX, "/my tools/it's/handex", `'/my tools/it'\''s/handex'`},
		{hooks.POSIX, "/a$b`c\"d/handex", "'/a$b`c\"d/handex'"},
		{hooks.POSIX, "/ü/handex", "'/ü/handex'"},
		{hooks.CommandPrompt, "C:/tools/handex.exe", "C:/tools/handex.exe"},
		{hooks.CommandPrompt, "C:/my tools/handex.exe", `"C:/my tools/handex.exe"`},
		{hooks.PowerShell, "C:/it's/handex.exe", "& 'C:/it''s/handex.exe'"},
	} {
		if got := c.shell.Quote(c.path); got != c.want {
			t.Errorf("%s is %s, want %s", c.path, got, c.want)
		}
	}
}
