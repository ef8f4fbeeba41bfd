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
	{Name: "claude", Shape: Plain, Default: Budget{usual, 'c'}, Hook: true, Keeps: true, wrap: hookOutput},
	{Name: "codex", Shape: Plain, Default: Budget{usual, 'b'}, Hook: true, Keeps: true, wrap: hookOutput},
	{Name: "gemini", Shape: Plain, Default: Budget{usual, 'c'}, Hook: true, wrap: hookOutput},
	{Name: "cursor", Shape: Plain, Default: Budget{usual, 'c'}, Hook: true, wrap: contextAs("additional_context")},
	{Name: "opencode", Shape: Plain, Default: Budget{usual, 'c'}},
	{Name: "copilot", Shape: Plain, Default: Budget{usual, 'c'}, Hook: true, wrap: contextAs("additionalContext")},
	{Name: "plain", Shape: Plain, Default: Budget{usual, 'c'}},
	{Name: "markdown", Shape: Markdown, Default: Budget{usual, 'c'}},
	{Name: "json", Shape: JSON, Default: Budget{usual, 'c'}},
	{Name: "xml", Shape: XML, Default: Budget{usual, 'c'}},
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

// contextAs returns a wrap into an object that holds the text alone.
func contextAs(key string) func(text, message string) any {
	return func(text, _ string) any { return map[string]string{key: strings.TrimSuffix(text, "\n")} }
}
