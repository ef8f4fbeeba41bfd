package brief

import "time"

// Facts is all that is known of a project when a session begins, in order of need.
// Texts are as the handoffs have them.
type Facts struct {
	// Project is the project's name, Root its folder, WorkTree the work tree of
	// git that is asked about and Branch what is checked out there, if any.
	Project, Root, WorkTree, Branch string
	// Agent is who is briefed, as handoffs name it in "to"; empty if unknown.
	Agent string
	// Total counts the project's handoffs.
	Total int
	// Addressed are open handoffs to Agent, newest first.
	Addressed []Item
	// Escalations are open, Overtaken closed by a newer handoff though nobody
	// acknowledged them; newest first.
	Escalations, Overtaken []Item
	// Last is the newest handoff; nil if there is none.
	Last *Last
	// State is where it stopped.
	State []Item
	// Next is what is unfinished, of the newest handoff that says so.
	Next []Item
	// Blockers and Questions are those of the newest handoffs.
	Blockers, Questions []Item
	// Gotchas, Risks and Failed are of all recent handoffs, alike ones folded;
	// Decisions of the newest.
	Gotchas, Risks, Decisions, Failed []Item
	// Done is what the newest handoff says was done.
	Done []Item
	// Other is what the newest handoff says under headings of no known kind.
	Other []Item
	// Terms are words that recent handoffs keep using.
	Terms []string
	// Earlier are the handoffs before the last, newest first.
	Earlier []Item
	// Comments counts the HTML comments of the newest handoff, which are left out.
	Comments int
	// Foreign are handoffs that came with a clone: their titles and paths.
	Foreign []Item
}

// Empty reports whether there is nothing to tell.
func (f *Facts) Empty() bool { return f.Last == nil && len(f.Foreign) == 0 }

// Item is one thing a handoff says.
type Item struct {
	Text string
	// ID names the handoff, Date is when it was written, to the day if Day.
	ID   string
	Date time.Time
	Day  bool
	// Count is how many handoffs say it: for Next in a row up to the newest.
	Count int
	// Note is what we know of it, in a few words: a fact, never a text of the
	// handoff.
	Note string
	// Path is where it lies, From who wrote it; empty where that goes without
	// saying.
	Path, From string

	lastOf string // the handoff that was counted last
}

// Last is the newest handoff of a project.
type Last struct {
	Item // Text is its title or goal
	// Format, States and what follows are as in index.Summary; Goal is empty
	// where Text says it. WorkTree is another work tree it was written in.
	Format, Session, Branch, Status, From, To, Goal, Path, WorkTree string
	Blocked, Escalated                                              bool
	// Drift is how far the repository has moved since.
	Drift Drift
}

// Drift is what happened to a work tree since a handoff. Named counts the files
// the handoff names that were looked for.
type Drift struct {
	Commits       int
	Known         bool // Commits is
	Named         int
	Changed, Gone []string
}
