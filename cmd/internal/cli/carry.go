package cli

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
)

// errIdle says that a hook has nothing to save.
var errIdle = errors.New("nothing is to be saved: git tells of no work since the newest handoff")

// mostSubjects is how many commits a handoff that a hook saves names.
const mostSubjects = 20

// nothingSaid stands where a format wants to know what comes next.
const nothingSaid = "Nobody said what comes next."

// carry fills in what nobody told: what the newest handoff of the project leaves to
// do, and what git says was done since. errIdle if that is nothing, so that a hook
// does not put an empty handoff over one that somebody wrote.
func (w *writing) carry() error {
	before, err := w.newest()
	if err != nil {
		return err
	}
	var since time.Time
	if before != nil {
		since = before.Date
	}
	var done []string
	if tree := index.FindWorkTree(w.spot.dir); tree != nil {
		moves, _ := tree.Moves(since)
		for _, m := range moves {
			if strings.HasPrefix(m.Kind, "commit") && m.At.After(since) && m.Subject != "" && len(done) < mostSubjects {
				done = append(done, digest.OneLine(m.Subject))
			}
		}
	}
	top := w.spot.root
	if w.spot.Agent {
		top = w.spot.dir // the handoffs lie elsewhere
	}
	state, _, err := w.gitState(top)
	if err != nil {
		return err
	}
	w.dropHandoffs(&state)
	if len(done) == 0 && len(state.Changed) == 0 {
		return errIdle
	}
	w.carryOver(before, done, len(state.Changed))
	return nil
}

// newest is the newest handoff of the project; nil if there is none.
func (w *writing) newest() (*index.Handoff, error) {
	project := w.spot.dir
	if tree := index.FindWorkTree(project); tree != nil {
		project = tree.InMain(project)
	}
	var newest *index.Handoff
	err := w.service.ReadProject(w.ctx, w.spot.dir, func(s *index.Store) error {
		r, err := s.Recent(w.ctx, project, 1)
		if err == nil && len(r.Handoffs) > 0 {
			newest = r.Handoffs[0]
		}
		return err
	})
	return newest, err
}

// dropHandoffs leaves out the files that are handoffs themselves.
func (w *writing) dropHandoffs(state *index.GitState) {
	state.Changed = slices.DeleteFunc(slices.Clone(state.Changed), func(f parse.File) bool {
		return slices.ContainsFunc(parse.Placed(), func(format string) bool { return placedAt(format, f.Path) })
	})
}

// carryOver writes the draft of it. What was told to do before is told again; all
// else is said to be the program's words.
func (w *writing) carryOver(before *index.Handoff, done []string, changed int) {
	goal, next := "", []string{}
	if before != nil {
		goal = cmp.Or(before.Goal, before.Title)
		for _, p := range digest.Unfinished(digest.Pieces(before, parse.Next)) {
			if p.Text != nothingSaid {
				next = append(next, p.Text)
			}
		}
	}
	if len(done) > 0 {
		goal = cmp.Or(goal, done[0])
	}
	said := fmt.Sprintf("Saved by a hook (%s), not by hand: %s and %s", cmp.Or(w.hook.Event, "no event"), render.Several(len(done), "commit"), render.Several(changed, "changed file"))
	if before != nil {
		said += " since " + before.ID
	}
	w.give("goal", cmp.Or(goal, "Work in "+filepath.Base(w.spot.dir)))
	w.give("status", "in_progress")
	w.give(string(parse.State), said)
	w.giveItems(parse.Done, done)
	w.giveItems(parse.Next, next)
	w.fillIn(map[parse.Kind]string{parse.Done: "Nothing is committed yet.", parse.Next: nothingSaid, parse.Gotchas: said})
}

func (w *writing) has(kind parse.Kind) bool {
	return slices.ContainsFunc(w.draft.Sections, func(s parse.DraftSection) bool { return s.Kind == kind })
}

// giveItems adds a section that the person did not.
func (w *writing) giveItems(kind parse.Kind, items []string) {
	if len(items) > 0 && !w.has(kind) {
		w.addSection(parse.DraftSection{Kind: kind, Body: "- " + strings.Join(items, "\n- ")})
	}
}

// fillIn adds sentences for the sections that are missing and that the format has a
// place for.
func (w *writing) fillIn(sentences map[parse.Kind]string) {
	for _, kind := range []parse.Kind{parse.Done, parse.Next, parse.Gotchas} {
		if w.has(kind) {
			continue
		}
		section := parse.DraftSection{Kind: kind, Body: "- " + sentences[kind]}
		_, lost, err := parse.Write(w.spot.format, parse.Draft{Sections: []parse.DraftSection{section}})
		if err == nil && !slices.ContainsFunc(lost, func(l parse.Loss) bool { return l.What == "section "+string(kind) }) {
			w.addSection(section)
		}
	}
}
