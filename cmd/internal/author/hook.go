package author

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// ErrNoWork says that a hook has nothing to save.
var ErrNoWork = errors.New("nothing to save: git shows no work since the newest handoff")

// errAutoSave says that the project's own configuration keeps hooks from saving.
var errAutoSave = errors.New("the project's configuration says autoSave: false")

// maxSubjects is how many commits a handoff that a hook saves names.
const maxSubjects = 20

// noNextStep is written if a format requires a next step.
const noNextStep = "The next steps are not known."

// byHook begins what a handoff says that a hook saved.
const byHook = "Saved by a hook ("

// carryOver fills in fields and sections that nobody has given: the open steps of the
// newest handoff of the project, and the work since then, from git. before are earlier
// handoffs of the project, the newest first. It returns ErrNoWork if git shows no work, so
// that a hook does not replace a written handoff by an empty one.
func (f filler) carryOver(before []*index.Handoff) error {
	state, err := f.git()
	if err != nil {
		return err
	}
	var newest *index.Handoff
	var since time.Time
	if len(before) > 0 {
		newest = before[0]
		since = newest.Date
	}
	changed := 0
	if state != nil {
		changed = f.changedSince(state, newest)
	}
	done := f.commitsSince(since)
	if len(done) == 0 && changed == 0 {
		return ErrNoWork
	}
	goal, next := "", []string{}
	said := fmt.Sprintf(byHook+"%s), not by hand: %s and %s", cmp.Or(f.Hook.Event, "no event"),
		render.Several(len(done), "commit"), render.Several(changed, "changed file"))
	if newest != nil {
		goal = cmp.Or(newest.Goal, newest.Title)
		said += " since " + newest.ID
		for _, p := range digest.Unfinished(digest.Pieces(newest, parse.Next)) {
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
	gotchas := f.gotchas(before)
	if len(gotchas) > 0 {
		gotchas = append(gotchas, said)
	}
	f.giveSection(parse.Gotchas, gotchas, said)
	return nil
}

// gotchas returns the gotchas that people wrote in the newest handoff, or else in the
// newest of the format that has some: readers of only this format's last file would miss
// them.
func (f filler) gotchas(before []*index.Handoff) (list []string) {
	for i, h := range before {
		if i > 0 && (len(list) > 0 || h.Format != f.at.Format) {
			continue
		}
		for _, p := range digest.Unfinished(digest.Pieces(h, parse.Gotchas)) {
			if !strings.HasPrefix(p.Text, byHook) {
				list = append(list, p.Text)
			}
		}
	}
	return list
}

// changedSince returns how many of the changed files of git were changed after a handoff
// was written; all if h is nil. A deleted file counts as changed when its folder was.
func (f filler) changedSince(state *index.GitState, h *index.Handoff) (n int) {
	dir := f.at.workTree()
	for _, file := range state.Changed {
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		info, err := os.Lstat(path)
		for errors.Is(err, fs.ErrNotExist) && path != dir {
			path = filepath.Dir(path)
			info, err = os.Lstat(path)
		}
		if h == nil || err != nil || info.ModTime().After(h.Updated) {
			n++
		}
	}
	return n
}

// commitsSince returns the subjects of at most maxSubjects commits after a time.
func (f filler) commitsSince(since time.Time) []string {
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

// The keys under which facts from git are added to a file that people write.
const (
	gitBranch  = "git_branch"
	gitCommits = "git_commits"
	gitFiles   = "git_changed_files"
)

// merge returns the keys that a hook sets in the one file of a project, whose text is old:
// facts from git under keys of their own, and the keys that the format requires, if the
// file lacks them or a hook wrote them.
func (f filler) merge(old []byte) (keys Keys, err error) {
	own := f.parse(f.at, f.at.File, old, false)[0]
	state, err := f.git()
	if err != nil {
		return nil, err
	}
	isHooks := strings.HasPrefix(fieldOf(own, string(parse.State)), byHook)
	for _, k := range f.at.Update {
		name := parse.FieldOf(f.at.Format, k.Key)
		if fieldOf(own, name) == "" || isHooks && name == string(parse.State) {
			if i := slices.IndexFunc(f.Fields, func(d parse.Field) bool { return d.Key == name }); i >= 0 {
				keys.Add(k.Key, f.Fields[i].Value)
			}
		}
	}
	if isHooks || fieldOf(own, "date") == "" {
		keys.Add(f.at.Renewed, f.stamp(f.at.Date))
	}
	commits := write.YAMLSet{Key: gitCommits, Values: f.commitsSince(own.Date.Time), List: true}
	files := write.YAMLSet{Key: gitFiles, List: true}
	if state != nil {
		keys.Add(gitBranch, state.Branch)
		for _, file := range state.Changed {
			files.Values = append(files.Values, file.Path)
		}
	}
	return append(keys, commits, files), nil
}

// giveSection adds a section with a list of items, unless the draft has one of this kind.
// Without items it adds the sentence, if the format has a place for the section.
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
