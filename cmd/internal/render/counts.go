package render

import (
	"cmp"
	"io"
	"strconv"

	"github.com/OWNER/handex/index"
)

// none is shown as the value of handoffs that have none.
const none = "(none)"

// Buckets writes how many handoffs have each value of the fields, a line each, the count
// first: as "plain" (tab-separated) or "csv", or else for people.
func Buckets(w io.Writer, fields []string, buckets []index.Bucket, form string, o Options) error {
	switch form {
	case "plain":
		return TSV(w, bucketRows(buckets, ""))
	case "csv":
		return CSV(w, append([]string{"count"}, fields...), bucketRows(buckets, ""))
	}
	p := &printer{Options: o, w: w}
	p.counts("", buckets)
	return p.err
}

// Facets writes the counts of each field under its name, below a blank line.
func Facets(w io.Writer, facets []index.Facet, o Options) error {
	p := &printer{Options: o, w: w}
	for _, f := range facets {
		p.print("\n")
		p.line(Span{Line(f.Field), Bold})
		p.counts("  ", f.Buckets)
	}
	return p.err
}

func (p *printer) counts(indent string, buckets []index.Bucket) {
	rows := bucketRows(buckets, none)
	widths, _ := measure(nil, rows)
	right := append([]bool{true}, make([]bool, len(widths))...)
	for _, r := range rows {
		p.line(fit(append([]Span{{Text: indent}}, p.cells(r, widths, right, Plain)...), p.Width)...)
	}
}

// bucketRows returns the counts as texts; missing is shown as the value of
// handoffs without one.
func bucketRows(buckets []index.Bucket, missing string) [][]string {
	return each(buckets, func(b index.Bucket) []string {
		row := []string{strconv.Itoa(b.Count)}
		for _, value := range b.Values {
			row = append(row, cmp.Or(value, missing))
		}
		return row
	})
}
