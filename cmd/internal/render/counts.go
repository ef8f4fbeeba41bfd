package render

import (
	"io"
	"strconv"

	"handex/index"
)

// none stands for the value of handoffs that have none.
const none = "(none)"

// Buckets writes how many handoffs have each value, a line each, the count
// first.
func Buckets(w io.Writer, buckets []index.Bucket, o Options) error {
	p := &printer{Options: o, w: w}
	p.counts("", buckets)
	return p.err
}

// BucketsPlain writes a tab-separated line for each value: count, values.
func BucketsPlain(w io.Writer, buckets []index.Bucket) error {
	return TSV(w, bucketRows(buckets, ""))
}

// Facets writes the counts of each field under its name, below a blank line.
func Facets(w io.Writer, facets []index.Facet, o Options) error {
	p := &printer{Options: o, w: w}
	for _, f := range facets {
		p.print("\n")
		p.line(piece{Line(f.Field), bold})
		p.counts("  ", f.Buckets)
	}
	return p.err
}

func (p *printer) counts(indent string, buckets []index.Bucket) {
	rows := bucketRows(buckets, none)
	widths, _ := measure(nil, rows)
	right := make([]bool, len(widths))
	if len(right) > 0 {
		right[0] = true
	}
	for _, r := range rows {
		line := append([]piece{{text: indent}}, p.cells(r, widths, right, plain)...)
		p.line(fit(line, p.Width)...)
	}
}

func bucketRows(buckets []index.Bucket, missing string) [][]string {
	rows := make([][]string, len(buckets))
	for i, b := range buckets {
		rows[i] = []string{strconv.Itoa(b.Count)}
		for _, value := range b.Values {
			if value == "" {
				value = missing
			}
			rows[i] = append(rows[i], value)
		}
	}
	return rows
}
