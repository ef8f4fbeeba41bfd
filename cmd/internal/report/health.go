package report

import (
	"slices"

	"handex/query"
)

// invalid tells the rules that handoffs break, earlier versions of files aside.
func (b *builder) invalid() error {
	now := query.Not{X: query.Is{State: "earlier"}}
	n, err := b.count("invalid", b.time, query.Is{State: "invalid"}, now)
	if err != nil {
		return err
	}
	warned, err := b.count("with warnings only", b.time, query.Is{State: "warned"}, now)
	if err != nil || n.Value+warned.Value == 0 {
		return err
	}
	s := Section{Name: Invalid, Title: "Rules broken", Numbers: []Number{n, warned}}
	if s.Table, err = b.rules(&s.Omitted, now); err != nil {
		return err
	}
	b.add(s)
	return nil
}

// rules counts the handoffs that break each rule, the invalid ones by themselves.
func (b *builder) rules(omitted *int, conditions ...query.Expr) (*Table, error) {
	conditions = append([]query.Expr{b.time}, conditions...)
	broken, err := b.broken(append(conditions, query.Is{State: "invalid"})...)
	if err != nil {
		return nil, err
	}
	all, err := b.broken(conditions...)
	if err != nil {
		return nil, err
	}
	t := &Table{Columns: []Column{{Name: "rule", Title: "rule"}, {Name: "invalid", Title: "invalid handoffs", Right: true}, {Name: "handoffs", Title: "handoffs", Right: true}}}
	list := slices.SortedStableFunc(slices.Values(all), func(x, y rule) int { return broken.of(y.id) - broken.of(x.id) })
	for _, r := range cut(list, b.most(), omitted) {
		is := query.Key{Field: "problem", Op: query.KeyExact, Value: r.id}
		invalid := b.counted("invalid", broken.of(r.id), append(conditions, query.Is{State: "invalid"}, is)...)
		n := b.counted("handoffs", r.handoffs, append(conditions, is)...)
		t.Rows = append(t.Rows, []Cell{{Text: b.line(r.id)}, {Number: &invalid}, {Number: &n}})
	}
	return t, nil
}

type rule struct {
	id       string
	handoffs int
}

type ruleList []rule

func (l ruleList) of(id string) int {
	for _, r := range l {
		if r.id == id {
			return r.handoffs
		}
	}
	return 0
}

// broken lists the rules that handoffs break, those that most break first.
func (b *builder) broken(conditions ...query.Expr) (ruleList, error) {
	q := b.query(append(conditions, query.Has{Field: "problem"})...)
	q.CountBy = []string{"problem"}
	buckets, err := b.v.Buckets(b.ctx, q)
	var list ruleList
	for _, bucket := range buckets {
		if bucket.Values[0] != "" {
			list = append(list, rule{bucket.Values[0], bucket.Count})
		}
	}
	return list, err
}

// aimless tells of projects of which no latest handoff says what is next.
func (b *builder) aimless() error {
	aim := query.And{List: []query.Expr{query.Is{State: "latest"}, query.Has{Field: "next"}}}
	q := b.query(b.until(), query.Not{X: query.Same{Field: "project", X: aim}})
	q.LatestPer = []string{"project"}
	list, n, err := b.first(b.most(), "projects", q)
	if err != nil || n.Value == 0 {
		return err
	}
	s := Section{Name: Aimless, Title: "Projects without a next step", Numbers: []Number{n}, Omitted: n.Value - len(list)}
	for i := range list {
		h := &list[i]
		ref := b.ref(h)
		s.Items = append(s.Items, Item{Text: ref.Title, Ref: ref, Who: b.who(h)})
	}
	t := told{}
	s.Items = b.fresh(t, s.Items)
	b.also(t, s.Items)
	b.add(s)
	return nil
}

// unread tells what could not be read.
func (b *builder) unread() error {
	if len(b.o.Skips) == 0 {
		return nil
	}
	s := Section{Name: Unread, Title: "Not read", Numbers: []Number{{Label: "files", Value: len(b.o.Skips)}}}
	s.Table = &Table{Columns: []Column{{Name: "path", Title: "path"}, {Name: "reason", Title: "reason"}}}
	for _, skip := range cut(b.o.Skips, b.most(), &s.Omitted) {
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: b.line(skip.Path)}, {Text: b.line(skip.Reason)}})
	}
	b.add(s)
	return nil
}

// formats counts the handoffs of each format.
func (b *builder) formats() error {
	q := b.query(b.time)
	q.CountBy = []string{"format"}
	buckets, err := b.v.Buckets(b.ctx, q)
	if err != nil || len(buckets) == 0 {
		return err
	}
	s := Section{Name: Formats, Title: "Formats"}
	s.Table = &Table{Columns: []Column{{Name: "format", Title: "format"}, {Name: "handoffs", Title: "handoffs", Right: true}}}
	for _, bucket := range buckets {
		n := b.counted("handoffs", bucket.Count, b.time, query.Key{Field: "format", Value: bucket.Values[0]})
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: b.line(bucket.Values[0])}, {Number: &n}})
	}
	b.add(s)
	return nil
}
