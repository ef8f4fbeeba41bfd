package report

import (
	"slices"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// textColumn returns a column of texts.
func textColumn(name string) Column { return Column{Name: name, Title: name} }

func figureColumn(name string) Column { return Column{Name: name, Title: name, Right: true} }

// invalid counts the rules that handoffs break, earlier versions of files aside.
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
	s := Section{Name: Invalid, Title: "Broken rules", Numbers: []Number{n, warned}}
	if s.Table, err = b.rules(&s.Omitted, now); err != nil {
		return err
	}
	b.add(s)
	return nil
}

// rules counts the handoffs that break each rule, the invalid ones by themselves.
func (b *builder) rules(omitted *int, now query.Expr) (*Table, error) {
	isInvalid, broken := query.Is{State: "invalid"}, query.Has{Field: "problem"}
	worst, err := b.buckets("problem", b.time, now, isInvalid, broken)
	if err != nil {
		return nil, err
	}
	all, err := b.buckets("problem", b.time, now, broken)
	if err != nil {
		return nil, err
	}
	invalid := map[string]int{}
	for _, r := range worst {
		invalid[r.Values[0]] = r.Count
	}
	slices.SortStableFunc(all, func(x, y index.Bucket) int { return invalid[y.Values[0]] - invalid[x.Values[0]] })
	invalidColumn := Column{Name: "invalid", Title: "invalid handoffs", Right: true}
	t := &Table{Columns: []Column{textColumn("rule"), invalidColumn, figureColumn("handoffs")}}
	for _, r := range cut(all, b.most(), omitted) {
		rule := r.Values[0]
		is := query.Key{Field: "problem", Op: query.KeyExact, Value: rule}
		t.Rows = append(t.Rows, []Cell{
			{Text: b.line(rule)},
			figure(b.counted("invalid", invalid[rule], b.time, now, isInvalid, is)),
			figure(b.counted("handoffs", r.Count, b.time, now, is)),
		})
	}
	return t, nil
}

// buckets counts the handoffs that meet the conditions by the values of a field they
// have, the most frequent first.
func (b *builder) buckets(field string, conditions ...query.Expr) ([]index.Bucket, error) {
	q := b.query(conditions...)
	q.CountBy = []string{field}
	list, err := b.v.Buckets(b.ctx, q)
	return slices.DeleteFunc(list, func(bucket index.Bucket) bool { return bucket.Values[0] == "" }), err
}

func figure(n Number) Cell { return Cell{Number: &n} }

// unread lists what could not be read.
func (b *builder) unread() error {
	if len(b.o.Skips) == 0 {
		return nil
	}
	s := Section{Name: Unread, Title: "Files not read", Numbers: []Number{{Label: "files", Value: len(b.o.Skips)}}}
	s.Table = &Table{Columns: []Column{textColumn("path"), textColumn("reason")}}
	for _, skip := range cut(b.o.Skips, b.most(), &s.Omitted) {
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: b.line(skip.Path)}, {Text: b.line(skip.Reason)}})
	}
	b.add(s)
	return nil
}

// formats counts the handoffs of each format.
func (b *builder) formats() error {
	list, err := b.buckets("format", b.time)
	if err != nil || len(list) == 0 {
		return err
	}
	s := Section{Name: Formats, Title: "Formats"}
	s.Table = &Table{Columns: []Column{textColumn("format"), figureColumn("handoffs")}}
	for _, f := range list {
		n := b.counted("handoffs", f.Count, b.time, query.Key{Field: "format", Value: f.Values[0]})
		s.Table.Rows = append(s.Table.Rows, []Cell{{Text: b.line(f.Values[0])}, figure(n)})
	}
	b.add(s)
	return nil
}
