package parse

import "handex/parse/internal/source"

// Span is a range of bytes in the file as it is on disk, and the lines it
// covers, counted from 1. The zero Span means the value does not stand in the
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

// Excerpt is a span as editors count it, with the text around it.
type Excerpt = source.Excerpt

// ExcerptOf finds a span of a file that Parse read. The zero Excerpt is that of a
// span that does not stand in the file.
func ExcerptOf(raw []byte, s Span) Excerpt { return source.ExcerptOf(raw, s) }
