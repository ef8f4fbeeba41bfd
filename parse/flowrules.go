package parse

// flowRules are the Validation section's, and the types of its schema.
var flowRules = []rule{
	{"goal-required", Error, Error, "Validation", required("goal"),
		"goal is a text that is not empty.", "Say in goal what the user wants to accomplish."},
	{"status-required", Error, Error, "Validation", present("status"),
		"status is given.", "Set status to in_progress, completed or blocked."},
	{"status-enum", Error, Error, "Validation", oneOf("status", "in_progress", "completed", "blocked"),
		"status is in_progress, completed or blocked.", "Set status to one of the three words, exactly so written."},
	{"now-required", Error, Error, "Validation", required("now"),
		"now is a text that is not empty.", "Say in now what is being worked on."},
	{"timestamp-required", Error, Error, "Validation", present("timestamp"),
		"timestamp is given.", "Set timestamp to the time of writing, such as 2026-01-17T10:30:00Z."},
	{"timestamp-iso8601", Error, Error, "Field Definitions", isoTime("timestamp"),
		"timestamp is an ISO 8601 time.", "Write it as 2026-01-17T10:30:00Z."},
	{"field-type", Warning, Error, "Field Definitions", types([]string{"hypothesis", "outcome", "branch", "session_id"}, []string{"files"}),
		"hypothesis, outcome, branch and session_id are texts, files is a list of texts.", "Put the text in quotes, or make a list of the files."},
}
