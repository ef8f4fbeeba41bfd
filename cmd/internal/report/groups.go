package report

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Groupings are what handoffs can be grouped by, the usual one first.
var Groupings = []string{"project", "agent", "session", "branch", "status", "format", "day", "week", "month"}

// checkBy returns an error if handoffs cannot be grouped by a name; "" is allowed.
func checkBy(by string) error {
	if by == "" || slices.Contains(Groupings, by) {
		return nil
	}
	return fmt.Errorf("a report cannot be grouped by %q; choose one of %s", by, strings.Join(Groupings, ", "))
}

// errEndless is the error for a report by day, week or month without a start date.
var errEndless = errors.New("to group by day, week or month, a report needs a start date")

// A group is the handoffs that share a value of the grouping, newest first.
type group struct {
	name string
	list []index.Summary
	is   query.Expr // what they meet, and no others of the report's time
}

// number returns how many handoffs a group has, with the query for them.
func (b *builder) number(g *group) Number {
	return b.counted(g.name, len(g.list), b.time, g.is)
}

// groups returns the handoffs of the report's time in groups by a name of Groupings, the
// group with the newest handoff first.
func (b *builder) groups(by string) []*group {
	list := b.handoffs()
	if slices.Contains([]string{"day", "week", "month"}, by) {
		return b.periods(by, list)
	}
	var groups []*group
	byKey, taken := map[string]*group{}, map[string]bool{}
	for i := range list {
		h := &list[i]
		key, name := b.groupOf(by, h)
		g := byKey[key]
		if g == nil {
			for taken[name] {
				name += " " + h.ID
			}
			taken[name] = true
			g = &group{name: name, is: b.meets(by, key, h)}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.list = append(g.list, *h)
	}
	return groups
}

// groupOf returns the key and the name of the group to which a handoff belongs.
func (b *builder) groupOf(by string, h *index.Summary) (key, name string) {
	switch by {
	case "", "project":
		return h.Root, b.projectName(h.Root)
	case "agent":
		key = h.From
	case "session":
		key = h.Session
	case "branch":
		key = h.Branch
	case "status":
		key = h.Status
	case "format":
		key = h.Format
	}
	if key == "" {
		return "", "(no " + by + ")"
	}
	return key, b.line(key)
}

// meets returns the condition that exactly the handoffs of the group with a key meet. h is
// one of them.
func (b *builder) meets(by, key string, h *index.Summary) query.Expr {
	field := by
	if by == "agent" {
		field = "from"
	}
	switch {
	case by == "" || by == "project":
		return b.ofProject(h)
	case by == "status" && key == "":
		return query.Key{Field: by, Value: "none"}
	case key == "":
		return query.Not{X: query.Has{Field: field}}
	case by == "status" || by == "format":
		return query.Key{Field: by, Value: key}
	}
	return query.Key{Field: field, Op: query.KeyExact, Value: key}
}

// periods returns the handoffs of the report's time grouped by day, week or month, newest
// first. A handoff whose date spans several periods is in each of them. If the time has no
// bounds, the report fails with errEndless.
func (b *builder) periods(by string, list []index.Summary) []*group {
	if b.o.From.IsZero() || b.o.To.IsZero() {
		b.fail(errEndless)
		return nil
	}
	var groups []*group
	for at := b.o.From; at.Before(b.o.To); {
		from, to, name := period(by, at, b.o.Env.Zone)
		if met := dated(list, from, to); len(met) > 0 {
			groups = append(groups, &group{name: name, list: met, is: query.During{Field: "date", From: from, To: to}})
		}
		at = to
	}
	slices.Reverse(groups)
	return groups
}

// period returns the bounds and the name of the day, week or month that contains t.
func period(by string, t time.Time, zone *time.Location) (from, to time.Time, name string) {
	day := startOfDay(t, zone)
	switch by {
	case "week":
		from = day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
		year, week := from.ISOWeek()
		return from, from.AddDate(0, 0, 7), fmt.Sprintf("%d-W%02d", year, week)
	case "month":
		from = day.AddDate(0, 0, 1-day.Day())
		return from, from.AddDate(0, 1, 0), from.Format("2006-01")
	}
	return day, day.AddDate(0, 0, 1), day.Format(time.DateOnly)
}

// breakdown adds a table with the number of handoffs of each group, if the options ask for
// a grouping.
func (b *builder) breakdown() {
	if b.o.By == "" {
		return
	}
	groups := b.groups(b.o.By)
	if len(groups) == 0 {
		return
	}
	s := Section{Name: Breakdown, Title: "Handoffs by " + b.o.By}
	s.Table = &Table{Columns: []Column{textColumn(b.o.By), figureColumn("handoffs"), textColumn("newest")}}
	for _, g := range cut(groups, b.o.Most, &s.Omitted) {
		ref := b.ref(&g.list[0])
		newest := Cell{When: ref.When, Precision: ref.Precision, Ref: &ref}
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: g.name}, figure(b.number(g)), newest})
	}
	b.add(s)
}

// cut returns a list cut to its first items; most is their maximum number. The number of
// the items that are left out is added to omitted.
func cut[T any](list []T, most int, omitted *int) []T {
	if len(list) <= most {
		return list
	}
	*omitted += len(list) - most
	return list[:most]
}

// today returns the start of the current day.
func (o *Options) today() time.Time {
	n := o.Env.Now.In(o.Env.Zone)
	return time.Date(n.Year(), n.Month(), n.Day(), 0, 0, 0, 0, o.Env.Zone)
}

// span returns a range of time as text to be put after the title of a report; "" if it is
// unbounded.
func span(from, to time.Time) string {
	last := to.AddDate(0, 0, -1)
	year, week := from.ISOWeek()
	switch {
	case from.IsZero() && to.IsZero():
		return ""
	case to.IsZero():
		return " since " + from.Format(time.DateOnly)
	case from.IsZero():
		return " until " + last.Format(time.DateOnly)
	case from.Weekday() == time.Monday && to.Equal(from.AddDate(0, 0, 7)):
		return fmt.Sprintf(" %d of %d, %s to %s", week, year, from.Format(time.DateOnly), last.Format(time.DateOnly))
	case to.Equal(from.AddDate(0, 0, 1)):
		return ", " + from.Format(time.DateOnly)
	}
	return ", " + from.Format(time.DateOnly) + " to " + last.Format(time.DateOnly)
}

// during returns the condition for handoffs whose date overlaps the time between from and
// to. Zero times are unbounded.
func during(from, to time.Time) query.Expr {
	if from.IsZero() && to.IsZero() {
		return query.All{}
	}
	return query.During{Field: "date", From: from, To: to}
}

// days returns the start of each day between two times.
func days(from, to time.Time, zone *time.Location) []time.Time {
	var list []time.Time
	for d := startOfDay(from, zone); d.Before(to); d = startOfDay(d.AddDate(0, 0, 1).Add(12*time.Hour), zone) {
		list = append(list, d)
	}
	return list
}

func startOfDay(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, zone)
}

// names are the names of projects in a report. Projects of the same name are distinguished
// by their folders.
type names struct {
	shown map[string]string // by root
	taken map[string]string // root by what is shown
	// claims are what project: could mean, in lower case: the root of the only
	// project that handoffs of the report's time have for it, "" if several.
	claims map[string]string
	// anyOf is a handoff of each project.
	anyOf map[string]string
}

// projectName returns the name that the report shows for the project with a root.
func (b *builder) projectName(root string) string { return b.names.shown[root] }

// meet registers a name for the project of a handoff, unless it has one.
func (b *builder) meet(h *index.Summary) {
	n := b.names
	if n.shown[h.Root] != "" {
		return
	}
	n.anyOf[h.Root] = h.ID
	name := b.line(h.Project)
	if name == "" {
		name = b.line(h.Root)
	}
	if n.taken[name] != "" {
		name += " (" + b.line(path.Dir(strings.ReplaceAll(h.Root, `\`, "/"))) + ")"
	}
	for n.taken[name] != "" {
		name += " " + h.ID
	}
	n.shown[h.Root], n.taken[name] = name, h.Root
}

// claim registers every value with which the field project could mean the project of a
// handoff of the report's time.
func (n *names) claim(h *index.Summary) {
	base := h.Root[strings.LastIndexAny(strings.TrimRight(h.Root, `/\`), `/\`)+1:]
	for _, key := range append(encodings(h.Root), h.Project, h.Root, strings.TrimRight(base, `/\`), h.Declared) {
		key = strings.ToLower(key)
		if root, ok := n.claims[key]; ok && root != h.Root {
			n.claims[key] = ""
			continue
		}
		n.claims[key] = h.Root
	}
}

// encodings returns the encoded names that agents give to the folder for the handoffs of a
// project with a root.
func encodings(root string) []string {
	other := func(r rune) rune {
		if r < 0x80 && (r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}
	return []string{strings.NewReplacer("/", "-", ".", "-").Replace(root), strings.Map(other, root)}
}

// only reports whether the field project with a value can mean no other project than that
// with the root, among the handoffs of the report's time.
func (n *names) only(value, root string) bool {
	for _, key := range append(encodings(value), value) {
		if claimed, ok := n.claims[strings.ToLower(key)]; ok && claimed != root {
			return false
		}
	}
	return value != ""
}

// ofProject returns the condition that selects, of the report's time, exactly the handoffs
// of h's project: by its name or its folder or, if other projects share both, by one of its
// handoffs.
func (b *builder) ofProject(h *index.Summary) query.Expr {
	n := b.names
	switch {
	case n.only(h.Project, h.Root) && isPlain(h.Project):
		return query.Key{Field: "project", Value: h.Project}
	case n.only(h.Root, h.Root):
		return query.Key{Field: "project", Op: query.KeyExact, Value: h.Root}
	}
	return b.sameProject(h.Root)
}

// sameProject returns the condition for all handoffs of the project with a root. It names
// one of its handoffs, so it holds whatever projects are called.
func (b *builder) sameProject(root string) query.Expr {
	return query.Same{Field: "project", X: query.Key{Field: "id", Op: query.KeyExact, Value: b.names.anyOf[root]}}
}

// isPlain reports whether a project's name can stand in a query without quotes and has no
// other meaning there.
func isPlain(name string) bool {
	return name != "" && name != "." &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}
