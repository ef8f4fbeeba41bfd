package parse

import (
	"errors"
	"strconv"
	"time"

	"github.com/OWNER/handex/parse/internal/scan"
)

// companyRules are the protocol's validation rules: the structural ones, 1 to
// 6, are errors, the contextual ones, 7 to 10, warnings.
var companyRules = []rule{
	newRule("version-missing", Warning, Error, "Migration", reportLegacy,
		"A manifest has a version. A manifest without a version predates versions and is not checked against the "+
			"other rules.", "Add version: 1."),
	newRule("version", Error, Error, "Validation Rules, 1", isVersion1,
		"version is the number 1.", "Write version: 1, without quotes."),
	newRule("source-file", Error, Error, "Validation Rules, 2", isResponse,
		"source_file is discussion/NNN-...-response.md.", "Write source_file: discussion/NNN-TOPIC-response.md, the "+
			"discussion that the handoff is about."),
	newRule("generated-at", Error, Error, "Validation Rules, 3", isDate,
		"generated_at is an ISO date.", "Write generated_at: \"2026-02-09\", the day it was made."),
	newRule("from-required", Error, Error, "Validation Rules, 4", required("from"),
		"from is a non-empty string.", "Name the agent that hands over."),
	newRule("to-required", Error, Error, "Validation Rules, 4", required("to"),
		"to is a non-empty string.", "Name the agent that takes over."),
	newRule("from-is-to", Error, Error, "Validation Rules, 5", fromIsTo,
		"from and to are different agents.", "Correct from or to."),
	newRule("status-required", Error, Error, "Validation Rules, 6", present("status"),
		"status is given.", "Set status: a manifest that has not been sent is pending."),
	newRule("status-enum", Error, Error, "Validation Rules, 6", oneOf("status", "pending", "sent", "failed"),
		"status is pending, sent or failed.", "Set status to one of these words, in lower case."),
	newRule("field-type", Warning, Error, "Field Definitions",
		types([]string{"branch", "session_key"}, []string{"work_queue_items", "files_changed"}),
		"branch, sent_at and session_key are strings; work_queue_items and files_changed are lists of strings.",
		"Quote the string, or write a list."),
	newRule("sent-at", Warning, Error, "Field Definitions", isoTime("sent_at"),
		"sent_at is an ISO 8601 time, or null.", "Write the time as \"2026-02-09T10:30:00Z\", or null before it is sent."),
	newRule("collaboration-missing", Warning, Warning, "Validation Rules, 7", noParticipants,
		"meta/collaboration.yaml lists the participants.", "Add the file with participants: [{id: ...}], or restore it."),
	newRule("participant-unknown", Warning, Warning, "Validation Rules, 7", unknownParticipants,
		"from and to are participants in meta/collaboration.yaml.", "Correct the name, or add the participant there."),
	newRule("source-missing", Warning, Warning, "Validation Rules, 8", nil,
		"The source_file exists.", "Write the file, or name an existing one."),
	newRule("source-outside", Warning, Error, "Validation Rules, 8", nil,
		"The source_file is in the project.", "Name a file of the project, relative to the project's root."),
	newRule("work-queue-missing", Warning, Warning, "Validation Rules, 9", noWorkQueue,
		"meta/work-queue.yaml lists the work items, if a manifest names any.", "Add the file with items: [{id: ...}], or "+
			"restore it."),
	newRule("work-item-unknown", Warning, Warning, "Validation Rules, 9", unknownItems,
		"work_queue_items are items of meta/work-queue.yaml.", "Correct the id, or add the item there."),
	newRule("files-changed-path", Warning, Error, "Validation Rules, 10", pathsOutside,
		"files_changed are paths relative to the project, without \"..\".", "Write the path relative to the project's root."),
}

// reportLegacy reports a manifest without a version, which is not checked against other
// rules.
func reportLegacy(s *subject) {
	if s.doc.Legacy {
		s.report(s.top(), "no version: a legacy manifest, not checked further")
	}
}

// isResponse reports a source_file that is missing or is not discussion/NNN-...-response.md.
func isResponse(s *subject) {
	if e := s.entry("source_file"); s.wantText("source_file") && !companySource().MatchString(e.Value) {
		s.report(e.Span, "source_file is %q, not discussion/NNN-...-response.md", e.Value)
	}
}

// fromIsTo reports a manifest whose from and to are the same.
func fromIsTo(s *subject) {
	if from, to := s.entry("from"), s.entry("to"); to.what == scalar && from.Value == to.Value {
		s.report(to.Span, "from and to are both %q", to.Value)
	}
}

var companySource = scan.Pattern(`^discussion/[0-9]{3}-.*-response\.md$`)

// isVersion1 reports a version that is missing or is not the number 1.
func isVersion1(s *subject) {
	e := s.entry("version")
	n, err := strconv.ParseFloat(e.Value, 64)
	switch tag := s.tag(e.Field); {
	case e.what != scalar:
		s.report(e.at, "version is %s, not 1", e.what)
	case err != nil || n != 1:
		s.report(e.Span, "version is %q, not 1", e.Value)
	case tag == "!!str":
		s.report(e.Span, "version is the string %q, not the number 1", e.Value)
	}
}

// isDate reports a generated_at that is missing or is not an ISO date.
func isDate(s *subject) {
	e := s.entry("generated_at")
	if e.what != scalar {
		present("generated_at")(s)
		return
	}
	if _, err := time.Parse(time.DateOnly, e.Value); err != nil {
		s.report(e.Span, "generated_at is %q, not an ISO date", e.Value)
	}
}

// A neighbourList names a list in a file beside the manifest: the file, and the top-level
// key of the list.
type neighbourList struct{ file, key string }

var (
	participants = neighbourList{"collaboration.yaml", "participants"}
	workQueue    = neighbourList{"work-queue.yaml", "items"}
)

// listOf returns the set of ids in a list of a file beside the manifest. The error says what
// is wrong with the file.
func (s *subject) listOf(n neighbourList) (map[string]bool, error) {
	text, err := s.neighbour(n.file)
	if err != nil {
		return nil, errors.New("is missing or cannot be read")
	}
	return namesIn(text, n.key)
}

// noParticipants reports that the list of participants is missing or cannot be read. It
// reports nothing if the source gives no access to other files.
func noParticipants(s *subject) {
	if _, err := s.listOf(participants); err != nil && s.src.Neighbour != nil {
		s.report(s.entry("from").at, "%s %v: from and to are not checked", participants.file, err)
	}
}

// unknownParticipants reports a from or to that is not in the list of participants. It
// reports nothing if the list cannot be read.
func unknownParticipants(s *subject) {
	known, err := s.listOf(participants)
	for _, name := range []string{"from", "to"} {
		if e := s.entry(name); err == nil && e.what == scalar && !known[e.Value] {
			s.report(e.Span, "%s is %q, which is not a participant in %s", name, e.Value, participants.file)
		}
	}
}

// noWorkQueue reports that the list of work items is missing or cannot be read. It reports
// nothing if the manifest names no work items.
func noWorkQueue(s *subject) {
	e := s.entry("work_queue_items")
	if len(e.List) == 0 || s.src.Neighbour == nil {
		return // the neighbour does not matter
	}
	if _, err := s.listOf(workQueue); err != nil {
		s.report(e.at, "%s %v: work_queue_items are not checked", workQueue.file, err)
	}
}

// unknownItems reports each of work_queue_items that is not in the list of work items. It
// reports nothing if the list cannot be read.
func unknownItems(s *subject) {
	e := s.entry("work_queue_items")
	if len(e.List) == 0 {
		return // the neighbour does not matter
	}
	known, err := s.listOf(workQueue)
	for i, at := range s.listed(e.Field) {
		if err == nil && !known[e.List[i]] {
			s.report(at, "%q is not an item of %s", e.List[i], workQueue.file)
		}
	}
}

// outside is a path of either system that may not stay below where it starts.
var outside = scan.Pattern(`^$|^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)`)

// pathsOutside reports each of files_changed that is empty, absolute or contains "..".
func pathsOutside(s *subject) {
	e := s.entry("files_changed")
	for i, at := range s.listed(e.Field) {
		if p := e.List[i]; outside().MatchString(p) {
			s.report(at, "%q is not a relative path inside the project", p)
		}
	}
}
