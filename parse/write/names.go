package write

import (
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/scan"
)

// kindNames are the words for sections no specification names: a heading in
// Markdown, joined by "_" a key or tag. Where the first is the label of a field
// the next one is taken.
var kindNames = map[parse.Kind][]string{
	parse.Goal: {"goal", "overview"}, parse.State: {"current state"}, parse.Next: {"next"}, parse.Done: {"done"},
	parse.Gotchas: {"gotchas"}, parse.Risks: {"risks"}, parse.Blockers: {"blockers"},
	parse.Questions: {"open questions"}, parse.Human: {"human actions"}, parse.Decisions: {"decisions"},
	parse.Approaches: {"approaches"}, parse.Worked: {"what worked"}, parse.Failed: {"what failed"},
	parse.Partial: {"partially worked"}, parse.Context: {"context"}, parse.Advice: {"advice"},
	parse.Reflection: {"reflection"}, parse.Hypothesis: {"hypothesis", "hypotheses"},
	parse.Outcome: {"outcome", "outcomes"}, parse.Checks: {"how to verify"}, parse.Files: {"files", "key files"},
	parse.Other: {"details"},
}

// fieldLabels are the keys of fields no specification names, as all formats
// read them.
var fieldLabels = map[string]string{
	"session": "session_id", "source": "source_file", "commit": "last_commit",
	"updated": "last_updated", "sent": "sent_at", "state": "now",
}

// textFields are the fields that are sections in formats that give them as
// text.
var textFields = map[string]parse.Kind{
	"goal": parse.Goal, "state": parse.State, "hypothesis": parse.Hypothesis,
	"outcome": parse.Outcome,
}

// isUsual reports whether a heading is one that a format gives to sections of
// the kind, so that it says no more than the kind does.
func isUsual(kind parse.Kind, heading string) bool {
	s := scan.Slug(heading)
	if s == "" {
		return heading == ""
	}
	is := func(name string) bool { return scan.Slug(name) == s }
	return slices.ContainsFunc(kindNames[kind], is) ||
		slices.ContainsFunc(parts(), func(p parse.PartName) bool { return p.Kind == kind && is(p.Name) })
}

// parts are the sections that the specifications name.
var parts = sync.OnceValue(func() []parse.PartName {
	var all []parse.PartName
	for _, format := range parse.Writable() {
		all = append(all, parse.LayoutOf(format).Parts...)
	}
	return all
})

// partOf returns the specification's name for sections of a kind, and whether it has one.
func (w *writer) partOf(kind parse.Kind) (string, bool) {
	if i := w.rank(kind); i < len(w.layout.Parts) {
		return w.layout.Parts[i].Name, true
	}
	return "", false
}

// rank returns the position of a kind in the specification's order of sections. Kinds that
// it does not name come last.
func (w *writer) rank(kind parse.Kind) int {
	if i := slices.IndexFunc(w.layout.Parts, func(p parse.PartName) bool { return p.Kind == kind }); i >= 0 {
		return i
	}
	return len(w.layout.Parts)
}

// asKey returns a name as a key or tag: in lower case, with "_" between its words.
func asKey(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "_") }

// asHeading returns a name with a capital first letter.
func asHeading(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
