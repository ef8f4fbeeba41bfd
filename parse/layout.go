package parse

import (
	"cmp"

	"github.com/OWNER/handex/parse/internal/outline"
)

// A Layout says how a handoff of a format is written. Like the rest of a row it
// is data: names and their order. What they do not name has a place too, under
// a key or heading every format understands.
type Layout struct {
	// Path is where a handoff of the format may be, for a text is read back as the file it
	// will be.
	Path string
	// Keys are the metadata in the order of the specification.
	Keys []Slot
	// StateKeys are the facts written as lines in the state section.
	StateKeys []Slot
	// Parts names the sections that have a name in the specification, in its order if
	// Sorted.
	Parts  []PartName
	Sorted bool
	// Free says that the format has sections under any heading.
	Free bool
	// Title begins the first line of Markdown; a date follows if Dated. Without Title, the
	// handoff's own title is there.
	Title string
	Dated bool
	// Meta is the heading of the metadata in Markdown, "" if they are directly below the
	// title. List makes them a list of bold keys.
	Meta string
	List bool
	// Root is the element around an XML handoff.
	Root string
	// Statuses are the words that the specification has for a status; the first is that of a
	// handoff that just begins.
	Statuses []string
}

// A Slot is a key that the specification names, and the field whose value is under it.
type Slot struct {
	Key   string
	Field string // canonical name, or one of the lists
	Form  SlotForm
	// Value is written if the draft has no value.
	Value string
	// With is a field. If it is written and this key has no value, the key is written as
	// null.
	With string
}

// A SlotForm says how the value of a slot is written.
type SlotForm int

// The forms of values.
const (
	asWord   SlotForm = iota // plain where it can be
	AsText                   // in quotes
	AsNumber                 // a number where it is one
	AsDay                    // in quotes, the day alone
	OrNull                   // a word, null where the draft has none
)

// A PartName is the name that a specification gives to sections of a kind.
type PartName struct {
	Kind Kind
	Name string
}

// LayoutOf returns how handoffs of a format are written, nil for a format that cannot
// be written.
func LayoutOf(format string) *Layout { return VocabularyOf(format).layout }

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
	Statuses: []string{"pending", "sent", "failed"},
}

// actState and actParts are the names of ACT's specification; its two forms
// share them.
var (
	actState = []Slot{
		{Key: "Phase", Field: "phase"},
		{Key: "Progress", Field: "progress"},
		{Key: "Branch", Field: "branch"},
		{Key: "Last Commit", Field: "commit"},
	}
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

// actKeys returns the metadata of ACT under the given keys, which differ between its two
// notations.
func actKeys(project, date, session, to, version string) []Slot {
	return []Slot{
		{Key: project, Field: "project"},
		{Key: date, Field: "date"},
		{Key: session, Field: "session"},
		{Key: to, Field: "to"},
		{Key: version, Field: "version", Value: "1.0"},
	}
}

var actXMLLayout = Layout{
	Path:      ".act/handoffs/latest.xml",
	Keys:      actKeys("project", "timestamp", "from_session", "to_agent", "format_version"),
	StateKeys: actState,
	Parts:     actParts,
	Sorted:    true,
	Root:      "context_handoff",
}

var actMarkdownLayout = Layout{
	Path:      ".act/handoffs/latest.md",
	Keys:      actKeys("Project", "Timestamp", "From Session", "To Agent", "Format Version"),
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

// A Vocabulary knows what labels and headings mean in a format. A writer uses it to find out
// how the text it writes will be read.
type Vocabulary = format

// VocabularyOf returns the vocabulary of the format with a name. That of an unknown format
// has only the words that all formats share.
func VocabularyOf(name string) *Vocabulary { return cmp.Or(formatNamed(name), &format{}) }

// Shape returns the shape in which the format's files are read.
func (f *format) Shape() Shape { return f.shape }

// Field returns the canonical field that a key means, "" for none.
func (f *format) Field(label string) string {
	name, _ := f.fieldName(outline.Field{Key: label, Label: label})
	return name
}

// TextKind returns the kind of section that a key means if its value is text rather than a
// fact.
func (f *format) TextKind(label string) Kind {
	return f.textKey(outline.Field{Key: label, Label: label})
}
