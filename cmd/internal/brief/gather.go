package brief

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"handex/index"
)

// Options says what Gather is to know beside the index.
type Options struct {
	// Agent is who is briefed, as handoffs name it; empty if that is not known.
	Agent string
	// Trusted says that what came with a clone is told as what was written here. It is
	// too where the user lets Trusting trust the folder: the agent that reads the
	// briefing, "" if none does.
	Trusted  bool
	Trusting string
	// Home is the user's home folder.
	Home string
	// Getenv is os.Getenv or alike.
	Getenv func(string) string
}

// recent is how many of the newest handoffs are read whole.
const recent = 12

// Gather reads what is to be told of the project that dir, an absolute path
// without links, is in. The index is taken as it is.
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
		clear(foreign)
	}
	for _, h := range r.Handoffs {
		switch {
		case !foreign[h.ID]:
			f.Handoffs = append(f.Handoffs, h)
		case h.VersionOf == "":
			f.Foreign = append(f.Foreign, h)
		}
	}
	f.lastFirst()
	f.calls(r.Escalated, foreign)
	if len(f.Handoffs) > 0 && here != nil {
		last := f.Handoffs[0]
		f.Drift = driftSince(ctx, last, here, o.Getenv)
		if w := index.FindWorkTree(filepath.Dir(last.Path)); w != nil && w.Top != here.Top {
			f.Elsewhere = filepath.Base(w.Top)
		}
	}
	return f, nil
}

func summaries(r *index.Recent) []index.Summary {
	seen := map[string]bool{}
	var list []index.Summary
	for _, h := range slices.Concat(r.Handoffs, r.Escalated) {
		if !seen[h.ID] {
			seen[h.ID] = true
			list = append(list, h.Summary)
		}
	}
	return list
}

func is(h *index.Handoff, state string) bool { return slices.Contains(h.States, state) }

// lastFirst puts the handoff first that "handex latest" shows: of those that are the
// latest of their format the newest. An earlier version of a file is none.
func (f *Facts) lastFirst() {
	i := slices.IndexFunc(f.Handoffs, func(h *index.Handoff) bool { return h.VersionOf == "" && is(h, "latest") })
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

// calls lists what is addressed to the agent, and what asks for a human.
func (f *Facts) calls(escalated []*index.Handoff, foreign map[string]bool) {
	for _, h := range f.Handoffs {
		if isTo(h.To, f.Agent) && is(h, "open") {
			f.Addressed = append(f.Addressed, h)
		}
	}
	for _, h := range escalated {
		switch {
		case foreign[h.ID]:
		case is(h, "open"):
			f.Escalations = append(f.Escalations, h)
		case is(h, "superseded") && !is(h, "acked"):
			f.Overtaken = append(f.Overtaken, h)
		}
	}
}

// isTo reports whether one of the names in to begins with the agent's.
func isTo(to, agent string) bool {
	if agent == "" {
		return false
	}
	for name := range strings.FieldsFuncSeq(strings.ToLower(to),
		func(r rune) bool { return strings.ContainsRune(" ,;/&+", r) }) {
		if strings.HasPrefix(strings.TrimLeft(name, "@*"), agent) {
			return true
		}
	}
	return false
}
