package query

import (
	"cmp"
	"slices"
	"strings"
)

// State is a row of the table of states: what can follow is:.
type State struct {
	Name string
	Doc  string

	where string // condition on the row h; %stale% is replaced by the stale limit
}

const (
	acked  = "EXISTS (SELECT 1 FROM acked WHERE acked.id = h.id AND acked.digest = h.digest)"
	closed = "(h.status IN ('completed', 'sent') OR h.standing = 0 OR " + acked + ")"
)

var states = []State{
	{"open", "not closed", "NOT " + closed},
	{"closed", "completed, sent, acknowledged, or replaced by a newer handoff", closed},
	{"escalated", "requests a human review", "h.escalated = 1"},
	{"blocked", "something stops the work now: by its status, its blockers or a line", "h.blocked = 1"},
	{"waiting", "asks a person to act, decide, review or provide something", "h.waiting = 1"},
	{"latest", "the newest of its project, format and member", "h.latest = 1"},
	{
		"superseded", "a newer one of the same project, format and member exists, or its file was overwritten",
		"h.latest = 0",
	},
	{"earlier", "an earlier version of a file that was overwritten", "h.earlier = 1"},
	{"stale", "open for longer than the stale limit", "(NOT " + closed + " AND h.date < ?)"},
	{"acked", "acknowledged with handex ack", acked},
	{"delegated", "names the agent that takes over", "h.recipient <> ''"},
	{"mine", "written on this machine, or by you on another", "h.member = ''"},
	{"in-progress", "status in-progress", "h.status = 'in-progress'"},
	{"completed", "status completed", "h.status = 'completed'"},
	{"pending", "status pending", "h.status = 'pending'"},
	{"sent", "status sent", "h.status = 'sent'"},
	{"failed", "status failed", "h.status = 'failed'"},
	{"valid", "breaks no rule", "h.severity = 0"},
	{"warned", "breaks rules, none of them blocking", "h.severity = 1"},
	{"invalid", "breaks a blocking rule", "h.severity = 2"},
	{"legacy", "a manifest without a version", "h.legacy = 1"},
}

// States returns the table of states in the order of the help; the caller must not
// change it.
func States() []State { return states }

// stateWords are what people read for states whose names a stranger would not understand,
// or that are also the name of a status which means something else.
var stateWords = map[string]string{
	"acked": "acknowledged", "blocked": "stuck", "delegated": "handed over", "earlier": "overwritten",
	"legacy": "old format", "superseded": "replaced", "waiting": "needs human", "warned": "flawed",
}

// StateWord returns what people read for the name of a state, which programs get.
func StateWord(name string) string { return cmp.Or(stateWords[name], name) }

// Spellings returns what can follow is: for the state, the plainest first.
func (s State) Spellings() []string {
	return slices.Compact([]string{strings.ReplaceAll(StateWord(s.Name), " ", "-"), s.Name})
}

var stateSynonyms = map[string]string{
	"in_progress": "in-progress", "inprogress": "in-progress", "unresolved": "open", "finished": "completed",
	"complete": "completed", "newest": "latest", "escalation": "escalated", "done": "completed",
}

func lookupState(name string) *State {
	low := strings.ToLower(name)
	if canonical, ok := stateSynonyms[low]; ok {
		low = canonical
	}
	if i := slices.IndexFunc(states, func(s State) bool { return slices.Contains(s.Spellings(), low) }); i >= 0 {
		return &states[i]
	}
	return nil
}

// stateNames returns the plainest spelling of each state.
func stateNames() (names []string) {
	for _, s := range states {
		names = append(names, s.Spellings()[0])
	}
	return names
}

// Directive is a row of the table of directives.
type Directive struct {
	Name    string
	Values  string // what may follow the colon
	Doc     string
	Example string

	names func() []string // what may follow the colon, if that is names
}

var directives = []Directive{
	{"sort", "key[-asc|-desc],...", "order of the hits; default: newest first", "sort:priority,updated-desc", sortNames},
	{"limit", "number", "maximum number of hits; default: 50; 0 shows all", "limit:5", nil},
	{"offset", "number", "hits to skip", "offset:50", nil},
	{"latest-per", "field,...", "only the newest of each value", "latest-per:project", groupNames},
	{"keep", "number", "how many latest-per: keeps of each value", "latest-per:project keep:3", nil},
	{"count-by", "field,...", "counts for each value instead of hits", "is:invalid count-by:problem", groupNames},
	{"group-by", "field,...", "hits under headings", "is:open group-by:project", groupNames},
	{"facets", "field,...", "counts for each value beside the hits", "facets:status,project", groupNames},
	{"select", "column,...", "columns to show", "select:project,date,next", columnNames},
	{
		"case", "yes|no|auto", "whether quotes and regular expressions are case-sensitive; auto: if they contain a capital",
		"case:yes", caseRules,
	},
}

// Directives returns the table of directives in the order of the help; the caller must
// not change it.
func Directives() []Directive { return directives }

// SortKey is one key of the order of hits. Missing values come last either way.
type SortKey struct {
	Key  string // a field's name, or "relevance"
	Desc bool
}

// CaseRule says whether quoted text and regular expressions heed case.
type CaseRule string

// The case rules. CaseAuto heeds case if the text contains a capital.
const (
	CaseAuto CaseRule = "auto"
	CaseYes  CaseRule = "yes"
	CaseNo   CaseRule = "no"
)

func caseRules() []string { return []string{string(CaseYes), string(CaseNo), string(CaseAuto)} }
