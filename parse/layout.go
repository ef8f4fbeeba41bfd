package parse

// A Layout says how a handoff of a format is written. Like the rest of a row it
// is data: names and their order. What they do not name has a place too, under
// a key or heading every format understands.
type Layout struct {
	// path is where a handoff of the format may stand, for a text is read
	// back as the file it will be.
	Path string
	// keys are the metadata in the order of the specification.
	Keys []Slot
	// stateKeys are the facts that stand as lines in the state section.
	StateKeys []Slot
	// parts names the sections that have a name in the specification, in its
	// order if sorted.
	Parts  []PartName
	Sorted bool
	// free is set where sections under any heading are at home.
	Free bool
	// title begins the first line of Markdown; a date follows where dated,
	// else the handoff's own title where that is a fact without a key.
	Title string
	Dated bool
	// meta is the heading of the metadata in Markdown, "" where they stand
	// below the title; list makes a list of bold keys of them.
	Meta string
	List bool
	// root is the element around an XML handoff.
	Root string
	// statuses are the words of a closed list; the first is that of a handoff
	// that just begins.
	Statuses []string
}

// A Slot is a key the specification names.
type Slot struct {
	Key   string
	Field string // canonical name, or one of the lists
	Form  SlotForm
	// value is written where the draft has none.
	Value string
	// with is a field beside which the key is written as null.
	With string
}

// A SlotForm is how a value is written.
type SlotForm int

// The forms of values.
const (
	asWord   SlotForm = iota // plain where it can be
	AsText                   // in quotes
	AsNumber                 // a number where it is one
	AsDay                    // in quotes, the day alone
	OrNull                   // a word, null where the draft has none
)

// A PartName is what a section of a kind is called.
type PartName struct {
	Kind Kind
	Name string
}

// LayoutOf is how handoffs of a format are written, nil for a format that cannot
// be written.
func LayoutOf(format string) *Layout {
	if f := formatNamed(format); f != nil {
		return f.layout
	}
	return nil
}

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
