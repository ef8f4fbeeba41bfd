package brief

import "github.com/OWNER/handex/cmd/internal/render"

// AgentNames returns the names that FindAgent accepts.
func AgentNames() []string { return render.Each(agents, func(a Agent) string { return a.Name }) }
