package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index"
)

// Answer is a search and what it found. Rows are the hits of Result, with
// their texts where Select or GroupBy need them, or a portion of them.
type Answer struct {
	Text, Canonical string
	Notes           []string
	Result          *index.Result
	Rows            []Row
	// Select, GroupBy and CountBy are the query's.
	Select, GroupBy, CountBy []string
	Skipped                  int // files the last refresh could not index
	Suggestions              []Suggestion
	Reasons                  []string // why nothing was found, for people
}

// Suggestion is a change to a query without hits that finds some.
type Suggestion struct {
	Drop    string `json:"drop,omitempty"`
	Replace string `json:"replace,omitempty"`
	Hits    int    `json:"hits"`
	Query   string `json:"-"` // the whole query with what replaces
	Text    string `json:"-"` // for people
}

// Truncated reports whether there are more hits than are shown.
func (a Answer) Truncated() bool {
	return a.CountBy == nil && a.Result.HasMore()
}

// AnswerJSON writes the answer as one object: query, totals, hits.
func AnswerJSON(w io.Writer, a Answer) error {
	hits := make([]object, len(a.Rows))
	for i, r := range a.Rows {
		var err error
		if hits[i], err = a.hit(r); err != nil {
			return err
		}
	}
	o, err := a.object(always{hits})
	if err != nil {
		return err
	}
	return JSON(w, o)
}

// AnswerJSONL writes an object a line: a "hit" each, and last a "summary",
// which is the answer without its hits.
func AnswerJSONL(w io.Writer, a Answer) error {
	if err := HitsJSONL(w, a); err != nil {
		return err
	}
	o, err := a.object(nil)
	if err != nil {
		return err
	}
	return JSON(w, append(object{{"type", "summary"}}, o...))
}

// HitsJSONL writes the hits of an answer as AnswerJSONL does.
func HitsJSONL(w io.Writer, a Answer) error {
	b := bufio.NewWriter(w)
	for _, r := range a.Rows {
		hit, err := a.hit(r)
		if err == nil {
			err = JSON(b, append(object{{"type", "hit"}}, hit...))
		}
		if err != nil {
			return err
		}
	}
	return b.Flush()
}

// CountJSON writes how many handoffs a query found as one object.
func CountJSON(w io.Writer, a Answer, total int) error {
	return JSON(w, object{{"schema", Schema}, {"query", a.query()}, {"total", total}})
}

// EnvelopeJSON writes a report as one object: the query it is restricted to and what
// the index is like, as of an answer, and the report.
func EnvelopeJSON(w io.Writer, a Answer, report any) error {
	return JSON(w, object{{"schema", Schema}, {"query", a.query()}, {"index", a.index()}, {"report", report}})
}

// object returns the answer with its hits, which are nil if they are written
// separately.
func (a Answer) object(hits any) (object, error) {
	r := a.Result
	groups, err := Groups(a.Rows, a.GroupBy)
	if err != nil {
		return nil, err
	}
	next := 0
	if a.Truncated() {
		next = r.Offset + r.Shown()
	}
	return object{
		{"schema", Schema},
		{"query", a.query()},
		{"total", r.Total},
		{"total_at_least", nonzero(r.TotalAtLeast)},
		{"shown", r.Shown()},
		{"folded", nonzero(r.Folded)},
		{"truncated", a.Truncated()},
		{"next_offset", nonzero(next)},
		{"index", a.index()},
		{"hits", hits},
		{"groups", Each(groups, func(g Group) object {
			return object{{"values", always{g.Values}}, {"ids", Each(g.Rows, func(r Row) string { return r.ID })}}
		})},
		{"buckets", Each(r.Buckets, bucketObject)},
		{"facets", Each(r.Facets, func(f index.Facet) object {
			return object{{"field", f.Field}, {"buckets", all(f.Buckets, bucketObject)}}
		})},
		{"suggestions", always{append([]Suggestion{}, a.Suggestions...)}},
	}, nil
}

// hit returns a row as JSON: its whole hit, or the columns asked for.
func (a Answer) hit(r Row) (object, error) {
	if a.Select == nil {
		return hitObject(r.Hit), nil
	}
	o := object{{"id", r.ID}}
	for _, name := range a.Select {
		if name == "id" {
			continue
		}
		value, err := r.value(name)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, value})
	}
	return o, nil
}

// queryInfo is the JSON of a query. Notes is not nil.
type queryInfo struct {
	Text      string   `json:"text"`
	Canonical string   `json:"canonical"`
	Notes     []string `json:"notes"`
}

func (a Answer) query() queryInfo {
	return queryInfo{a.Text, a.Canonical, append([]string{}, a.Notes...)}
}

// index returns the state of the index that the answer is from.
func (a Answer) index() object {
	r := a.Result
	return object{
		{"at", r.At.Truncate(time.Second)},
		{"handoffs", r.Handoffs},
		{"stale", Each(r.Stale, troubleObject)},
		{"skipped", nonzero(a.Skipped)},
	}
}

// bucketObject returns a count of handoffs that share values.
func bucketObject(b index.Bucket) object {
	return object{{"values", always{b.Values}}, {"count", b.Count}}
}

// troubleObject returns a path and what is wrong with it.
func troubleObject(t index.Trouble) object {
	return object{{"path", always{t.Path}}, {"reason", always{t.Reason}}}
}

// Nothing returns why a query found nothing, as lines for the standard error: what may
// be meant, what matches nothing, and what would match without it.
func Nothing(a Answer) string {
	var meant, drops []string
	for _, s := range a.Suggestions {
		if s.Drop != "" {
			drops = append(drops, s.Text)
		} else {
			meant = append(meant, s.Text)
		}
	}
	lines := Each(slices.Concat(meant, a.Reasons, drops), func(why string) string { return "  " + Line(why) + "\n" })
	return "handex: nothing matches\n" + strings.Join(lines, "")
}

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
	names := Each(g.Values, func(name string) string { return cmp.Or(name, none) })
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
