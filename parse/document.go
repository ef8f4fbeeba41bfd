package parse

import (
	"time"
)

// Source is what Parse reads: the bytes of one file, and what is known about the file.
type Source struct {
	// Path is the file's path with forward slashes, absolute or relative to
	// the project; formats are recognized by its last parts, and a date in its
	// name is the handoff's when the text has none.
	Path string
	// Bytes is the whole file.
	Bytes []byte
	// ModTime is the file's modification time, the date of last resort.
	ModTime time.Time
	// Committed is the time of the last commit that changed the file, zero
	// where git does not track it or its content differs from the commit's.
	// It takes the place of ModTime, which a checkout makes.
	Committed time.Time
	// Zone is where times without a zone were written; nil is UTC.
	Zone *time.Location
	// Neighbour reads another file that belongs to this handoff (the prose a
	// manifest names, the ledger beside it), by its path relative to the
	// folder of Path. Nil means there are none. An error is reported as a
	// problem, never as a failure.
	Neighbour func(rel string) ([]byte, error)
	// Format is the name of the row of formats that reads the file; empty
	// finds it by Path and Bytes. An unknown name is as good as none.
	Format string
	// Strict judges the file as one that is about to be written: what is
	// forgiven in a file that is found is then an error (see Rule.Strict).
	Strict bool
	// Explain fills in Section.Why and Document.Reasons.
	Explain bool
}

// Document is one handoff: a file, or one dated entry of a rolling log.
type Document struct {
	// Format is the name of the row of formats that read it.
	Format string
	// Shape is how the bytes were read: markdown, yaml, xml, json or text.
	Shape Shape
	// Entry counts the handoffs of one file from 0; it is 0 for a file that
	// is one handoff.
	Entry int
	// Key distinguishes the entries of one file across edits: the entry's heading,
	// made unique. Empty for a file that is one handoff.
	Key string
	// Title is the handoff's own title, without the words every handoff
	// begins with; empty when it has none.
	Title string
	// Fields has single-valued facts by canonical name (see FieldNames) in
	// the order found; keys no format knows are "meta.<key>", and may repeat.
	Fields []Field
	// Date is when the handoff was written.
	Date Date
	// Sections partitions the text after the metadata, in file order.
	Sections []Section
	// Head is the text before the first section: title line, metadata, loose
	// prose. Head and Sections together contain every word of the entry.
	Head string
	// Items are the list items of the sections, in file order.
	Items []Item
	// Files are the files the handoff says it touched.
	Files []File
	// WorkItems are ids of tickets, beads or queue items it cites.
	WorkItems []string
	// Approaches are what was tried, with outcome.
	Approaches []Approach
	// Links are other handoffs it names (continues, supersedes, parent), as written.
	Links []Link
	// Escalations are the lines that contain EscalationSignal.
	Escalations []Line
	// Blocked reports that the text says that something stops (part of) the
	// work now: a status, a key, a labelled line, a section of blockers that
	// does not say "none". BlockedBy are the lines that say so.
	Blocked   bool
	BlockedBy []Line
	// Waiting reports that the handoff asks a person to act, decide, review,
	// approve or provide something. WaitsFor are the lines that ask.
	Waiting  bool
	WaitsFor []Line
	// Legacy marks a manifest from before versions.
	Legacy bool
	// Processed reports whether the ledger marks the handoff as processed; nil if no ledger
	// lists it.
	Processed *bool
	// Problems is what was wrong with the file, worst first by line.
	Problems []Problem
	// Span covers the entry.
	Span Span
	// Reasons says what decided the format, the labelled fields and the title;
	// only with Source.Explain. Of the states, BlockedBy and WaitsFor say it.
	Reasons []Reason
}

// Reason says which evidence decided a fact of a document.
type Reason struct {
	Of    string // "format", "title" or a name of FieldNames
	Value string
	Why   string // "labelled \"Status\""
	Line  int    // 0 where the evidence is no line of the file
}

// Field is one fact with its place. Value is trimmed, unquoted text.
type Field struct {
	Key   string // canonical name, or "meta.<key>"
	Label string // the key as written
	Value string
	Span  Span
}

// Date is a handoff's date. Time is the instant, or the first instant of the
// day, month or year in the zone it was written in; Sort orders handoffs whose
// dates are equally coarse (a day refined by the file's name or its mtime when
// that falls on the same day).
type Date struct {
	Time      time.Time
	End       time.Time // first instant after what Time covers
	Sort      time.Time
	Precision string // "instant", "minute", "day", "month" or "year"
	Source    string // "field", "heading", "name", "text", "git" or "mtime"
}

// Section is one heading and the text below it up to the next heading, of any
// level; text under a deeper unknown heading takes the kind of the section
// above it.
type Section struct {
	Kind    Kind
	Heading string // the heading's text as written, without its mark-up
	Slug    string // heading in lower case, letters and digits joined by "-"
	Level   int    // 1 to 6; 0 where the format has no headings
	Body    string
	// BodyLine is the line of the file on which Body starts; that of the
	// heading where Body is empty. A body is not always a run of lines of the
	// file: the lists made of YAML and JSON values leave lines out.
	BodyLine int
	Span     Span
	// Why says which evidence decided Kind; only with Source.Explain.
	Why string
	// Parts splits Body where its lines belong to several kinds (an approach
	// that worked, the blockers inside a state); empty means all is Kind.
	// The parts' Text concatenated is Body.
	Parts []Part
}

// Part is a run of a section's body that is of one kind.
type Part struct {
	Kind Kind
	Text string
}

// File is a file a handoff touched or names. Action is "created", "modified",
// "deleted", "renamed" or "" when it does not say.
type File struct {
	Path   string
	Action string
	// Section is the kind of the section that names the file first.
	Section Kind
	Line    int
}

// Approach is something that was tried. Outcome is "worked", "failed",
// "partial" or "" when it does not say.
type Approach struct {
	Text    string
	Outcome string
	Line    int
}

// Link names another handoff. Relation is "continues", "supersedes",
// "superseded-by", "parent" or "related".
type Link struct {
	Relation string
	Target   string
	Line     int
}

// Line is a line of the file, counted from 1.
type Line struct {
	Number int
	Text   string
}

// Shape is a way to read bytes as sections and fields.
type Shape string

// The shapes.
const (
	Markdown Shape = "markdown"
	YAML     Shape = "yaml"
	XML      Shape = "xml"
	JSON     Shape = "json"
	Text     Shape = "text"
)

// FieldNames are the canonical single-valued fields. Goal, state, hypothesis
// and outcome are fields where a format gives them as a line, sections where
// it gives them as text.
var FieldNames = []string{
	"title", "project", "session", "from", "to", "status", "branch", "source", "version",
	"priority", "progress", "phase", "commit", "date", "updated", "sent",
	"goal", "state", "hypothesis", "outcome",
}

// EscalationSignal is the claude-suite contract's mark that a human must look.
// Its presence anywhere in a file, exactly so written, is the signal.
const EscalationSignal = "HUMAN REVIEW NEEDED"
