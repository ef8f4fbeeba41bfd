package parse

// The layouts of the rows of formats.go, as the specifications have them.

var flowLayout = layout{
	path: ".flow-guardian/handoff.yaml",
	keys: []slot{
		{key: "goal", field: "goal", form: asText},
		{key: "status", field: "status"},
		{key: "now", field: "state", form: asText},
		{key: "hypothesis", field: "hypothesis", form: asText},
		{key: "outcome", field: "outcome", form: asText, with: "hypothesis"},
		{key: "files", field: fileList},
		{key: "branch", field: "branch"},
		{key: "timestamp", field: "date", form: asText},
		{key: "session_id", field: "session", form: asText},
	},
	statuses: []string{"in_progress", "completed", "blocked"},
}

var companyLayout = layout{
	path: "meta/handoff.yaml",
	keys: []slot{
		{key: "version", field: "version", form: asNumber, value: "1"},
		{key: "source_file", field: "source"},
		{key: "generated_at", field: "date", form: asDay},
		{key: "from", field: "from"},
		{key: "to", field: "to"},
		{key: "branch", field: "branch"},
		{key: "work_queue_items", field: itemList},
		{key: "files_changed", field: fileList},
		{key: "status", field: "status", value: "pending"},
		{key: "sent_at", field: "sent", form: orNull},
		{key: "session_key", field: "session", form: orNull},
	},
	statuses: []string{"pending", "sent", "failed", "received"},
}

// actState and actParts are the names of ACT's specification; its two forms
// share them.
var (
	actState = []slot{{key: "Phase", field: "phase"}, {key: "Progress", field: "progress"}, {key: "Branch", field: "branch"}, {key: "Last Commit", field: "commit"}}
	actParts = []partName{
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

var actXMLLayout = layout{
	path: ".act/handoffs/latest.xml",
	keys: []slot{
		{key: "project", field: "project"},
		{key: "timestamp", field: "date"},
		{key: "from_session", field: "session"},
		{key: "to_agent", field: "to"},
		{key: "format_version", field: "version", value: "1.0"},
	},
	stateKeys: actState,
	parts:     actParts,
	sorted:    true,
	root:      "context_handoff",
}

var actMarkdownLayout = layout{
	path: ".act/handoffs/latest.md",
	keys: []slot{
		{key: "Project", field: "project"},
		{key: "Timestamp", field: "date"},
		{key: "From Session", field: "session"},
		{key: "To Agent", field: "to"},
		{key: "Format Version", field: "version", value: "1.0"},
	},
	stateKeys: actState,
	parts:     actParts,
	sorted:    true,
	title:     "Context Handoff",
	meta:      "Metadata",
	list:      true,
}

var suiteLayout = layout{
	path:  ".claude/handoffs/-p/ab12cd34.md",
	title: "Handoff",
	dated: true,
	free:  true,
	keys:  []slot{{key: "session_id", field: "session"}, {key: "purpose", field: "goal"}, {key: "items", field: itemList}},
	parts: []partName{{Done, "Done"}, {Next, "Next"}, {Gotchas, "Gotchas"}, {Risks, "Risks"}, {Reflection, "Reflection"}},
}
