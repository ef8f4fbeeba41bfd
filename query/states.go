package query

import "strings"

// State is a row of the table of states: what stands behind is:.
type State struct {
	Name    string
	Doc     string
	Example string

	where string // condition on the row h; %stale% stands for the stale limit
}

const (
	acked  = "EXISTS (SELECT 1 FROM ack WHERE ack.hid = h.hid AND ack.digest = h.digest)"
	closed = "(h.status IN ('completed', 'sent') OR h.standing = 0 OR " + acked + ")"
)

var states = []State{
	{"open", "not closed", "is:open", "NOT " + closed},
	{"closed", "completed, sent, acknowledged, or overtaken by a newer handoff", "is:closed", closed},
	{"escalated", "asks for a human's review", "is:escalated is:open", "h.escalated = 1"},
	{"blocked", "something stops the work now: by its status, its blockers or a line", "is:blocked", "h.blocked = 1"},
	{"waiting", "asks a person to act, decide, review or provide something", "is:waiting", "h.waiting = 1"},
	{"latest", "the newest of its project and format", "is:latest", "h.latest = 1"},
	{"superseded", "a newer one of the same project and format exists, or its file says something else now", "is:superseded", "h.latest = 0"},
	{"earlier", "kept of a file that says something else now", "is:earlier", "h.earlier = 1"},
	{"stale", "open for longer than the stale limit", "is:stale", "(NOT " + closed + " AND h.date < ?)"},
	{"acked", "acknowledged with handex ack", "is:acked", acked},
	{"delegated", "names who takes over", "is:delegated", "h.recipient <> ''"},
	{"in-progress", "status in-progress", "is:in-progress", "h.status = 'in-progress'"},
	{"completed", "status completed", "is:completed", "h.status = 'completed'"},
	{"pending", "status pending", "is:pending", "h.status = 'pending'"},
	{"sent", "status sent", "is:sent", "h.status = 'sent'"},
	{"failed", "status failed", "is:failed", "h.status = 'failed'"},
	{"valid", "breaks no rule", "is:valid", "h.severity = 0"},
	{"warned", "breaks rules, none of them blocking", "is:warned", "h.severity = 1"},
	{"invalid", "breaks a blocking rule", "is:invalid", "h.severity = 2"},
	{"legacy", "a manifest from before versions", "is:legacy", "h.legacy = 1"},
}

// States is the table of states in the order of the help; the caller must not
// change it.
func States() []State { return states }

var stateSynonyms = map[string]string{
	"in_progress": "in-progress", "inprogress": "in-progress", "unresolved": "open", "finished": "completed", "complete": "completed",
	"newest": "latest", "escalation": "escalated", "acknowledged": "acked", "done": "completed",
}

func lookupState(name string) *State {
	low := strings.ToLower(name)
	if canonical, ok := stateSynonyms[low]; ok {
		low = canonical
	}
	for i := range states {
		if states[i].Name == low {
			return &states[i]
		}
	}
	return nil
}

func stateNames() []string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = s.Name
	}
	return names
}
