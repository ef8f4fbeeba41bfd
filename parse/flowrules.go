package parse

// flowRules are the Validation section's, and the types of its schema.
var flowRules = []rule{
	{
		what: "goal-required", severity: Error, where: "Validation",
		about: "goal is a text that is not empty.", fix: "Say in goal what the user wants to accomplish.",
		find: required("goal"),
	},
	{
		what: "status-required", severity: Error, where: "Validation",
		about: "status is given.", fix: "Set status to in_progress, completed or blocked.",
		find: present("status"),
	},
	{
		what: "status-enum", severity: Error, where: "Validation",
		about: "status is in_progress, completed or blocked.", fix: "Set status to one of the three words, exactly so written.",
		find: oneOf("status", "in_progress", "completed", "blocked"),
	},
	{
		what: "now-required", severity: Error, where: "Validation",
		about: "now is a text that is not empty.", fix: "Say in now what is being worked on.",
		find: required("now"),
	},
	{
		what: "timestamp-required", severity: Error, where: "Validation",
		about: "timestamp is given.", fix: "Set timestamp to the time of writing, such as 2026-01-17T10:30:00Z.",
		find: present("timestamp"),
	},
	{
		what: "timestamp-iso8601", severity: Error, where: "Field Definitions",
		about: "timestamp is an ISO 8601 time.", fix: "Write it as 2026-01-17T10:30:00Z.",
		find: isoTime("timestamp"),
	},
	{
		what: "field-type", severity: Warning, strict: Error, where: "Field Definitions",
		about: "hypothesis, outcome, branch and session_id are texts, files is a list of texts.",
		fix:   "Put the text in quotes, or make a list of the files.",
		find:  types([]string{"hypothesis", "outcome", "branch", "session_id"}, []string{"files"}),
	},
}
