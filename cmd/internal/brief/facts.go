package brief

import (
	"time"

	"github.com/OWNER/handex/index"
)

// Facts are the facts about a project when a session begins. Texts are as the
// handoffs have them.
type Facts struct {
	// Project is the project's name, WorkTree the session's work tree of git, and
	// Branch what is checked out there; empty if there is none.
	Project, WorkTree, Branch string
	// Agent is the reader, as handoffs name it in "to"; empty if unknown.
	Agent string
	// Total is the number of the project's handoffs.
	Total int
	// Handoffs are quoted at length: the last one, then the others, newest first.
	Handoffs []*index.Handoff
	// Addressed are open handoffs to Agent. Escalations are open; Overtaken are
	// closed by a newer handoff though nobody acknowledged them. Newest first.
	Addressed, Escalations, Overtaken []*index.Handoff
	// Foreign are handoffs that came with a clone. Only their titles are quoted.
	Foreign []*index.Handoff
	// Shared are handoffs of other machines that are newer than the last one, or all if
	// there is none. Only their titles are quoted. SharedUntrusted says that there are some
	// of which nothing else is quoted, and SharedCalls counts the open escalations of these.
	Shared          []*index.Handoff
	SharedUntrusted bool
	SharedCalls     int
	// Elsewhere says that the last handoff was written in another work tree.
	Elsewhere bool
	// Commits is the number of commits since the last handoff, 0 if unknown.
	Commits int
	// Changed and Gone count the files that the last handoff names and that were
	// written since, or do not exist.
	Changed, Gone int
}

// Empty reports whether a briefing would have no content.
func (f *Facts) Empty() bool { return len(f.Handoffs)+len(f.Foreign)+len(f.Shared) == 0 }

// A Briefing is the content of a briefing, in order. Every text in it is one line and
// harmless. The words of handoffs are in Quote and nowhere else.
type Briefing struct {
	// Project is the name of the project's folder, which is untrusted text too.
	Project string
	// Total is the number of the project's handoffs.
	Total  int
	Blocks []Block
	// Message is for the person at the agent: what needs a person; "" if nothing does.
	Message string
	// Closing says what was left out and masked.
	Closing []string
}

// A Block is a part of the briefing: a section of a handoff, or lines of several.
type Block struct {
	// Name is for programs: escalations, last, or the kind of a section.
	Name string `json:"name"`
	// Head is a heading in the program's own words, "" where the lines need none.
	Head  string `json:"head"`
	Lines []Line `json:"lines"`
}

// A Line is a line of a handoff and a note about it. Either may be empty.
type Line struct {
	Note  string `json:"note,omitempty"`  // in the program's own words: age, id, count
	Quote string `json:"quote,omitempty"` // in the words of the handoff

	masked  int  // the number of credentials masked in Quote
	heading bool // Quote is a heading
}

// ComposeOptions are the options of Compose.
type ComposeOptions struct {
	Budget Budget
	// Now is the time that ages are relative to.
	Now time.Time
	// KeepSecrets leaves credentials unmasked.
	KeepSecrets bool
}
