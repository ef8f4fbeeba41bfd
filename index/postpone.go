package index

import (
	"cmp"
	"slices"
	"strings"
)

// postpone leaves what is more than RefreshOptions.Most to the next refresh, which
// finds it again because the folders it lies in are compared then: with news first,
// and of these with the newest files, each does some of the work in a time that is
// bounded.
func (r *refresh) postpone() {
	if r.o.Only == "" || r.o.Most == 0 || len(r.plan.changes) <= r.o.Most || len(r.plan.gone) > 0 {
		return
	}
	slices.SortFunc(r.plan.changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(flag(!a.isNews()), flag(!b.isNews())), cmp.Compare(b.Stat.MtimeNS, a.Stat.MtimeNS), strings.Compare(b.Path, a.Path))
	})
	for _, c := range r.plan.changes[r.o.Most:] {
		if c.dir != nil {
			c.dir.states, c.dir.dirty = "", true
		}
		if c.isNews() {
			r.report.Left++
		}
	}
	r.plan.changes = slices.Clip(r.plan.changes[:r.o.Most])
}
