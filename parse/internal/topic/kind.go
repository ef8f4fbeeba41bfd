package topic

import (
	"slices"
	"strings"
)

// Kind is what a section is about, whatever its heading. The index keeps a
// full-text column for each.
type Kind string

// The kinds. Other is for sections with a heading no alias knows.
const (
	Goal       Kind = "goal"
	State      Kind = "state"
	Next       Kind = "next"
	Done       Kind = "done"
	Gotchas    Kind = "gotchas"
	Risks      Kind = "risks"
	Blockers   Kind = "blockers"
	Questions  Kind = "questions"
	Human      Kind = "human"
	Decisions  Kind = "decisions"
	Approaches Kind = "approaches"
	Worked     Kind = "worked"
	Failed     Kind = "failed"
	Partial    Kind = "partial"
	Context    Kind = "context"
	Advice     Kind = "advice"
	Reflection Kind = "reflection"
	Hypothesis Kind = "hypothesis"
	Outcome    Kind = "outcome"
	Checks     Kind = "checks"
	Files      Kind = "files"
	Other      Kind = "other"
)

var kinds = [...]Kind{
	Goal, State, Next, Done, Gotchas, Risks, Blockers, Questions, Human, Decisions, Approaches, Worked, Failed, Partial,
	Context, Advice, Reflection, Hypothesis, Outcome, Checks, Files, Other,
}

func kindIndex(k Kind) int { return slices.Index(kinds[:], k) }

// Strict are the kinds that need minStrict points.
var Strict = SetOf(Next, Done, Gotchas, Risks, Blockers, Questions, Decisions, Human, Approaches, Worked, Failed)

// Weak describe a part of whatever section they are under: below
// "Next", a heading "Files" is still about what comes next.
var Weak = SetOf(Files, Checks, Context, State, Goal, Outcome, Reflection, Advice, Worked, Other)

// SetOf returns the set of some kinds.
func SetOf(kinds ...Kind) map[Kind]bool {
	set := map[Kind]bool{}
	for _, k := range kinds {
		set[k] = true
	}
	return set
}

// Named returns the kind with a name such as "next", or the kind that a heading means; ok is
// false if the text is neither a name nor a known heading.
func Named(heading string) (kind Kind, ok bool) {
	if k := Kind(strings.ToLower(heading)); slices.Contains(kinds[:], k) {
		return k, true
	}
	kind = Of(heading)
	return kind, kind != Other
}
