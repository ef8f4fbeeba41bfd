package query_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/query"
)

// page is the public ids a query asks for, in order.
func (o oracle) page(q *query.Query) []string {
	found := o.matches(q)
	slices.SortStableFunc(found, func(a, b *handoff) int {
		if q.ProjectFirst && q.Sort == nil && q.LatestPer == nil {
			return bit(o.isNamed(q.Expr, b)) - bit(o.isNamed(q.Expr, a))
		}
		if len(q.Sort) == 1 && q.Sort[0].Key == "date" {
			return direct(cmp.Compare(a.id, b.id), q.Sort[0].Desc)
		}
		for _, key := range q.Sort {
			if c := compareBy(key, a, b); c != 0 {
				return c
			}
		}
		return 0
	})
	found = found[min(q.Offset, len(found)):]
	if q.Limit > 0 {
		found = found[:min(q.Limit, len(found))]
	}
	return found.hids()
}

// isNamed reports whether a bare word of the query is the name of a project that there
// is, and project: finds the handoff by it.
func (o oracle) isNamed(e query.Expr, h *handoff) bool {
	words, _ := optionalTerms(e)
	return slices.ContainsFunc(words, func(t query.Text) bool {
		return o.handoffs.hasProject(t.Text) && o.key(query.Key{Field: "project", Value: t.Text}, h)
	})
}

func (c collection) hasProject(name string) bool {
	return slices.ContainsFunc(c, func(h *handoff) bool { return lowerASCII(h.project.name) == lowerASCII(name) })
}

func (c collection) hids() []string {
	var list []string
	for _, h := range c {
		list = append(list, h.hid)
	}
	return list
}

// matches are all handoffs that meet a query, newest first, after latest-per.
func (o oracle) matches(q *query.Query) collection { return newestOf(q, o.find(q.Expr)) }

// newestOf keeps the newest of each combination of values, earlier versions of
// files last: a handoff with several values stays if it is among the newest of any.
func newestOf(q *query.Query, found collection) collection {
	if q.LatestPer == nil {
		return found
	}
	ranked := slices.Clone(found)
	slices.SortStableFunc(ranked, func(a, b *handoff) int { return bit(a.earlier) - bit(b.earlier) })
	seen, dropped := map[string]int{}, map[*handoff]bool{}
	for _, h := range ranked {
		dropped[h] = true
		for _, group := range h.groups(q.LatestPer) {
			seen[group.key]++
			dropped[h] = dropped[h] && seen[group.key] > max(q.Keep, 1)
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(h *handoff) bool { return dropped[h] })
}

func direct(c int, desc bool) int {
	if desc {
		return -c
	}
	return c
}

// compareBy compares by one key: what lacks it comes last either way.
func compareBy(key query.SortKey, a, b *handoff) int {
	v, given := a.sortValue(key.Key)
	w, givenToo := b.sortValue(key.Key)
	if !given || !givenToo {
		return direct(cmp.Compare(bit(given), bit(givenToo)), true)
	}
	if s, ok := v.(string); ok {
		return direct(strings.Compare(s, w.(string)), key.Desc)
	}
	return direct(cmp.Compare(v.(float64), w.(float64)), key.Desc)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sortValue is what a key sorts by, a string or a number.
func (h *handoff) sortValue(key string) (v any, given bool) {
	switch key {
	case "date":
		return float64(h.sort.UnixMilli()), true
	case "updated":
		return float64(h.updated.UnixMilli()), true
	case "sent":
		return float64(h.sent.UnixMilli()), !h.sent.IsZero()
	case "priority", "progress", "phase", "words", "version":
		n, given := h.number(key)
		return n, given
	case "path":
		return h.path, true
	}
	values := h.values(key)
	if len(values) == 0 {
		return "", false
	}
	return lowerASCII(values[0]), true
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// group is a combination of values: key tells it apart, shown is what is
// printed of each.
type group struct {
	key   string
	shown []string
}

// groups are the combinations of values a handoff is counted under, each once.
func (h *handoff) groups(fields []string) []group {
	list := []group{{}}
	for _, field := range fields {
		values := h.values(field)
		if len(values) == 0 {
			values = []string{""}
		}
		var longer []group
		for _, g := range list {
			for _, v := range values {
				key, shown := v, v
				switch {
				case field == "project":
					key = h.project.root
				case field == "member" && v == "":
					shown = "here"
				case field == "status" && v == "":
					shown = "none"
				}
				longer = append(longer, group{g.key + "\x00" + key, append(slices.Clone(g.shown), shown)})
			}
		}
		list = longer
	}
	return list
}

// buckets are the counts of handoffs by combination, most first.
func (c collection) buckets(fields []string) []string {
	counts, shown := map[string]int{}, map[string][]string{}
	for _, h := range c {
		for _, g := range h.groups(fields) {
			counts[g.key]++
			shown[g.key] = g.shown
		}
	}
	keys := sortedKeys(counts)
	slices.SortStableFunc(keys, func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], slices.Compare(shown[a], shown[b]))
	})
	var list []string
	for _, key := range keys {
		list = append(list, fmt.Sprintf("%s %d", strings.Join(shown[key], " "), counts[key]))
	}
	return list
}
