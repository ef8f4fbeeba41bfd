package parse

import (
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// Kind is what a section is about, whatever its heading. The index keeps a
// full-text column for each.
type Kind = topic.Kind

// The kinds. Other is for sections with a heading no alias knows.
const (
	Goal       = topic.Goal
	State      = topic.State
	Next       = topic.Next
	Done       = topic.Done
	Gotchas    = topic.Gotchas
	Risks      = topic.Risks
	Blockers   = topic.Blockers
	Questions  = topic.Questions
	Human      = topic.Human
	Decisions  = topic.Decisions
	Approaches = topic.Approaches
	Worked     = topic.Worked
	Failed     = topic.Failed
	Partial    = topic.Partial
	Context    = topic.Context
	Advice     = topic.Advice
	Reflection = topic.Reflection
	Hypothesis = topic.Hypothesis
	Outcome    = topic.Outcome
	Checks     = topic.Checks
	Files      = topic.Files
	Other      = topic.Other
)

// KindOf returns the kind with a name such as "next", or the kind that a heading means; ok
// is false if the text is neither a name nor a known heading.
func KindOf(heading string) (kind Kind, ok bool) { return topic.Named(heading) }

// Item is one list item. Mark is the sign it began with, as written.
type Item = topic.Item

// ItemsOf returns the list items of a section's body, in order. Lines that begin with a mark
// such as ✅ are items too, lines in code fences are not. In the kinds Next, Blockers,
// Questions and Human the points below an item are part of its text unless they have a box,
// and rows of tables, a numbered heading and, without a list, paragraphs are items too.
// firstLine is the line of the file on which the body starts.
func ItemsOf(kind Kind, heading, body string, firstLine int) []Item {
	return topic.AppendItems(nil, kind, heading, body, firstLine)
}

// SaysNone reports whether text under a heading such as Blockers or Risks means
// that there are none, in any of the languages headings are known in: "None", and
// "Blockers: none" as well.
func SaysNone(text string) bool { return scan.SaysNone(text) }

// Span is a range of bytes in the file as it is on disk, and the lines it
// covers, counted from 1. The zero Span means the value is not in the
// file itself (it came from the file's name, its times or a neighbour). The
// bytes of a UTF-16 file are those of its UTF-8 form.
type Span = source.Span

// Problem is a rule the handoff breaks, or a fault of the file.
type Problem = source.Problem

// Rule is something a handoff can break. Its ID does not change.
type Rule = source.Rule

// Severity ranks problems.
type Severity = source.Severity

// A handoff with a problem of severity Error is invalid.
const (
	Warning = source.Warning
	Error   = source.Error
)

// Excerpt is a span in lines and columns as editors count them, with the text around it.
type Excerpt = source.Excerpt

// ExcerptOf returns the excerpt of span s of a file, whose bytes are raw and which Parse
// read. It returns the zero Excerpt for a span that is not in the file.
func ExcerptOf(raw []byte, s Span) Excerpt { return source.ExcerptOf(raw, s) }
