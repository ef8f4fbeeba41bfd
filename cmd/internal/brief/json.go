package brief

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON is an object for programs: schema 1, the project, how many handoffs it has,
// blocks of lines with what we know of each ("note") and what the handoff says
// ("quote"), and facts about the briefing itself ("closing").
var JSON = Shape{
	open: func(b *Briefing) string {
		return `{"schema":1,"project":` + quoted(b.Project) + `,"handoffs":` + quoted(b.Total) + `,"blocks":[` + "\n"
	},
	head: func(b Block) string {
		return `{"name":` + quoted(b.Name) + `,"head":` + quoted(b.Head) + `,"lines":[` + "\n"
	},
	line:    func(l Line) string { return quoted(wireLine(l)) + ",\n" },
	tail:    func() string { return "]},\n" },
	closing: func(text string) string { return "\x01" + quoted(text) + ",\n" },
	end:     func(*Briefing) string { return `],"closing":[]}` + "\n" },
	join: func(text string) string {
		blocks, closing, found := strings.Cut(text, "\x01")
		if found {
			blocks += `],"closing":[` + strings.ReplaceAll(strings.TrimSuffix(closing, `],"closing":[]}`+"\n"), "\x01", "") + "]}\n"
		}
		return strings.ReplaceAll(blocks, ",\n]", "\n]")
	},
}

type wireLine struct {
	Note  string `json:"note,omitempty"`
	Quote string `json:"quote,omitempty"`
}

// quoted is a value in JSON, in which no line ends and no control character
// stands.
func quoted(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null" // strings and numbers have a form
	}
	return strings.TrimSuffix(b.String(), "\n")
}
