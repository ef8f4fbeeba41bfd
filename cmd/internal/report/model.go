package report

import (
	"slices"
	"time"
)

// A Report is a summary of the handoffs of a range of time.
type Report struct {
	// Name is its name for programs ("weekly"), Title its headline ("Week 46 of 2026").
	Name  string `json:"name"`
	Title string `json:"title"`
	// Query is what it is restricted to, as typed to search; "" is everything.
	Query string `json:"query,omitempty"`
	// From and To bound the time it is about, half open, in the reader's zone. A
	// zero From is the beginning, a zero To the end of all time.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
	// Now is when it was made: ages count to it.
	Now time.Time `json:"now"`
	// Handoffs counts the handoffs of that time, Projects their projects.
	Handoffs Number `json:"handoffs"`
	Projects Number `json:"projects"`
	// Sections are its sections that are not empty, the most important first.
	Sections []Section `json:"sections"`
	// Whole reports that nothing is left out: an item's other wordings are written below
	// it.
	Whole bool `json:"-"`
	// Masked counts the secrets that were masked in it.
	Masked int `json:"masked,omitempty"`
	// Notes say what could not be read and what was left out.
	Notes []string `json:"notes,omitempty"`
}

// Section returns the section with a name, or nil if the report has none.
func (r *Report) Section(name string) *Section {
	for i := range r.Sections {
		if r.Sections[i].Name == name {
			return &r.Sections[i]
		}
	}
	return nil
}

// IsOneList reports whether the report is a single list, which needs no heading but the
// title of the report.
func (r *Report) IsOneList() bool { return r.Name == "todo" }

// The names of sections. Sections that a user defined have names of their own.
const (
	Escalations = "escalations" // items: what a human must look at
	Overtaken   = "overtaken"   // items: what nobody looked at before there was news
	Acked       = "acknowledged"
	Blockers    = "blockers"  // items: what stops work that is open
	Done        = "done"      // items: what got done
	Next        = "next"      // items: what is to do, and since when
	Gotchas     = "gotchas"   // items: traps that were met again
	Failed      = "failed"    // items: approaches that failed
	Activity    = "activity"  // days: handoffs per day and project
	Agents      = "agents"    // flow and table: who handed over to whom
	Quiet       = "quiet"     // items: projects without news
	Invalid     = "invalid"   // table: rules that were broken
	Stale       = "stale"     // items: open for too long
	Aimless     = "aimless"   // items: projects without a next step
	Unread      = "unread"    // table: what could not be read
	Timeline    = "timeline"  // items: the handoffs in order
	Formats     = "formats"   // table: handoffs by format
	Breakdown   = "breakdown" // table: handoffs by what was asked for
)

// A Section has a name for programs, a title for people, and any of the parts below.
type Section struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Numbers are its figures, the first the one that counts: its query lists all
	// the section is made of.
	Numbers []Number `json:"numbers,omitempty"`
	// Groups are the headings of its items, in order; none if items
	// have no headings.
	Groups []Group `json:"groups,omitempty"`
	// Items are in order; those of one Group are adjacent.
	Items []Item `json:"items,omitempty"`
	// Omitted counts the items and groups that are left out.
	Omitted int `json:"omitted,omitempty"`
	// Table, Days and Flow are nil or empty where the section has none.
	Table *Table `json:"table,omitempty"`
	Days  *Days  `json:"days,omitempty"`
	Flow  []Edge `json:"flow,omitempty"`
}

// Of returns the items of the group with a name.
func (s Section) Of(group string) []Item {
	return slices.DeleteFunc(slices.Clone(s.Items), func(it Item) bool { return it.Group != group })
}

// A Number is a count and the query that finds what is counted. Query is empty if the
// number does not count handoffs, or if the query would reveal a secret.
type Number struct {
	Label string `json:"label,omitempty"`
	Value int    `json:"value"`
	Query string `json:"query,omitempty"`
}

// A Group is a heading above items, usually a project.
type Group struct {
	// Name is unique in its section: projects of one name are distinguished by their
	// folders.
	Name string `json:"name"`
	// Handoffs are those of the group in the report's time, newest first.
	Handoffs Number `json:"handoffs"`
	// Omitted counts the group's items that are left out.
	Omitted int `json:"omitted,omitempty"`
}

// An Item is one thing that handoffs say.
type Item struct {
	// Group is the name of its heading, "" if it has none.
	Group string `json:"group,omitempty"`
	// Text is the text, one line.
	Text string `json:"text"`
	// Ref is the newest handoff that says so.
	Ref
	// Who wrote it: from, to and session, as far as known.
	Who string `json:"who,omitempty"`
	// State is ours: open, acknowledged, replaced; "" if there is none.
	State string `json:"state,omitempty"`
	// Since is when it was first said: for a next step, the date of the oldest handoff in
	// the unbroken series up to the newest that has it. Zero if that is When.
	Since time.Time `json:"since,omitzero"`
	// Count is how many handoffs say it; nil if that is not asked.
	Count *Number `json:"count,omitempty"`
	// Where are the handoffs that say it, newest first, at most MaxWhere; empty
	// if only Ref does.
	Where []Ref `json:"where,omitempty"`
	// Alike are the wordings of other handoffs that say the same, newest first.
	Alike []Wording `json:"alike,omitempty"`
	// All is Where without a bound.
	All []Ref `json:"-"`
}

// A Wording is the text with which one handoff says the same as an item.
type Wording struct {
	Text string `json:"text"`
	Ref
}

// A Ref identifies a handoff.
type Ref struct {
	ID      string    `json:"id,omitempty"`
	Title   string    `json:"title,omitempty"`
	Project string    `json:"project,omitempty"`
	When    time.Time `json:"when,omitzero"`
	// Precision is how much of When is known: "instant", "minute", "day", "month"
	// or "year".
	Precision string `json:"precision,omitempty"`
}

// MaxWhere is the maximum number of handoffs in Item.Where.
const MaxWhere = 5

// A Table is rows of cells under columns.
type Table struct {
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`
}

// A Column has a name for programs and a title for people. Right aligns it to the right,
// for numbers.
type Column struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Right bool   `json:"-"`
}

// A Cell shows a number, a date or a text: the first of them that is set. Ref is the
// handoff that the cell names, nil if it names none.
type Cell struct {
	Text      string    `json:"text,omitempty"`
	Number    *Number   `json:"number,omitempty"`
	When      time.Time `json:"when,omitzero"`
	Precision string    `json:"precision,omitempty"` // of When
	Ref       *Ref      `json:"ref,omitempty"`
}

// Days are handoffs per day, and per day and project. A handoff that is dated to a
// month counts on each of its days.
type Days struct {
	// Days are in order without a gap.
	Days []Day `json:"days"`
	// Rows are the projects, those with most handoffs first.
	Rows []DayRow `json:"rows"`
	// Omitted counts the projects that have no row.
	Omitted int `json:"omitted,omitempty"`
}

// A Day is one day and its handoffs. Number.Label is the day, as 2006-01-02.
type Day struct {
	When   time.Time `json:"-"` // its begin
	Number           // of all projects
}

// A DayRow is the handoffs of one project per day. Number.Label is the project.
type DayRow struct {
	Number
	// Counts are in the order of Days.Days, Queries what gives each.
	Counts  []int    `json:"counts"`
	Queries []string `json:"queries"`
}

// An Edge counts the handoffs from one agent to another.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Number
}
