package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Options say what Build puts into a report.
type Options struct {
	// Name is the name of one of Kinds; "" is the digest.
	Name string
	// Own is the definition of a report of the user's; nil for a report of Kinds.
	Own *Definition
	// Env is the environment of queries; its Now is the time at which the report is made.
	Env query.Env
	// Query restricts the report; nil is everything. It has no directives.
	Query *query.Query
	// From and To bound the time; where both are zero, the report has its own.
	From, To time.Time
	// By is what handoffs are grouped by, one of Groupings; "" is by project.
	By string
	// Most is the maximum length of lists of groups and items; 0 is DefaultMost, less than
	// 0 is unlimited.
	Most int
	// Search restricts where handoffs are searched.
	Search index.SearchOptions
	// Skips are the files that could not be read.
	Skips []index.Skip
	// KeepSecrets turns off the masking of texts that look like credentials.
	KeepSecrets bool
}

// DefaultMost is the maximum length of lists of groups and items if none is given.
const DefaultMost = 20

// A Kind is a report that handex has by name, such as "weekly".
type Kind struct {
	Name, Doc string

	title string
	days  int // its time are the last so many days, 0 is all time
	most  int // what DefaultMost is for it, 0 if that

	sections []string
	own      []SectionDefinition
}

// Kinds returns the named reports in the order in which they are listed. The first, the
// digest, is used if no name is given.
func Kinds() []Kind {
	weekly := []string{Escalations, Blockers, Done, Next, Gotchas, Failed, Activity, Breakdown, Agents, Quiet, Invalid}
	return []Kind{
		{
			Name: "digest", title: "Digest", days: 7, sections: weekly,
			Doc: "what was done in the last seven days, what is next, open or wrong",
		},
		{
			Name: "weekly", title: "Week", days: 7, sections: weekly,
			Doc: "the digest of the last seven days, or of --week 2026-W46",
		},
		{
			Name: "standup", title: "Standup", days: 2, sections: []string{Escalations, Done, Next, Blockers},
			Doc: "since the start of yesterday: what was done, what is next, what blocks",
		},
		{
			Name: "escalations", title: "Escalations", most: 200, sections: []string{Escalations, Overtaken, Acked},
			Doc: "what waits for a human, oldest first, and what was never acknowledged",
		},
		{
			Name: "health", title: "Health", sections: []string{Invalid, Stale, Aimless, Unread, Formats},
			Doc: "broken rules, stale handoffs, unread files, projects without a next step",
		},
		{
			Name: "todo", title: "To do", most: 200, sections: []string{Next},
			Doc: "the next steps of all projects, newest first",
		},
		{
			Name: "timeline", title: "Timeline", most: 200, sections: []string{Timeline},
			Doc: "the handoffs of one project in order",
		},
	}
}

var open, escalated, acked = query.Is{State: "open"}, query.Is{State: "escalated"}, query.Is{State: "acked"}

// sections maps the names of sections to the functions that make them; the last three are
// only in reports of the user's.
var sections = map[string]func(*builder){
	Escalations: func(b *builder) {
		b.oldestFirst(Escalations, "Waiting for a human", "open", call, escalated, open)
	},
	Overtaken: func(b *builder) {
		b.oldestFirst(Overtaken, "Replaced by a newer handoff, never acknowledged", "replaced", call,
			escalated, query.Not{X: open}, query.Is{State: "superseded"}, query.Not{X: acked})
	},
	Acked: func(b *builder) { b.oldestFirst(Acked, "Acknowledged", "acknowledged", call, escalated, acked) },
	Blockers: func(b *builder) {
		b.oldestFirst(Blockers, "Blocked", "blocked", blockersOf, open, query.Is{State: "blocked"})
	},

	Done: (*builder).done, Next: (*builder).next, Gotchas: (*builder).gotchas,
	Failed: (*builder).failed, Activity: (*builder).activity, Agents: (*builder).agents, Quiet: (*builder).quiet,
	Invalid: (*builder).invalid, Stale: (*builder).stale, Aimless: (*builder).aimless, Unread: (*builder).unread,
	Timeline: (*builder).timeline, Formats: (*builder).formats, Breakdown: (*builder).breakdown,
	"count": (*builder).only, "list": (*builder).items, "table": (*builder).table,
}

// FindKind returns the named report with a name, and whether there is one.
func FindKind(name string) (Kind, bool) {
	list := Kinds()
	i := slices.IndexFunc(list, func(k Kind) bool { return k.Name == cmp.Or(name, list[0].Name) })
	if i < 0 {
		return Kind{}, false
	}
	return list[i], true
}

// Build makes a report from one view of the index. It returns the same report for the same
// index and Env.Now. Errors are those of the index, query.Errors for a query in Own, and
// refusals; see IsRefusal.
func Build(ctx context.Context, s *index.Store, o Options) (*Report, error) {
	kind, err := o.kind()
	if err != nil {
		return nil, err
	}
	if o.Env.Zone == nil {
		o.Env.Zone = time.UTC
	}
	if err := checkBy(o.By); err != nil {
		return nil, err
	}
	if o.Own != nil && o.By == "" {
		o.By = o.Own.By
	}
	if o.From.IsZero() && o.To.IsZero() {
		o.From, o.To = o.window(kind)
	}
	if o.Most == 0 {
		o.Most = max(kind.most, DefaultMost)
	}
	if o.Own != nil {
		if err := o.addOwn(); err != nil {
			return nil, err
		}
	}
	base, err := restriction(&o)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Name: kind.Name, Title: kind.title + span(o.From, o.To), From: o.From, To: o.To, Now: o.Env.Now.In(o.Env.Zone),
		Handoffs: Number{Label: "handoffs"}, Projects: Number{Label: "projects"}, Sections: []Section{},
		Whole: o.Most < 0,
	}
	if r.Whole {
		o.Most = 1 << 30
	}
	if _, all := base.Expr.(query.All); !all {
		r.Query = base.Source()
	}
	var refused error
	err = s.View(ctx, o.Search, func(v *index.View) error {
		err := newBuilder(ctx, v, r, o, base).run(kind)
		if IsRefusal(err) {
			refused, err = err, nil // the index is not to blame
		}
		return err
	})
	return r, cmp.Or(refused, err)
}

// window returns the time of a report for which no time was given. Zero times are
// unbounded.
func (o *Options) window(kind Kind) (from, to time.Time) {
	tomorrow := o.today().AddDate(0, 0, 1)
	switch {
	case kind.days > 0:
		return o.today().AddDate(0, 0, 1-kind.days), tomorrow
	case o.Own != nil && o.Own.Since != "":
		q, err := query.Parse(o.Own.since(), o.Env) // Check reports what is wrong with it
		if err != nil {
			break
		}
		if at, ok := q.Expr.(query.During); ok {
			return at.From, tomorrow
		}
	}
	return time.Time{}, time.Time{}
}

// IsRefusal reports whether an error of Build says that the report that was asked for
// cannot be made, so that the index is not to blame.
func IsRefusal(err error) bool {
	_, many := errors.AsType[*ManyProjectsError](err)
	_, faulty := errors.AsType[query.Errors](err)
	return many || faulty || errors.Is(err, errEndless) || errors.Is(err, errLong)
}

// addOwn checks the definition of the user's report and adds its query to that of the
// options.
func (o *Options) addOwn() error {
	if err := o.Own.Check(o.Env); err != nil {
		return err
	}
	own, err := parseQuery(o.Own.Query, o.Env)
	if err == nil && o.Query != nil {
		own.Expr = query.Simplify(query.And{List: []query.Expr{own.Expr, o.Query.Expr}})
	}
	o.Query = own
	return err
}

// kind returns the kind of the report: the user's definition, or the kind with the name. An
// unknown name is an error.
func (o *Options) kind() (Kind, error) {
	if d := o.Own; d != nil {
		return Kind{Name: d.Name, title: cmp.Or(d.Title, d.Name), most: d.Most, own: d.Sections}, nil
	}
	kind, ok := FindKind(o.Name)
	if !ok {
		return kind, fmt.Errorf("there is no report %q", o.Name)
	}
	return kind, nil
}

// errLong is the error for a query so long that the queries of numbers, which contain it,
// would be too long.
var errLong = errors.New("the query is too long for a report: the query of each number contains it")

// errDirective is the error for a query with directives, which would change what is
// returned.
var errDirective = errors.New("the query of a report only selects handoffs: sort:, limit:, latest-per: and " +
	"count-by: are not allowed")

// restriction returns the query to which the report is restricted. Its conditions mean the
// same on any day. It returns errDirective or errLong for a query that is not allowed.
func restriction(o *Options) (*query.Query, error) {
	base, err := query.Parse("*", o.Env)
	if err != nil || o.Query == nil {
		return base, err
	}
	if q := o.Query; q.LatestPer != nil || q.CountBy != nil || q.GroupBy != nil || q.Facets != nil || q.Select != nil ||
		q.Sort != nil || q.HasLimit() || q.Offset > 0 {
		return nil, errDirective
	}
	pinnedDown := *o.Query
	pinnedDown.Expr = query.Simplify(pinned(pinnedDown.Expr))
	if !fits(&pinnedDown, o.Env) {
		return nil, errLong
	}
	return &pinnedDown, nil
}

// fits reports whether the queries of a report that is restricted by q are short enough to
// be parsed: the longest contains q twice.
func fits(q *query.Query, env query.Env) bool {
	at := query.During{Field: "date", From: env.Now, To: env.Now.Add(time.Hour)}
	quiet := query.Not{X: query.Same{
		Field: "project",
		X:     query.And{List: []query.Expr{q.Expr, at, query.Is{State: "open"}}},
	}}
	longest := *q
	longest.LatestPer = []string{"project"}
	longest.Expr = query.Simplify(query.And{List: []query.Expr{q.Expr, at, quiet}})
	_, err := query.Parse(longest.Source()+strings.Repeat(" is:open", spareTerms), env)
	return err == nil
}

// spareTerms is the number of conditions that a section may add to the longest query.
const spareTerms = 6

// pinned returns an expression that finds the same on any day: is:stale becomes a fixed
// date.
func pinned(e query.Expr) query.Expr {
	switch e := e.(type) {
	case query.And:
		return query.And{List: render.Each(e.List, pinned)}
	case query.Or:
		return query.Or{List: render.Each(e.List, pinned)}
	case query.Not:
		return query.Not{X: pinned(e.X)}
	case query.Same:
		return query.Same{Field: e.Field, X: pinned(e.X)}
	case query.Is:
		if e.State == "stale" {
			return query.And{List: []query.Expr{query.Is{State: "open"}, query.During{Field: "date", To: e.Before}}}
		}
	case query.All, query.None, query.Text, query.Key, query.Amount, query.During, query.Has:
	}
	return e
}
