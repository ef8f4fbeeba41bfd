package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/OWNER/handex/query"
)

// agents adds a section on who handed over to whom, and how often each wrote and was
// written to.
func (b *builder) agents() error {
	list, err := b.handoffs()
	if err != nil {
		return err
	}
	type pair struct{ from, to string }
	pairs, wrote, got := map[pair]int{}, map[string]int{}, map[string]int{}
	for i := range list {
		h := &list[i]
		if h.From != "" && h.To != "" {
			pairs[pair{h.From, h.To}]++
		}
		if h.From != "" {
			wrote[h.From]++
		}
		if h.To != "" {
			got[h.To]++
		}
	}
	if len(wrote)+len(got) == 0 {
		return nil
	}
	s := Section{Name: Agents, Title: "Agents"}
	exact := func(field, name string) query.Expr {
		return query.Key{Field: field, Op: query.KeyExact, Value: name}
	}
	for p, n := range pairs {
		s.Flow = append(s.Flow, Edge{From: b.line(p.from), To: b.line(p.to), Number: b.counted("handoffs", n, b.time,
			exact("from", p.from), exact("to", p.to))})
	}
	slices.SortFunc(s.Flow, func(x, y Edge) int {
		return cmp.Or(y.Value-x.Value, strings.Compare(x.From, y.From), strings.Compare(x.To, y.To),
			strings.Compare(x.Query, y.Query))
	})
	s.Flow = cut(s.Flow, b.most(), &s.Omitted)
	s.Table = &Table{Columns: []Column{textColumn("agent"), figureColumn("wrote"), figureColumn("received")}}
	for _, name := range cut(busiest(wrote, got), b.most(), &s.Omitted) {
		s.Table.Rows = append(s.Table.Rows, []Cell{
			{Text: b.line(name)},
			figure(b.counted("wrote", wrote[name], b.time, exact("from", name))),
			figure(b.counted("received", got[name], b.time, exact("to", name))),
		})
	}
	b.add(s)
	return nil
}

// busiest lists names, those with most handoffs first.
func busiest(wrote, got map[string]int) []string {
	all := maps.Clone(wrote)
	for name, n := range got {
		all[name] += n
	}
	return slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		return cmp.Or(all[y]-all[x], strings.Compare(x, y))
	})
}
