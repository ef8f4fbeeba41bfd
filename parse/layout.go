package parse

import (
	"slices"
	"strings"

	"handex/parse/internal/scan"
)

// A layout says how a handoff of a format is written. Like the rest of a row it
// is data: names and their order. What they do not name has a place too, under
// a key or heading every format understands.
type layout struct {
	// path is where a handoff of the format may stand, for a text is read
	// back as the file it will be.
	path string
	// keys are the metadata in the order of the specification.
	keys []slot
	// stateKeys are the facts that stand as lines in the state section.
	stateKeys []slot
	// parts names the sections that have a name in the specification, in its
	// order if sorted.
	parts  []partName
	sorted bool
	// free is set where sections under any heading are at home.
	free bool
	// title begins the first line of Markdown; a date follows where dated,
	// else the handoff's own title where that is a fact without a key.
	title string
	dated bool
	// meta is the heading of the metadata in Markdown, "" where they stand
	// below the title; list makes a list of bold keys of them.
	meta string
	list bool
	// root is the element around an XML handoff.
	root string
	// statuses are the words of a closed list; the first is that of a handoff
	// that just begins.
	statuses []string
}

// A slot is a key the specification names.
type slot struct {
	key   string
	field string // canonical name, or one of the lists
	form  slotForm
	// value is written where the draft has none.
	value string
	// with is a field beside which the key is written as null.
	with string
}

// The lists a slot may hold, beside the fields.
const (
	fileList = "files"
	itemList = "items"
)

type slotForm int

const (
	asWord   slotForm = iota // plain where it can be
	asText                   // in quotes
	asNumber                 // a number where it is one
	asDay                    // in quotes, the day alone
	orNull                   // a word, null where the draft has none
)

// A partName is what a section of a kind is called.
type partName struct {
	kind Kind
	name string
}

// kindNames are the words for sections no specification names: a heading in
// Markdown, joined by "_" a key or tag. Where the first is the label of a field
// the next one is taken.
var kindNames = map[Kind][]string{
	Goal: {"goal", "overview"}, State: {"current state"}, Next: {"next"}, Done: {"done"}, Gotchas: {"gotchas"}, Risks: {"risks"},
	Blockers: {"blockers"}, Questions: {"open questions"}, Human: {"human actions"}, Decisions: {"decisions"}, Approaches: {"approaches"}, Worked: {"what worked"},
	Failed: {"what failed"}, Partial: {"partially worked"}, Context: {"context"}, Advice: {"advice"}, Reflection: {"reflection"},
	Hypothesis: {"hypothesis", "hypotheses"}, Outcome: {"outcome", "outcomes"}, Checks: {"how to verify"}, Files: {"files", "key files"}, Other: {"details"},
}

// fieldLabels are the keys of fields no specification names, as all formats
// read them.
var fieldLabels = map[string]string{"session": "session_id", "source": "source_file", "commit": "last_commit", "updated": "last_updated", "sent": "sent_at", "state": "now"}

// textFields are the fields that are sections in formats that give them as
// text.
var textFields = map[string]Kind{"goal": Goal, "state": State, "hypothesis": Hypothesis, "outcome": Outcome}

func labelFor(field string) string {
	if label, ok := fieldLabels[field]; ok {
		return label
	}
	return field
}

// isUsual reports whether a heading is one that a format gives to sections of
// the kind, so that it says no more than the kind does.
func isUsual(kind Kind, heading string) bool {
	s := scan.Slug(heading)
	if s == "" {
		return heading == ""
	}
	for _, name := range kindNames[kind] {
		if scan.Slug(name) == s {
			return true
		}
	}
	for i := range formats {
		if l := formats[i].layout; l != nil && slices.ContainsFunc(l.parts, func(p partName) bool { return p.kind == kind && scan.Slug(p.name) == s }) {
			return true
		}
	}
	return false
}

// partOf is the specification's name for sections of a kind.
func (l *layout) partOf(kind Kind) (string, bool) {
	for _, p := range l.parts {
		if p.kind == kind {
			return p.name, true
		}
	}
	return "", false
}

// rank orders kinds as the specification does, others behind.
func (l *layout) rank(kind Kind) int {
	for i, p := range l.parts {
		if p.kind == kind {
			return i
		}
	}
	return len(l.parts)
}

// hasKey reports whether a field or list has a key of its own.
func (l *layout) hasKey(field string) bool {
	has := func(s slot) bool { return s.field == field }
	return slices.ContainsFunc(l.keys, has) || slices.ContainsFunc(l.stateKeys, has)
}

// asKey joins the words of a name as keys and tags do.
func asKey(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "_") }

// asHeading begins a name with a capital letter.
func asHeading(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// Writable lists the formats that Write knows, in the order of FormatNames.
func Writable() []string {
	var names []string
	for i := range formats {
		if formats[i].layout != nil {
			names = append(names, formats[i].name)
		}
	}
	return names
}
