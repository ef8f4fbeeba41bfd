package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Group is the rows that share the values of the fields grouped by.
type Group struct {
	Values []string
	Rows   []Row
}

// Groups groups rows by the values of fields, in the order of the rows. A row with
// several values is under each; one with none is under "". Without fields there are no
// groups.
func Groups(rows []Row, fields []string) ([]Group, error) {
	var groups []Group
	if len(fields) == 0 {
		return nil, nil
	}
	for _, r := range rows {
		keys, err := r.keys(fields)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			i := slices.IndexFunc(groups, func(g Group) bool { return slices.Equal(g.Values, key) })
			if i < 0 {
				i = len(groups)
				groups = append(groups, Group{Values: key})
			}
			groups[i].Rows = append(groups[i].Rows, r)
		}
	}
	return groups, nil
}

// keys returns all combinations of the values a row has in fields.
func (r Row) keys(fields []string) ([][]string, error) {
	keys := [][]string{nil}
	for _, field := range fields {
		value, err := r.value(field)
		if err != nil {
			return nil, err
		}
		list, ok := value.([]string)
		if !ok {
			list = []string{fmt.Sprint(value)}
		}
		if list = unique(list); len(list) == 0 {
			list = []string{""}
		}
		var longer [][]string
		for _, key := range keys {
			for _, v := range list {
				longer = append(longer, append(slices.Clone(key), v))
			}
		}
		keys = longer
	}
	return keys, nil
}

// heading returns a group's name.
func (g Group) heading() string {
	names := slices.Clone(g.Values)
	for i, name := range names {
		if name == "" {
			names[i] = none
		}
	}
	return Line(strings.Join(names, " / "))
}

// Grouped writes the rows of each group with list, under its values.
func Grouped(w io.Writer, groups []Group, o Options, list func([]Row) error) error {
	p := &printer{Options: o, w: w}
	for i, g := range groups {
		if i > 0 {
			p.print("\n")
		}
		p.line(Span{g.heading(), Bold}, Span{fmt.Sprintf("  %d", len(g.Rows)), Dim})
		if p.err == nil {
			p.err = list(g.Rows)
		}
	}
	return p.err
}
