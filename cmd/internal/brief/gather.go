package brief

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index"
)

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
	// IsMine reports whether a member is who uses this machine, on any machine; nil knows
	// what is on this machine alone.
	IsMine func(member string) bool
	// Home is the user's home folder.
	Home string
	// Getenv is os.Getenv or a substitute.
	Getenv func(string) string
}

// recent is how many of the newest handoffs are read.
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

func summaries(r *index.Recent) []index.Summary {
	list := make([]index.Summary, 0, len(r.Handoffs)+len(r.Escalated))
	for _, h := range slices.Concat(r.Handoffs, r.Escalated) {
		list = append(list, h.Summary)
	}
	return list
}

func is(h *index.Handoff, state string) bool { return slices.Contains(h.States, state) }

// lastFirst moves the handoff to the front that "handex latest" shows: of those that are
// the latest of their format the newest, the user's own before those of others. Earlier
// versions of files do not count.
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

func isOwn(h *index.Handoff, isMine func(member string) bool) bool {
	return h.Member == "" || isMine != nil && isMine(h.Member)
}

// newer keeps of what other machines share the newest handoff that is newer than the last
// one, quoted or not; all if there is no last one.
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

// calls collects the handoffs addressed to the agent and the requests for human review.
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
