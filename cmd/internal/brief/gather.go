package brief

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/digest"
	"handex/index"
	"handex/parse"
)

// Options says what Gather is to know beside the index.
type Options struct {
	// Agent is who is briefed, as handoffs name it; empty if that is not known.
	Agent string
	// Trusted says that what came with a clone is told as what was written here.
	Trusted bool
	// Getenv is os.Getenv or alike.
	Getenv func(string) string
}

// recent is how many of the newest handoffs are read whole, decided of how many of
// them the decisions still count.
const (
	recent  = 12
	decided = 4
)

// Gather reads what is to be told of the project that dir, an absolute path
// without links, is in. The index is taken as it is.
func Gather(ctx context.Context, s *index.Store, dir string, o Options) (*Facts, error) {
	here := index.FindWorkTree(dir)
	project := dir
	if here != nil {
		project = here.InMain(dir)
	}
	r, err := s.Recent(ctx, project, recent)
	if err != nil {
		return nil, err
	}
	g := &gatherer{Facts: &Facts{Total: r.Total, Agent: o.Agent}, here: here, top: dir}
	if g.here != nil {
		g.top, g.WorkTree, g.Branch = g.here.Top, g.here.Top, g.here.Branch
	}
	foreign := map[string]bool{}
	if !o.Trusted {
		foreign = index.Foreign(ctx, summaries(r), o.Getenv)
	}
	own := func(h *index.Handoff) bool { return !foreign[h.ID] }
	g.own = slices.Collect(filter(r.Handoffs, own))
	g.foreign(r, foreign)
	g.escalations(slices.Collect(filter(r.Escalated, own)))
	g.last(ctx, o)
	g.addressed()
	g.next()
	g.blockers()
	g.folded()
	if len(g.Escalations) > 0 {
		g.onlyOnce()
	}
	g.Terms = terms(g.own)
	return g.Facts, nil
}

func filter[T any](list []T, keep func(T) bool) func(func(T) bool) {
	return func(yield func(T) bool) {
		for _, v := range list {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
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

type gatherer struct {
	*Facts
	own  []*index.Handoff // newest first
	here *index.WorkTree
	top  string
}

// foreign lists what came with a clone, without its text.
func (g *gatherer) foreign(r *index.Recent, foreign map[string]bool) {
	for _, h := range r.Handoffs {
		if g.Project == "" {
			g.Project, g.Root = h.Project, h.Root
		}
		if foreign[h.ID] && h.VersionOf == "" {
			it := item(h, title(h))
			it.Path = g.relative(h.Path)
			g.Foreign = append(g.Foreign, it)
		}
	}
}

// relative is a path as one in the work tree, if it is.
func (g *gatherer) relative(path string) string {
	if rel, err := filepath.Rel(g.top, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

func item(h *index.Handoff, text string) Item {
	return Item{Text: text, ID: h.ID, Date: h.Date, Day: h.DatePrecision != "instant" && h.DatePrecision != "minute"}
}

// title is what a handoff is about, in a line.
func title(h *index.Handoff) string {
	return digest.Plain(cmp.Or(h.Title, h.Goal, filepath.Base(cmp.Or(h.VersionOf, h.Path))))
}

func is(h *index.Handoff, state string) bool { return slices.Contains(h.States, state) }

func (g *gatherer) escalations(list []*index.Handoff) {
	overtaken := folder{}
	for _, h := range list {
		text := digest.Signal(h)
		switch {
		case is(h, "open"):
			it := item(h, text)
			it.Note = "open"
			g.Escalations = append(g.Escalations, it)
		case is(h, "superseded") && !is(h, "acked"):
			overtaken.add(item(h, text))
		}
	}
	g.Overtaken = overtaken.items
}

// newest is the handoff that "handex latest" shows: of those that are the latest of
// their format the one with the latest date. Where none of these may be included, it is
// the one with the latest date of all.
func (g *gatherer) newest() int {
	ofFile := func(h *index.Handoff) bool { return h.VersionOf == "" }
	i := slices.IndexFunc(g.own, func(h *index.Handoff) bool { return ofFile(h) && is(h, "latest") })
	if i < 0 {
		i = slices.IndexFunc(g.own, ofFile)
	}
	return i
}

// last tells of the newest handoff.
func (g *gatherer) last(ctx context.Context, o Options) {
	i := g.newest()
	if i < 0 {
		return
	}
	h := g.own[i]
	l := &Last{
		Item: item(h, title(h)), Format: h.Format, Session: h.Session, Branch: h.Branch, Status: h.Status, From: h.From, To: h.To, Path: h.Path,
		Blocked: is(h, "blocked"), Escalated: is(h, "escalated"),
	}
	if goal := digest.Plain(h.Goal); goal != l.Text {
		l.Goal = goal
	}
	if w := index.FindWorkTree(filepath.Dir(h.Path)); w != nil && g.here != nil && w.Top != g.here.Top {
		l.WorkTree = filepath.Base(w.Top)
	}
	l.Drift = g.drift(ctx, h, o)
	g.Last = l
	for _, s := range h.Sections {
		g.Comments += strings.Count(s.Body, "<!--")
	}
	told := func(p digest.Piece) bool { return p.Text == l.Text || p.Text == l.Goal }
	g.State = once(h, slices.DeleteFunc(digest.Unfinished(digest.Pieces(h, parse.State, parse.Hypothesis, parse.Partial)), told))
	g.Done = once(h, digest.Pieces(h, parse.Done, parse.Outcome))
	var others folder
	addAll(&others, h, digest.Others(h))
	g.Other = others.items
	for _, older := range g.own {
		if older == h || older.VersionOf != "" {
			continue
		}
		it := item(older, title(older))
		if n := len(g.Earlier); n > 0 && g.Earlier[n-1].Text == it.Text {
			g.Earlier[n-1].Count++
			continue
		}
		it.Note, it.Count = older.Branch, 1
		g.Earlier = append(g.Earlier, it)
	}
}

// once are items of a handoff, each told once.
func once(h *index.Handoff, list []digest.Piece) []Item {
	var items []Item
	seen := map[string]bool{}
	for _, p := range list {
		if !seen[p.Text] {
			seen[p.Text] = true
			items = append(items, item(h, p.Text))
		}
	}
	return items
}

// addressed lists what is open and to the agent.
func (g *gatherer) addressed() {
	for _, h := range g.own {
		if isTo(h.To, g.Agent) && is(h, "open") {
			it := item(h, title(h))
			it.From = h.From
			g.Addressed = append(g.Addressed, it)
		}
	}
}

// isTo reports whether one of the names in to begins with the agent's.
func isTo(to, agent string) bool {
	if agent == "" {
		return false
	}
	for name := range strings.FieldsFuncSeq(strings.ToLower(to), func(r rune) bool { return strings.ContainsRune(" ,;/&+", r) }) {
		if strings.HasPrefix(strings.TrimLeft(name, "@*"), agent) {
			return true
		}
	}
	return false
}

// next takes what is unfinished from the newest handoff that says what comes
// next, and looks back how long each was carried.
func (g *gatherer) next() {
	var rows [][]digest.Wording
	for _, h := range g.own {
		list := digest.Unfinished(digest.Pieces(h, parse.Next))
		if len(list) == 0 {
			continue
		}
		if rows == nil {
			for _, p := range list {
				g.Next = append(g.Next, item(h, p.Text))
			}
		}
		words := make([]digest.Wording, len(list))
		for i, p := range list {
			words[i] = digest.WordingOf(p.Text)
		}
		rows = append(rows, words)
	}
	for i := range g.Next {
		g.Next[i].Count = carried(rows, rows[0][i])
	}
}

// carried counts the rows from the first on that hold something alike.
func carried(rows [][]digest.Wording, words digest.Wording) int {
	n := 1
	for _, row := range rows[1:] {
		if !slices.ContainsFunc(row, words.Alike) {
			break
		}
		n++
	}
	return n
}

// blockers takes what the newest handoff of each format is blocked on and asks.
func (g *gatherer) blockers() {
	var blockers, questions folder
	for _, h := range g.own {
		if !is(h, "latest") || is(h, "closed") && h != g.own[0] {
			continue
		}
		addAll(&blockers, h, digest.Unfinished(digest.Pieces(h, parse.Blockers)))
		addAll(&questions, h, digest.Unfinished(digest.Pieces(h, parse.Questions, parse.Human)))
	}
	g.Blockers, g.Questions = blockers.items, questions.items
}

func addAll(f *folder, h *index.Handoff, list []digest.Piece) {
	for _, p := range list[:min(len(list), maxFolded)] {
		f.add(item(h, p.Text))
	}
}

// folded takes what outlives a session from all recent handoffs.
func (g *gatherer) folded() {
	var gotchas, risks, decisions, failed folder
	for i, h := range g.own {
		addAll(&gotchas, h, digest.Unfinished(digest.Pieces(h, parse.Gotchas)))
		addAll(&risks, h, digest.Unfinished(digest.Pieces(h, parse.Risks)))
		if i < decided {
			addAll(&decisions, h, digest.Pieces(h, parse.Decisions))
		}
		addAll(&failed, h, digest.Pieces(h, parse.Failed))
		for _, a := range h.Approaches {
			if a.Outcome == "failed" {
				failed.add(item(h, digest.OneLine(a.Text)))
			}
		}
	}
	g.Gotchas, g.Risks = gotchas.repeatedFirst(), risks.repeatedFirst()
	g.Decisions, g.Failed = decisions.items, failed.repeatedFirst()
}

// onlyOnce drops calls for a human from where they were found a second time: with
// the signal, or without it where a bold signal is a section of its own.
func (g *gatherer) onlyOnce() {
	told := func(it Item) bool {
		return strings.Contains(it.Text, parse.EscalationSignal) || slices.ContainsFunc(g.Escalations, func(call Item) bool {
			return call.ID == it.ID && strings.HasSuffix(call.Text, it.Text)
		})
	}
	for _, list := range []*[]Item{&g.State, &g.Next, &g.Blockers, &g.Questions, &g.Gotchas, &g.Risks, &g.Decisions, &g.Failed, &g.Done, &g.Other} {
		*list = slices.DeleteFunc(*list, told)
	}
}

// since is when a handoff was surely written: a day alone is over, unless the
// file's time lies in it.
func since(h *index.Handoff) time.Time {
	switch {
	case h.DatePrecision == "instant":
		return h.Date
	case !h.Updated.Before(h.Date) && h.Updated.Before(h.DateEnd):
		return h.Updated
	}
	return h.DateEnd
}
