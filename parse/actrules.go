package parse

import (
	"strconv"
	"strings"

	"github.com/OWNER/handex/parse/internal/date"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
)

// actRules are the rules of ACT, for both of its notations. The specification's own examples
// break them, so a file that is found gets warnings only.
var actRules = []rule{
	newRule("project-required", Warning, Error, "Required Fields", inMetadata("project", "project"),
		"The metadata contains the project.", "Fill in project in the metadata."),
	newRule("timestamp-required", Warning, Error, "Required Fields", inMetadata("date", "timestamp"),
		"The metadata contains the timestamp.", "Fill in timestamp in the metadata, such as 2026-02-02T10:30:00Z."),
	newRule("timestamp-iso8601", Warning, Error, "Validation, 2", isoTimestamp,
		"The timestamp is an ISO 8601 time.", "Write it as 2026-02-02T10:30:00Z."),
	newRule("from-session-required", Warning, Error, "Required Fields", inMetadata("session", "from_session"),
		"The metadata contains the session.", "Fill in from_session (From Session) in the metadata."),
	newRule("original-task-required", Warning, Error, "Required Fields", inSection(Goal, "original_task"),
		"The original task is described.", "Write the task or goal into original_task (## Original Task)."),
	newRule("work-completed-required", Warning, Error, "Required Fields", inSection(Done, "work_completed"),
		"The completed actions are listed.", "List them in work_completed (## Work Completed)."),
	newRule("work-remaining", Warning, Error, "Validation, 3", remainingOrComplete,
		"work_remaining has at least one item, or the handoff is marked complete: a status of complete, or a progress of "+
			"100 %.",
		"List what remains in work_remaining (## Work Remaining), or mark the handoff complete."),
	newRule("current-state-required", Warning, Error, "Required Fields", inSection(State, "current_state"),
		"The current phase and progress are given.", "Write them into current_state (## Current State)."),
	newRule("phase-progress", Warning, Error, "Validation, 4", phaseAndProgress,
		"Phase and progress are consistent: progress is from 0 to 100 %, phase X/Y has an X from 0 to Y, and 100 % is "+
			"reached in the last phase only.",
		"Correct the phase or the progress in current_state."),
}

// labelled returns the first labelled value of the file whose label means a canonical field,
// and whether there is one.
func (s *subject) labelled(field string) (outline.Field, bool) {
	for _, f := range s.raws {
		if name, _ := s.format.fieldName(f); name == field {
			return f, true
		}
	}
	return outline.Field{}, false
}

// isoTimestamp reports a timestamp that is not an ISO 8601 time. Other rules report one that
// is missing, empty or a placeholder.
func isoTimestamp(s *subject) {
	if f, ok := s.labelled("date"); ok && f.Value != "" && !unfilled(f.Value) && !date.IsISO8601(f.Value) {
		s.report(f.Span, "timestamp is %q, not an ISO 8601 time", f.Value)
	}
}

// inMetadata returns a rule that reports a metadata field that is missing, empty or still a
// placeholder. key is the name of the field in messages.
func inMetadata(field, key string) func(*subject) {
	return func(s *subject) {
		switch f, ok := s.labelled(field); {
		case !ok:
			s.report(s.top(), "no %s in the metadata", key)
		case f.Null || f.Value == "":
			s.report(f.Span, "%s is empty", key)
		case unfilled(f.Value):
			s.report(f.Span, "%s is still a placeholder", key)
		}
	}
}

// inSection returns a rule that reports a section of a kind that is missing, empty or still
// a placeholder. tag is the name of the section in messages.
func inSection(kind Kind, tag string) func(*subject) {
	return func(s *subject) {
		text := s.doc.textOf(kind)
		switch {
		case text != "" && !unfilled(text):
		case text != "":
			s.report(s.sectionOf(kind), "%s is still a placeholder", tag)
		case s.sectionOf(kind) != s.top():
			s.report(s.sectionOf(kind), "%s is empty", tag)
		default:
			s.report(s.top(), "no %s", tag)
		}
	}
}

// sectionOf returns the place of the first line of the first section of a kind. Without such
// a section, it returns the place that top returns.
func (s *subject) sectionOf(kind Kind) Span {
	for _, sec := range s.doc.Sections {
		if sec.Kind == kind && len(sec.Parts) == 0 || kind == State && sec.Kind == State {
			return s.lines.Content(s.text, sec.Span.Line)
		}
	}
	return s.top()
}

var placeholder = scan.Pattern(`\{\{\s*\w+\s*\}\}`)

// unfilled reports whether every line of a text that is not blank contains a placeholder
// such as {{task}}.
func unfilled(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !placeholder().MatchString(line) {
			return false
		}
	}
	return true
}

// textOf returns the text of all sections and parts of a kind, and of the sections under
// deeper headings below them.
func (d *Document) textOf(k Kind) string {
	var b strings.Builder
	above := 0 // level of the section of the kind that this one is below, 0 for none
	for _, s := range d.Sections {
		if above > 0 && s.Level <= above {
			above = 0
		}
		isKind := len(s.Parts) == 0 && s.Kind == k
		if isKind && above == 0 {
			above = s.Level
		}
		if isKind || above > 0 {
			b.WriteString(s.Body + "\n")
		}
		for _, p := range s.Parts {
			if p.Kind == k {
				b.WriteString(p.Text)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// remainingOrComplete reports a document that lists no remaining work and is not marked
// complete, by its status or by a progress of 100 %.
func remainingOrComplete(s *subject) {
	if st, _ := s.doc.Field("status"); st.Value == "completed" || saysComplete(s.doc) {
		return
	}
	if text := s.doc.textOf(Next); text == "" || scan.IsNone(text) || unfilled(text) {
		s.report(s.sectionOf(Next), "no item in work_remaining, and not marked complete")
	}
}

// saysComplete reports whether the document states a progress of 100 %.
func saysComplete(d *Document) bool {
	p, ok := d.Field("progress")
	return ok && p.Value == "100"
}

var (
	phaseOf   = scan.Pattern(`^([0-9]{1,9})\s*(?:/|of)\s*([0-9]{1,9})\b`)
	percentOf = scan.Pattern(`^(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:%|$)`)
)

// phaseAndProgress reports a progress outside of 0 to 100 %, a phase after the last one, and
// a progress of 100 % before the last phase. It assumes that the progress is that of the
// whole work.
func phaseAndProgress(s *subject) {
	p, _ := s.doc.Field("progress")
	progress, percent := 0.0, percentOf().FindStringSubmatch(p.Value)
	if percent != nil {
		progress, _ = strconv.ParseFloat(percent[1], 64)
	}
	if progress < 0 || progress > 100 {
		s.report(p.Span, "progress is %g %%", progress)
	}
	f, _ := s.doc.Field("phase")
	m := phaseOf().FindStringSubmatch(f.Value)
	if m == nil {
		return
	}
	switch at, of := scan.Atoi(m[1]), scan.Atoi(m[2]); {
	case at > of:
		s.report(f.Span, "phase %d is after the last phase, %d", at, of)
	case progress == 100 && at < of:
		s.report(f.Span, "progress is %g %% in phase %d of %d", progress, at, of)
	}
}
