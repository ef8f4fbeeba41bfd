package brief

// A Briefing is what is said, in order. Every text in it is one line and harmless;
// what comes from handoffs stands in Quote and nowhere else.
type Briefing struct {
	// Project is the project's name, which is a folder's: it is data too.
	Project string
	// Total counts the project's handoffs.
	Total  int
	Blocks []Block
	// First is how many of the blocks are of the part that stands alone.
	First int
	// Message is for the person at the agent: what a human must look at; "" if
	// nothing.
	Message string
	// Closing are facts about the briefing itself: what was cut, masked, left out.
	Closing []string
}

// A Block is a heading of ours and the lines below it.
type Block struct {
	Name  string // for programs: escalations, next, ...
	Head  string
	Lines []Line
}

// A Line is what a handoff says and what we know of it. Either may be empty.
type Line struct {
	Note  string // ours: age, id, count
	Quote string // the handoff's
}
