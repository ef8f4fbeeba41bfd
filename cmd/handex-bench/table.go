package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// table is what the program prints: a row for each measurement.
type table struct {
	rows []row
}

type row struct {
	what, ours, beside, theirs, ratio, bound string

	missed bool
}

// cpu compares median CPU times; a bound of 0 is none.
func (t *table) cpu(what string, ours []usage, beside string, theirs []usage, bound float64) {
	a, b := medianCPU(ours), medianCPU(theirs)
	t.ratio(what, timeText(a), beside, timeText(b), float64(a)/float64(b), bound)
}

func (t *table) ratio(what, ours, beside, theirs string, ratio, bound float64) {
	r := row{what: what, ours: ours, beside: beside, theirs: theirs, ratio: ratioText(ratio)}
	if bound > 0 {
		r.bound, r.missed = "<= "+ratioText(bound), ratio > bound
	}
	t.rows = append(t.rows, r)
}

func (t *table) memory(what string, ours []usage, bound int64) {
	peak := slices.MaxFunc(ours, func(a, b usage) int { return cmp.Compare(a.memory, b.memory) }).memory
	r := row{what: what, ours: bytesText(peak)}
	if bound > 0 {
		r.bound, r.missed = "<= "+bytesText(bound), peak > bound
	}
	t.rows = append(t.rows, r)
}

// wall is a row of the median time from start to end, which holds only where nothing
// else runs.
func (t *table) wall(what string, ours []usage) {
	t.rows = append(t.rows, row{what: what, ours: timeText(median(ours, func(u usage) time.Duration { return u.wall }))})
}

// skip is a row without a comparison, and why.
func (t *table) skip(what string, ours []usage, why string) {
	t.rows = append(t.rows, row{what: what, ours: timeText(medianCPU(ours)), beside: "skipped: " + why})
}

func (t *table) missed() int {
	var n int
	for _, r := range t.rows {
		if r.missed {
			n++
		}
	}
	return n
}

func (t *table) print(out io.Writer, head string) error {
	if _, err := fmt.Fprintln(out, head+"\n"); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "handex\t\tbeside it\t\tratio\tbound\t"); err != nil {
		return err
	}
	for _, r := range t.rows {
		verdict := ""
		switch {
		case r.missed:
			verdict = "MISSED"
		case r.bound != "":
			verdict = "ok"
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.ours, r.beside, r.theirs, r.ratio, r.bound, verdict); err != nil {
			return err
		}
	}
	return w.Flush()
}

// ratioText writes a small ratio as the part it is.
func ratioText(r float64) string {
	if r > 0 && r < 0.2 {
		return fmt.Sprintf("1/%.1f", 1/r)
	}
	return fmt.Sprintf("%.2fx", r)
}

func timeText(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

func bytesText(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
