package author

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/digest"
	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
	"handex/parse/write"
)

// ErrNoWork says that a hook has nothing to save.
var ErrNoWork = errors.New("nothing is to be saved: git tells of no work since the newest handoff")

// maxSubjects is how many commits a handoff that a hook saves names.
const maxSubjects = 20

// noNextStep stands where a format wants to know what comes next.
const noNextStep = "Nobody said what comes next."

// carryOver fills in what nobody has given: what the newest handoff of the project leaves
// to do, and what git says was done since. It is ErrNoWork if that is nothing, so that a
// hook does not put an empty handoff over one that somebody wrote.
func (f filler) carryOver(before *index.Handoff) error {
	state, err := f.git()
	if err != nil {
		return err
	}
	changed := 0
	if state != nil {
		changed = len(state.Changed)
	}
	done := f.commitsSince(before)
	if len(done) == 0 && changed == 0 {
		return ErrNoWork
	}
	goal, next := "", []string{}
	said := fmt.Sprintf("Saved by a hook (%s), not by hand: %s and %s", cmp.Or(f.Hook.Event, "no event"),
		render.Several(len(done), "commit"), render.Several(changed, "changed file"))
	if before != nil {
		goal = cmp.Or(before.Goal, before.Title)
		said += " since " + before.ID
		for _, p := range digest.Unfinished(digest.Pieces(before, parse.Next)) {
			if p.Text != noNextStep {
				next = append(next, p.Text)
			}
		}
	}
	if len(done) > 0 {
		goal = cmp.Or(goal, done[0])
	}
	f.give("goal", cmp.Or(goal, "Work in "+filepath.Base(f.at.Dir)))
	f.give("status", "in_progress")
	f.give(string(parse.State), said)
	f.giveSection(parse.Done, done, "Nothing is committed yet.")
	f.giveSection(parse.Next, next, noNextStep)
	f.giveSection(parse.Gotchas, nil, said)
	return nil
}

// commitsSince are the subjects of the commits since a handoff was written.
func (f filler) commitsSince(before *index.Handoff) []string {
	var since time.Time
	if before != nil {
		since = before.Date
	}
	tree := index.FindWorkTree(f.at.Dir)
	if tree == nil {
		return nil
	}
	var subjects []string
	moves, _ := tree.Moves(since)
	for _, m := range moves {
		if strings.HasPrefix(m.Kind, "commit") && m.At.After(since) && m.Subject != "" && len(subjects) < maxSubjects {
			subjects = append(subjects, digest.OneLine(m.Subject))
		}
	}
	return subjects
}

// giveSection adds a section that the person did not. Where there are no items it is
// a sentence, if the format has a place for the section.
func (f filler) giveSection(kind parse.Kind, items []string, sentence string) {
	if f.hasSection(kind) {
		return
	}
	if len(items) > 0 {
		f.AddSection(write.DraftSection{Kind: kind, Body: "- " + strings.Join(items, "\n- ")})
		return
	}
	l := parse.LayoutOf(f.at.Format)
	if l.Free || slices.ContainsFunc(l.Parts, func(p parse.PartName) bool { return p.Kind == kind }) {
		f.AddSection(write.DraftSection{Kind: kind, Body: "- " + sentence})
	}
}
