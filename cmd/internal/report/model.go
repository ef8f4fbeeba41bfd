package report

import "time"

// A Report is a digest of the handoffs of a time.
type Report struct {
	// Name is what it is asked for by ("weekly"), Title its headline ("Week 46 of
	// 2026").
	Name, Title string
	// Query is what it is restricted to, as typed to search; "" is everything.
	Query string
	// From and To bound the time it is about, half open, in the reader's zone. A
	// zero From is the beginning.
	From, To time.Time
	// Now is when it was made: ages count to it.
	Now time.Time
	// Handoffs are those of that time.
	Handoffs Number
	// Sections are those that have something to tell, in order of need.
	Sections []Section
	// Masked counts the secrets that were masked in it.
	Masked int
	// Notes tell what could not be read and what was left out.
	Notes []string
}

// Section returns the section of a name, nil if it has nothing to tell.
func (r *Report) Section(name string) *Section {
	for i := range r.Sections {
		if r.Sections[i].Name == name {
			return &r.Sections[i]
		}
	}
	return nil
}

// The names of sections. Those of a user's own report are the user's.
const (
	Escalations = "escalations" // items: what a human must look at
	Blockers    = "blockers"    // items: what stops work that is open
	Done        = "done"        // items: what got done
	Next        = "next"        // items: what is to do, and since when
	Gotchas     = "gotchas"     // items: traps that were met again
	Failed      = "failed"      // items: approaches that failed
	Activity    = "activity"    // days: handoffs per day and project
	Agents      = "agents"      // flow and table: who handed over to whom
	Quiet       = "quiet"       // items: projects without news
	Invalid     = "invalid"     // table: rules that were broken
	Stale       = "stale"       // items: open for too long
	Aimless     = "aimless"     // items: projects without a next step
	Unread      = "unread"      // items: what could not be read
	Timeline    = "timeline"    // items: the handoffs in order
	Breakdown   = "breakdown"   // table: handoffs by what --by names
)

// A Section has a name for programs, a title for people, and any of the parts.
type Section struct {
	Name, Title string
	// Numbers are its figures, the first the one that counts.
	Numbers []Number
	// Items are in order; those of one Group stand together.
	Items []Item
	// More counts the handoffs or items that are left out; nil if none are.
	More *Number
	// Table, Days and Flow are nil or empty where the section has none.
	Table *Table
	Days  *Days
	Flow  []Edge
}

// A Number is a count of handoffs and the query that gives it. Where Query is
// empty it counts something else than handoffs, which its label names.
type Number struct {
	Label string
	Value int
	Query string
}

// An Item is one thing that handoffs say.
type Item struct {
	// Group is the heading it stands under: mostly a project. Groups of one name
	// are told apart by their folders.
	Group string
	// Text is what is said, one line.
	Text string
	// Ref is the newest handoff that says so.
	Ref
	// Who wrote it: from -> to, or what is known of these.
	Who string
	// State is ours: open, acknowledged, overtaken; "" if there is none.
	State string
	// Since is when it was first said: of what is next, in the handoffs that say
	// it in a row up to the newest. Zero if that is When.
	Since time.Time
	// Count is how many handoffs say it; Value 0 if that is not asked.
	Count Number
	// Where are the handoffs that say it, newest first, at most MaxWhere; empty
	// if only Ref does.
	Where []Ref
}

// A Ref names a handoff.
type Ref struct {
	ID, Title, Project string
	When               time.Time
	// Day says that only the day of When is known.
	Day bool
}

// MaxWhere bounds Item.Where.
const MaxWhere = 5

// A Table has cells in columns.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

// A Column has a name for programs and a title for people. Right is for numbers.
type Column struct {
	Name, Title string
	Right       bool
}

// A Cell is a text, a number or a date: the first of Number and When that is set,
// or else Text. Ref is the handoff that a text names, if it names one.
type Cell struct {
	Text   string
	Number *Number
	When   time.Time
	Ref    *Ref
}

// Days are handoffs per day, and per day and project. A handoff that is dated to a
// month counts on each of its days.
type Days struct {
	// Days are in order without a gap; Number.Label is the day, as 2006-01-02.
	Days []Day
	// Rows are the projects, those with most handoffs first.
	Rows []DayRow
	// More counts the handoffs of projects that have no row; nil if all have.
	More *Number
}

// A Day is one day and its handoffs.
type Day struct {
	When time.Time // its begin
	Number
}

// A DayRow is a project's handoffs by day. Number.Label is the project.
type DayRow struct {
	Number
	// Counts are in the order of Days.Days, Queries what gives each.
	Counts  []int
	Queries []string
}

// An Edge is how often one agent handed over to another.
type Edge struct {
	From, To string
	Number
}
