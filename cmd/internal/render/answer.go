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

// Answer is a query with its result. Rows are the hits of Result, or a portion of them;
// they have the text of their handoff if Select or GroupBy need it.
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

// Suggestion is a change to a query that found nothing; the changed query finds Hits
// handoffs.
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

// AnswerJSON writes the answer as one JSON object: the query, its totals and its hits.
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

// AnswerJSONL writes one JSON object per line: each hit with type "hit", and last the
// answer without its hits with type "summary".
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

// HitsJSONL writes each hit of an answer as a JSON object with type "hit" on its own line.
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

// CountJSON writes one JSON object with the query of an answer and total, the number of
// handoffs that it found.
func CountJSON(w io.Writer, a Answer, total int) error {
	return JSON(w, object{{"schema", Schema}, {"query", a.query()}, {"total", total}})
}

// EnvelopeJSON writes one JSON object with the query that a report is restricted to, the
// state of the index, and the report.
func EnvelopeJSON(w io.Writer, a Answer, report any) error {
	return JSON(w, object{{"schema", Schema}, {"query", a.query()}, {"index", a.index()}, {"report", report}})
}

// object returns the answer as a JSON object with the given value as its hits. nil leaves
// the hits out, for callers that write them separately.
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

// hit returns a row as a JSON object: the whole hit, or only the columns that the query
// selects.
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

// query returns the text, the canonical form and the notes of the query, for JSON.
func (a Answer) query() queryInfo {
	return queryInfo{a.Text, a.Canonical, append([]string{}, a.Notes...)}
}

// index returns the state of the index that the answer was read from, as a JSON object.
func (a Answer) index() object {
	r := a.Result
	return object{
		{"at", r.At.Truncate(time.Second)},
		{"handoffs", r.Handoffs},
		{"stale", Each(r.Stale, troubleObject)},
		{"skipped", nonzero(a.Skipped)},
	}
}

// bucketObject returns a bucket as a JSON object: the values that handoffs share and how
// many handoffs share them.
func bucketObject(b index.Bucket) object {
	return object{{"values", always{b.Values}}, {"count", b.Count}}
}

// troubleObject returns a trouble as a JSON object: a path and why it could not be read.
func troubleObject(t index.Trouble) object {
	return object{{"path", always{t.Path}}, {"reason", always{t.Reason}}}
}

// Nothing returns the message for the standard error after a query found nothing: queries
// that may be meant instead, the reasons, and conditions without which the query finds
// something.
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

// Group is the rows that have the same values in the fields by which rows are grouped.
type Group struct {
	Values []string
	Rows   []Row
}

// Groups groups rows by the values of fields; groups are in the order of their first rows.
// A row with several values is in a group for each; a row without a value is in the group
// "". Without fields there are no groups.
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

// keys returns all combinations of the values that a row has in the fields. A field without
// a value counts as "".
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

// heading returns the values of a group as one line, for its heading.
func (g Group) heading() string {
	names := Each(g.Values, func(name string) string { return cmp.Or(name, none) })
	return Line(strings.Join(names, " / "))
}

// Grouped writes a heading for each group, with its values and the number of its rows, and
// calls list to write the rows.
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
