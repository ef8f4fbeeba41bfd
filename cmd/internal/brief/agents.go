package brief

import "strings"

// An Agent is a reader of briefings: a coding agent, or a plain form of output.
type Agent struct {
	// Name is its name in --for and in handoffs.
	Name string
	// Shape writes the text. Default is the budget if no other is given; it is below
	// the limit of the agent.
	Shape   Shape
	Default Budget
	// Hook says that the agent writes a JSON object to the standard input.
	Hook bool
	// Keeps says that a resumed session still has its first briefing and needs no
	// second one. Gemini CLI drops the output of hooks.
	Keeps bool
	// wrap returns the object that the agent reads; message is for the person at the
	// agent, "" if there is none. If wrap is nil, the agent reads the text itself.
	wrap func(text, message string) any
}

// usual is well below the 10,000 characters or bytes that agents accept.
const usual = 8000

// agents are all readers, the coding agents first.
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

// AgentNames returns the names that FindAgent accepts.
func AgentNames() []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	return names
}

// FindAgent returns the reader with a name.
func FindAgent(name string) (Agent, bool) {
	for _, a := range agents {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// IsAgent reports whether the reader is a coding agent and not a plain form of output.
func (a Agent) IsAgent() bool { return a.Hook || a.Name == "opencode" }

// Write returns a briefing as the agent accepts it. The budget limits the text that the
// agent's model reads, without the JSON around it.
func (a Agent) Write(b *Briefing) string {
	text := a.Shape.Write(b)
	if a.wrap == nil {
		return text
	}
	return toJSON(a.wrap(text, b.Message))
}

// hookOutput returns the output of a SessionStart hook. It has no other keys, because
// Codex refuses them.
func hookOutput(text, message string) any {
	var out struct {
		HookSpecificOutput struct {
			HookEventName     string `json:"hookEventName"`
			AdditionalContext string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
		SystemMessage string `json:"systemMessage,omitempty"`
	}
	out.HookSpecificOutput.HookEventName = "SessionStart"
	out.HookSpecificOutput.AdditionalContext = strings.TrimSuffix(text, "\n")
	out.SystemMessage = message
	return out
}

// contextAs returns a wrap function for an object that contains only the text.
func contextAs(key string) func(text, message string) any {
	return func(text, _ string) any { return map[string]string{key: strings.TrimSuffix(text, "\n")} }
}
