package brief

import (
	"time"

	"handex/index"
)

// Facts is what is known of a project when a session begins. Texts are as the
// handoffs have them.
type Facts struct {
	// Project is the project's name, WorkTree the work tree of git that is asked
	// about, and Branch what is checked out there; empty if there is none.
	Project, WorkTree, Branch string
	// Agent is who is briefed, as handoffs name it in "to"; empty if unknown.
	Agent string
	// Total counts the project's handoffs.
	Total int
	// Handoffs are told in full: the last one, then the others, newest first.
	Handoffs []*index.Handoff
	// Addressed are open handoffs to Agent. Escalations are open; Overtaken are
	// closed by a newer handoff though nobody acknowledged them. Newest first.
	Addressed, Escalations, Overtaken []*index.Handoff
	// Foreign are handoffs that came with a clone, of which little is told.
	Foreign []*index.Handoff
	// Elsewhere is the name of another work tree that the last handoff was
	// written in, and Drift how far the work tree has moved since then.
	Elsewhere string
	Drift     Drift
}

// Drift is what happened to a work tree since a handoff. Commits is known only if
// Known; Changed and Gone count files the handoff names.
type Drift struct {
	Commits       int
	Known         bool
	Changed, Gone int
}

// Empty reports whether there is nothing to tell.
func (f *Facts) Empty() bool { return len(f.Handoffs) == 0 && len(f.Foreign) == 0 }

// A Briefing is what is said, in order. Every text in it is one line and harmless;
// what comes from handoffs stands in Quote and nowhere else.
type Briefing struct {
	// Project is the project's name, which is a folder's: it is data too.
	Project string
	// Total counts the project's handoffs.
	Total  int
	Blocks []Block
	// Message is for the person at the agent: what a human must look at; "" if
	// nothing.
	Message string
	// Closing are facts about the briefing itself: what was left out and masked.
	Closing []string
}

// A Block is a part of the briefing: a section of a handoff, or lines of several.
type Block struct {
	// Name is for programs: escalations, last, or the kind of a section.
	Name string
	// Head is a heading of ours, "" where the lines need none.
	Head  string
	Lines []Line
}

// A Line is what a handoff says and what is known of it. Either may be empty.
type Line struct {
	Note  string // ours: age, id, count
	Quote string // the handoff's

	masked  int  // credentials in Quote
	heading bool // Quote is one
}

// ComposeOptions says how a briefing is put together.
type ComposeOptions struct {
	Budget Budget
	// Now is what ages are counted to.
	Now time.Time
	// KeepSecrets leaves what looks like a credential as it is.
	KeepSecrets bool
}
