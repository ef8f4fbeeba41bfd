package parse

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"handex/parse/internal/scan"
)

// companyRules are the protocol's validation rules: the structural ones, 1 to
// 6, are errors, the contextual ones, 7 to 10, warnings. The status "received"
// is in none of the protocol's lists, but the implementation that followed it
// writes it.
var companyRules = []rule{
	{
		what: "version-missing", severity: Warning, strict: Error, where: "Migration",
		about: "A manifest has a version; one without is from before versions, and not held against the other rules.",
		fix:   "Add version: 1.",
		find: func(s *subject) {
			if s.doc.Legacy {
				s.report(s.top(), "no version: a legacy manifest, not validated")
			}
		},
	},
	{
		what: "version", severity: Error, where: "Validation Rules, 1",
		about: "version is the number 1.", fix: "Write version: 1, without quotes.",
		find: versioned(isVersion1),
	},
	{
		what: "source-file", severity: Error, where: "Validation Rules, 2",
		about: "source_file is discussion/NNN-...-response.md.", fix: "Name the discussion file the handoff is about, relative to the project.",
		find: versioned(func(s *subject) {
			if e := s.entry("source_file"); s.wantText("source_file") && !companySource().MatchString(e.Value) {
				s.report(e.Span, "source_file is %q, not discussion/NNN-...-response.md", e.Value)
			}
		}),
	},
	{
		what: "generated-at", severity: Error, where: "Validation Rules, 3",
		about: "generated_at is an ISO date.", fix: "Write the date as \"2026-02-09\".",
		find: versioned(isDate),
	},
	{
		what: "from-required", severity: Error, where: "Validation Rules, 4",
		about: "from is a text that is not empty.", fix: "Name the agent that hands over.",
		find: versioned(required("from")),
	},
	{
		what: "to-required", severity: Error, where: "Validation Rules, 4",
		about: "to is a text that is not empty.", fix: "Name the agent that takes over.",
		find: versioned(required("to")),
	},
	{
		what: "from-is-to", severity: Error, where: "Validation Rules, 5",
		about: "from and to are different agents.", fix: "Correct from or to.",
		find: versioned(func(s *subject) {
			if from, to := s.entry("from"), s.entry("to"); to.what == scalar && from.Value == to.Value {
				s.report(to.Span, "from and to are both %q", to.Value)
			}
		}),
	},
	{
		what: "status-required", severity: Error, where: "Validation Rules, 6",
		about: "status is given.", fix: "Set status: a manifest that has not been relayed is pending.",
		find: versioned(present("status")),
	},
	{
		what: "status-enum", severity: Error, where: "Validation Rules, 6",
		about: "status is pending, sent or failed, or the received of later tools.", fix: "Set status to one of the words, exactly so written.",
		find: versioned(oneOf("status", "pending", "sent", "failed", "received")),
	},
	{
		what: "field-type", severity: Warning, strict: Error, where: "Field Definitions",
		about: "branch, sent_at and session_key are texts, work_queue_items and files_changed are lists of texts.",
		fix:   "Put the text in quotes, or make a list of it.",
		find:  versioned(types([]string{"branch", "session_key"}, []string{"work_queue_items", "files_changed"})),
	},
	{
		what: "sent-at", severity: Warning, strict: Error, where: "Field Definitions",
		about: "sent_at is an ISO 8601 time, or null.", fix: "Write the time as \"2026-02-09T10:30:00Z\", or null before it is sent.",
		find: versioned(isoTime("sent_at")),
	},
	{
		what: "collaboration-missing", severity: Warning, where: "Validation Rules, 7",
		about: "meta/collaboration.yaml lists the participants.", fix: "Add the file with participants: [{id: ...}], or restore it.",
		find: contextual(func(s *subject) {
			if _, err := s.listOf(participants); err != nil {
				s.report(s.top(), "%s %v: from and to are not checked", participants.file, err)
			}
		}),
	},
	{
		what: "participant-unknown", severity: Warning, where: "Validation Rules, 7",
		about: "from and to are participants in meta/collaboration.yaml.", fix: "Correct the name, or add the participant there.",
		find: contextual(func(s *subject) {
			known, err := s.listOf(participants)
			for _, name := range []string{"from", "to"} {
				if e := s.entry(name); err == nil && e.what == scalar && !known[e.Value] {
					s.report(e.Span, "%s is %q, which is not a participant in %s", name, e.Value, participants.file)
				}
			}
		}),
	},
	{
		what: "source-missing", severity: Warning, where: "Validation Rules, 8",
		about: "The source_file exists.", fix: "Write the file, or name the one that exists.",
	},
	{
		what: "source-outside", severity: Warning, strict: Error, where: "Validation Rules, 8",
		about: "The source_file is one of the project.", fix: "Name a file below the project, relative to it.",
	},
	{
		what: "work-queue-missing", severity: Warning, where: "Validation Rules, 9",
		about: "meta/work-queue.yaml lists the items, where a manifest names any.", fix: "Add the file with items: [{id: ...}], or restore it.",
		find: contextual(func(s *subject) {
			e := s.entry("work_queue_items")
			if len(e.List) == 0 {
				return
			}
			if _, err := s.listOf(workQueue); err != nil {
				s.report(e.at, "%s %v: work_queue_items are not checked", workQueue.file, err)
			}
		}),
	},
	{
		what: "work-item-unknown", severity: Warning, where: "Validation Rules, 9",
		about: "work_queue_items are items of meta/work-queue.yaml.", fix: "Correct the id, or add the item there.",
		find: contextual(unknownItems),
	},
	{
		what: "files-changed-path", severity: Warning, strict: Error, where: "Validation Rules, 10",
		about: "files_changed are paths relative to the project, without \"..\".", fix: "Write the path as it is below the project's root.",
		find: versioned(pathsOutside),
	},
}

var companySource = scan.Pattern(`^discussion/[0-9]{3}-.*-response\.md$`)

// versioned keeps a rule from a legacy manifest, which is not validated, and
// from entries of the log, which have no version of their own.
func versioned(find func(*subject)) func(*subject) {
	return func(s *subject) {
		if !s.doc.Legacy && s.doc.Key == "" {
			find(s)
		}
	}
}

func isVersion1(s *subject) {
	e := s.entry("version")
	n, err := strconv.ParseFloat(e.Value, 64)
	switch tag := s.tag(e.Field); {
	case e.what != scalar:
		s.report(e.at, "version is %s, not 1", e.what)
	case err != nil || n != 1:
		s.report(e.Span, "version is %q, not 1", e.Value)
	case tag == "!!str":
		s.report(e.Span, "version is the text %q, not the number 1", e.Value)
	}
}

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

// contextual keeps a rule from a manifest whose neighbours cannot be asked for.
func contextual(find func(*subject)) func(*subject) {
	return versioned(func(s *subject) {
		if s.src.Neighbour != nil {
			find(s)
		}
	})
}

// A neighbourList is a list in a file beside the manifest.
type neighbourList struct{ file, key string }

var (
	participants = neighbourList{"collaboration.yaml", "participants"}
	workQueue    = neighbourList{"work-queue.yaml", "items"}
)

// A knownNames is what a neighbour lists, or why that is not known.
type knownNames struct {
	names map[string]bool
	err   error
}

// listOf reads a neighbour's list, once.
func (s *subject) listOf(n neighbourList) (map[string]bool, error) {
	k, ok := s.known[n]
	if !ok {
		k = s.readList(n)
		if s.known == nil {
			s.known = map[neighbourList]knownNames{}
		}
		s.known[n] = k
	}
	return k.names, k.err
}

func (s *subject) readList(n neighbourList) knownNames {
	text, err := s.neighbour(n.file)
	if err != nil {
		return knownNames{err: errors.New("is not there or cannot be read")}
	}
	names, err := namesIn(text, n.key)
	return knownNames{names, err}
}

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

func pathsOutside(s *subject) {
	e := s.entry("files_changed")
	for i, at := range s.listed(e.Field) {
		if p := e.List[i]; !isRelative(p) {
			s.report(at, "%q is not a relative path inside the project", p)
		}
	}
}

var driveLetter = scan.Pattern(`^[A-Za-z]:`)

// isRelative reports whether a path of either system stays below where it
// starts, without "..".
func isRelative(p string) bool {
	p = strings.ReplaceAll(p, `\`, "/")
	return p != "" && !path.IsAbs(p) && !driveLetter().MatchString(p) && !slices.Contains(strings.Split(p, "/"), "..")
}
