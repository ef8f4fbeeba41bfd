package brief

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// Facts are the facts about a project when a session begins. Their texts are unchanged
// texts of handoffs, not made safe yet.
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

// Options are the options of Gather.
type Options struct {
	// Agent is the reader, as handoffs name it; empty if unknown.
	Agent string
	// Trusted says that the user trusts the project, so that handoffs that came with a
	// clone are quoted like others.
	Trusted bool
	// Trusting is the agent that reads the briefing, "" if none does. Its own record of
	// trusted folders counts as well.
	Trusting string
	// IsMine reports whether a member is the user of this machine, who can have several
	// machines. If it is nil, only handoffs of this machine count as the user's own.
	IsMine func(member string) bool
	// Home is the user's home folder.
	Home string
	// Getenv is os.Getenv or a substitute.
	Getenv func(string) string
}

// recent is the maximum number of the newest handoffs that are read.
const recent = 12

// Gather reads the facts about the project of dir, an absolute path without links. It
// does not refresh the index.
func Gather(ctx context.Context, s *index.Store, dir string, o Options) (*Facts, error) {
	here := index.FindWorkTree(dir)
	f, project := &Facts{Agent: o.Agent}, dir
	if here != nil {
		project, f.WorkTree, f.Branch = here.InMain(dir), here.Top, here.Branch
	}
	r, err := s.Recent(ctx, project, recent)
	if err != nil {
		return nil, err
	}
	f.Total = r.Total
	if len(r.Handoffs) > 0 {
		f.Project = r.Handoffs[0].Project
	}
	foreign := map[string]bool{}
	if !o.Trusted {
		foreign = index.Foreign(ctx, summaries(r), o.Getenv)
	}
	if len(foreign) > 0 && AgentTrusts(o.Trusting, dir, o.Home, o.Getenv) {
		// Who trusts a folder in an agent was not asked about other machines.
		for _, h := range summaries(r) {
			foreign[h.ID] = h.Member != ""
		}
	}
	for _, h := range r.Handoffs {
		switch {
		case !foreign[h.ID]:
			f.Handoffs = append(f.Handoffs, h)
		case h.Member != "":
			f.Shared = append(f.Shared, h)
		case h.VersionOf == "":
			f.Foreign = append(f.Foreign, h)
		}
	}
	f.SharedUntrusted = len(f.Shared) > 0
	f.lastFirst(o.IsMine)
	f.newer(o.IsMine)
	f.calls(r.Escalated, foreign)
	if len(f.Handoffs) > 0 && here != nil {
		f.countChanges(ctx, here, o.Getenv)
		w := index.FindWorkTree(filepath.Dir(f.Handoffs[0].Path))
		f.Elsewhere = w != nil && w.Top != here.Top
	}
	return f, nil
}

// summaries returns the summaries of all handoffs in r.
func summaries(r *index.Recent) []index.Summary {
	return render.Each(slices.Concat(r.Handoffs, r.Escalated), func(h *index.Handoff) index.Summary { return h.Summary })
}

// is reports whether a handoff has a state.
func is(h *index.Handoff, state string) bool { return slices.Contains(h.States, state) }

// lastFirst moves the handoff that "handex latest" shows to the front of Handoffs: the
// newest of those that are the latest of their format, the user's own before those of
// others. Earlier versions of files do not count.
func (f *Facts) lastFirst(isMine func(member string) bool) {
	isLatest := func(h *index.Handoff) bool { return h.VersionOf == "" && is(h, "latest") }
	i := slices.IndexFunc(f.Handoffs, func(h *index.Handoff) bool { return isLatest(h) && isOwn(h, isMine) })
	if i < 0 {
		i = slices.IndexFunc(f.Handoffs, isLatest)
	}
	if i < 0 {
		i = slices.IndexFunc(f.Handoffs, func(h *index.Handoff) bool { return h.VersionOf == "" })
	}
	if i < 0 {
		f.Handoffs = nil
		return
	}
	last := f.Handoffs[i]
	f.Handoffs = slices.Insert(slices.Delete(f.Handoffs, i, i+1), 0, last)
}

// isOwn reports whether a handoff was written by the user, on this machine or another one.
func isOwn(h *index.Handoff, isMine func(member string) bool) bool {
	return h.Member == "" || isMine != nil && isMine(h.Member)
}

// newer reduces Shared to the newest handoff of others that is newer than the last handoff,
// whether it is quoted or not. If there is no last handoff, Shared stays as it is.
func (f *Facts) newer(isMine func(member string) bool) {
	if len(f.Handoffs) == 0 {
		return
	}
	last := f.Handoffs[0]
	list := f.Shared
	for _, h := range f.Handoffs[1:] {
		if !isOwn(h, isMine) && is(h, "latest") {
			list = append(list, h)
		}
	}
	list = slices.DeleteFunc(list, func(h *index.Handoff) bool { return !h.Date.After(last.Date) })
	slices.SortStableFunc(list, func(a, b *index.Handoff) int { return b.Date.Compare(a.Date) })
	f.Shared = list[:min(len(list), 1)]
}

// calls sets the handoffs addressed to the agent and the requests for human review. foreign
// has the ids of handoffs whose requests are not quoted.
func (f *Facts) calls(escalated []*index.Handoff, foreign map[string]bool) {
	for _, h := range f.Handoffs {
		if isTo(h.To, f.Agent) && is(h, "open") {
			f.Addressed = append(f.Addressed, h)
		}
	}
	for _, h := range escalated {
		switch {
		case foreign[h.ID] && h.Member != "" && is(h, "open"):
			f.SharedCalls++
		case foreign[h.ID]:
		case is(h, "open"):
			f.Escalations = append(f.Escalations, h)
		case is(h, "superseded") && !is(h, "acked"):
			f.Overtaken = append(f.Overtaken, h)
		}
	}
}

// isTo reports whether one of the names in to begins with the agent's name.
func isTo(to, agent string) bool {
	names := strings.FieldsFunc(strings.ToLower(to), func(r rune) bool { return strings.ContainsRune(" ,;/&+", r) })
	return agent != "" && slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(strings.TrimLeft(name, "@*"), agent)
	})
}

// maxNamed is the maximum number of files named by a handoff that are examined, tick is how
// inexact the clock of a disk may be.
const (
	maxNamed = 40
	tick     = 2 * time.Second
)

// countChanges sets the numbers of commits, changed files and missing files in a work tree
// since the last handoff.
func (f *Facts) countChanges(ctx context.Context, here *index.WorkTree, getenv func(string) string) {
	last := f.Handoffs[0]
	at := writtenBefore(last)
	if n, ok := here.CommitsSince(ctx, at, getenv); ok {
		f.Commits = n
	}
	own := relative(here.Top, last.Path)
	for _, file := range last.Files[:min(len(last.Files), maxNamed)] {
		path, ok := inTree(here.Top, file.Path)
		if !ok || file.Action == "deleted" || path == own {
			continue
		}
		info, err := os.Lstat(filepath.Join(here.Top, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f.Gone++
		case err == nil && info.Mode().IsRegular() && info.ModTime().After(at.Add(tick)):
			f.Changed++
		}
	}
}

// relative returns a path relative to a folder, or the path itself if it is outside.
func relative(top, path string) string {
	if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// inTree returns a path from a handoff relative to the work tree. ok is false if the path
// may not be one of the work tree, such as a name without a folder.
func inTree(top, path string) (rel string, ok bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, top+string(filepath.Separator)), "./")
	if strings.ContainsAny(path, "*?{}<>|:\"\n\x00 ~") || !strings.Contains(path, "/") || strings.HasSuffix(path, "/") {
		return "", false
	}
	return path, filepath.IsLocal(filepath.FromSlash(path))
}

// writtenBefore returns a time by which a handoff was certainly written: if only the day
// is known, the file's time on that day or else the end of the day.
func writtenBefore(h *index.Handoff) time.Time {
	switch {
	case h.DatePrecision == "instant":
		return h.Date
	case !h.Updated.Before(h.Date) && h.Updated.Before(h.DateEnd):
		return h.Updated
	}
	return h.DateEnd
}
