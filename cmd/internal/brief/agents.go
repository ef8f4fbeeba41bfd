package brief

import "strings"

// An Agent is how a coding agent takes a briefing.
type Agent struct {
	// Name is how --for and handoffs call it.
	Name string
	// Shape is what the text is written in, Default its budget where none is
	// given, under the limit of the agent.
	Shape   Shape
	Default Budget
	// Hook says that the agent writes a JSON object to the standard input.
	Hook bool
	// Keeps says that a resumed session has the briefing of its beginning, and would be
	// given a second one. Gemini CLI drops what hooks said.
	Keeps bool
	// wrap puts the text into what the agent reads; message is for the person at
	// the agent, "" if there is none. nil is the text as it is.
	wrap func(text, message string) any
}

// usual is far enough under the 10,000 characters or bytes that agents allow.
const usual = 8000

// agents are all forms, the agents first.
var agents = []Agent{
	{"claude", Plain, Budget{usual, 'c'}, true, true, hookOutput},
	{"codex", Plain, Budget{usual, 'b'}, true, true, hookOutput},
	{"gemini", Plain, Budget{usual, 'c'}, true, false, hookOutput},
	{"cursor", Plain, Budget{usual, 'c'}, true, false, cursorOutput},
	{"opencode", Plain, Budget{usual, 'c'}, false, false, nil},
	{"copilot", Plain, Budget{usual, 'c'}, true, false, copilotOutput},
	{"plain", Plain, Budget{usual, 'c'}, false, false, nil},
	{"markdown", Markdown, Budget{usual, 'c'}, false, false, nil},
	{"json", JSON, Budget{usual, 'c'}, false, false, nil},
	{"xml", XML, Budget{usual, 'c'}, false, false, nil},
}

// AgentNames returns the names FindAgent knows.
func AgentNames() []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	return names
}

// FindAgent returns the form with a name.
func FindAgent(name string) (Agent, bool) {
	for _, a := range agents {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// IsAgent reports whether the form is an agent's and not only a way of writing.
func (a Agent) IsAgent() bool { return a.Hook || a.Name == "opencode" }

// Write writes a briefing as the agent accepts it. The budget is of the text that
// the agent gets to read.
func (a Agent) Write(b *Briefing) string {
	text := a.Shape.Write(b)
	if a.wrap == nil {
		return text
	}
	return toJSON(a.wrap(text, b.Message))
}

// The objects agents read have no other keys: Codex refuses them.

type sessionStart struct {
	HookEventName     string `json:"hookEventName"`
	AdditionalContext string `json:"additionalContext"`
}

type hookAnswer struct {
	HookSpecificOutput sessionStart `json:"hookSpecificOutput"`
	SystemMessage      string       `json:"systemMessage,omitempty"`
}

func hookOutput(text, message string) any {
	return hookAnswer{sessionStart{"SessionStart", strings.TrimSuffix(text, "\n")}, message}
}

type cursorAnswer struct {
	AdditionalContext string `json:"additional_context"`
}

func cursorOutput(text, _ string) any { return cursorAnswer{strings.TrimSuffix(text, "\n")} }

type copilotAnswer struct {
	AdditionalContext string `json:"additionalContext"`
}

func copilotOutput(text, _ string) any { return copilotAnswer{strings.TrimSuffix(text, "\n")} }
