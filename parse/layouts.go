package parse

// The layouts of the rows of formats.go, as the specifications have them.

var flowLayout = Layout{
	Path: ".flow-guardian/handoff.yaml",
	Keys: []Slot{
		{Key: "goal", Field: "goal", Form: AsText},
		{Key: "status", Field: "status"},
		{Key: "now", Field: "state", Form: AsText},
		{Key: "hypothesis", Field: "hypothesis", Form: AsText},
		{Key: "outcome", Field: "outcome", Form: AsText, With: "hypothesis"},
		{Key: "files", Field: FileList},
		{Key: "branch", Field: "branch"},
		{Key: "timestamp", Field: "date", Form: AsText},
		{Key: "session_id", Field: "session", Form: AsText},
	},
	Statuses: []string{"in_progress", "completed", "blocked"},
}

var companyLayout = Layout{
	Path: "meta/handoff.yaml",
	Keys: []Slot{
		{Key: "version", Field: "version", Form: AsNumber, Value: "1"},
		{Key: "source_file", Field: "source"},
		{Key: "generated_at", Field: "date", Form: AsDay},
		{Key: "from", Field: "from"},
		{Key: "to", Field: "to"},
		{Key: "branch", Field: "branch"},
		{Key: "work_queue_items", Field: ItemList},
		{Key: "files_changed", Field: FileList},
		{Key: "status", Field: "status", Value: "pending"},
		{Key: "sent_at", Field: "sent", Form: OrNull},
		{Key: "session_key", Field: "session", Form: OrNull},
	},
	Statuses: []string{"pending", "sent", "failed", "received"},
}

// actState and actParts are the names of ACT's specification; its two forms
// share them.
var (
	actState = []Slot{{Key: "Phase", Field: "phase"}, {Key: "Progress", Field: "progress"}, {Key: "Branch", Field: "branch"}, {Key: "Last Commit", Field: "commit"}}
	actParts = []PartName{
		{Goal, "Original Task"},
		{Done, "Work Completed"},
		{Next, "Work Remaining"},
		{Approaches, "Attempted Approaches"},
		{Context, "Critical Context"},
		{State, "Current State"},
		{Files, "Files Touched"},
		{Advice, "Recommendations"},
	}
)

var actXMLLayout = Layout{
	Path: ".act/handoffs/latest.xml",
	Keys: []Slot{
		{Key: "project", Field: "project"},
		{Key: "timestamp", Field: "date"},
		{Key: "from_session", Field: "session"},
		{Key: "to_agent", Field: "to"},
		{Key: "format_version", Field: "version", Value: "1.0"},
	},
	StateKeys: actState,
	Parts:     actParts,
	Sorted:    true,
	Root:      "context_handoff",
}

var actMarkdownLayout = Layout{
	Path: ".act/handoffs/latest.md",
	Keys: []Slot{
		{Key: "Project", Field: "project"},
		{Key: "Timestamp", Field: "date"},
		{Key: "From Session", Field: "session"},
		{Key: "To Agent", Field: "to"},
		{Key: "Format Version", Field: "version", Value: "1.0"},
	},
	StateKeys: actState,
	Parts:     actParts,
	Sorted:    true,
	Title:     "Context Handoff",
	Meta:      "Metadata",
	List:      true,
}

var suiteLayout = Layout{
	Path:  ".claude/handoffs/-p/ab12cd34.md",
	Title: "Handoff",
	Dated: true,
	Free:  true,
	Keys:  []Slot{{Key: "session_id", Field: "session"}, {Key: "purpose", Field: "goal"}, {Key: "items", Field: ItemList}},
	Parts: []PartName{{Done, "Done"}, {Next, "Next"}, {Gotchas, "Gotchas"}, {Risks, "Risks"}, {Reflection, "Reflection"}},
}

// The lists a slot may hold, beside the fields.
const (
	FileList = "files"
	ItemList = "items"
)
