package report

import (
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// A ManyProjectsError says that a timeline was asked for handoffs of several projects.
type ManyProjectsError struct {
	// Projects are some of them, the newest first, and Total how many there are.
	Projects []string
	Total    int
}

func (e *ManyProjectsError) Error() string {
	return "a timeline shows one project, but these handoffs belong to " + render.Several(e.Total, "project")
}

// timeline adds the section with the handoffs of one project, oldest first. If there are
// too many, it has the newest. Several projects are an error.
func (b *builder) timeline() {
	if b.r.Projects.Value > 1 {
		b.refuseSeveral()
		return
	}
	list := b.summaries(b.o.Most, b.time)
	if len(list) == 0 {
		return
	}
	slices.Reverse(list)
	s := Section{
		Name: Timeline, Title: "Handoffs", Numbers: []Number{b.r.Handoffs},
		Omitted: b.r.Handoffs.Value - len(list),
	}
	for i := range list {
		it := b.listed(&list[i])
		it.Group = it.When.Format(time.DateOnly)
		if n := len(s.Groups); n == 0 || s.Groups[n-1].Name != it.Group {
			ofDay := b.count("handoffs", b.time, onDay(startOfDay(it.When, b.o.Env.Zone)))
			s.Groups = append(s.Groups, Group{Name: it.Group, Handoffs: ofDay})
		}
		s.Items = append(s.Items, it)
	}
	b.r.Title += " of " + b.projectName(list[0].Root)
	b.add(s)
}

// listed returns the item for a handoff in a list of handoffs.
func (b *builder) listed(h *index.Summary) Item {
	ref := b.ref(h)
	return Item{Text: ref.Title, Ref: ref, Who: b.writtenBy(h), State: standing(h)}
}

// refuseSeveral fails with a ManyProjectsError that names some of the projects.
func (b *builder) refuseSeveral() {
	q := b.query(b.time)
	q.LatestPer, q.Limit = []string{"project"}, 8
	list, err := b.v.Summaries(b.ctx, q)
	b.fail(err)
	e := &ManyProjectsError{Total: b.r.Projects.Value}
	for i := range list {
		b.meet(&list[i])
		e.Projects = append(e.Projects, b.projectName(list[i].Root))
	}
	b.fail(e)
}

// writtenBy returns who wrote a handoff or, if it does not say that, its session and
// branch.
func (b *builder) writtenBy(h *index.Summary) string {
	if who := b.who(h); who != "" {
		return who
	}
	var words []string
	if h.Session != "" {
		words = append(words, h.Session[:min(len(h.Session), 8)])
	}
	if h.Branch != "" {
		words = append(words, "on "+h.Branch)
	}
	return b.line(strings.Join(words, " "))
}

// standing returns the states of a handoff that matter in a list, its status, and whether
// it is an earlier version, as one text.
func standing(h *index.Summary) string {
	var words []string
	for _, state := range []string{"escalated", "blocked", "invalid", "acked"} {
		if is(h, state) && !render.Quiet(state, h.States) {
			words = append(words, state)
		}
	}
	if h.Status != "" && !slices.Contains(words, h.Status) {
		words = append(words, h.Status)
	}
	if h.VersionOf != "" {
		words = append(words, "earlier version")
	}
	return strings.Join(words, ", ")
}
