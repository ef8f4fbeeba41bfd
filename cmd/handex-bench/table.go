package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// table is what the program prints, a row for each measurement. missed is how many bounds
// were missed.
type table struct {
	rows   [][]string
	missed int
}

// add adds a row for a value with its upper bound, 0 for none, and counts a missed bound.
// text formats the value and the bound.
func (t *table) add(cells []string, value, bound float64, text func(float64) string) {
	if bound > 0 {
		verdict := "ok"
		if value > bound {
			verdict = "MISSED"
			t.missed++
		}
		cells = append(cells, "<= "+text(bound), verdict)
	}
	t.rows = append(t.rows, cells)
}

// cpu adds a row that compares median CPU times. A bound of 0 means none.
func (t *table) cpu(what string, ours []usage, beside string, theirs []usage, bound float64) {
	a, b := medianCPU(ours), medianCPU(theirs)
	t.ratio(what, timeText(a), beside, timeText(b), float64(a)/float64(b), bound)
}

// ratio adds a row that compares two values, given as text, by their ratio.
func (t *table) ratio(what, ours, beside, theirs string, ratio, bound float64) {
	t.add([]string{what, ours, beside, theirs, ratioText(ratio)}, ratio, bound, ratioText)
}

// memory adds a row with the largest peak memory of the runs.
func (t *table) memory(what string, ours []usage, bound float64) {
	peak := float64(slices.MaxFunc(ours, func(a, b usage) int { return cmp.Compare(a.memory, b.memory) }).memory)
	t.add([]string{what, bytesText(peak), "", "", ""}, peak, bound, bytesText)
}

// wall adds a row with the median time from start to end, which is valid only if nothing
// else runs on the machine.
func (t *table) wall(what string, ours []usage) {
	t.rows = append(t.rows, []string{what, timeText(median(ours, func(u usage) time.Duration { return u.wall }))})
}

// skip adds a row for a measurement without a comparison, and says why.
func (t *table) skip(what string, ours []usage, why string) {
	t.rows = append(t.rows, []string{what, timeText(medianCPU(ours)), "skipped: " + why})
}

// print writes a heading and all rows as an aligned table.
func (t *table) print(out io.Writer, head string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintln(out, head+"\n")
	for _, r := range append([][]string{{"handex", "", "compared with", "", "ratio", "bound", ""}}, t.rows...) {
		r = append(r, make([]string, 7-len(r))...)
		_, wrong := fmt.Fprintln(w, strings.Join(r, "\t"))
		err = errors.Join(err, wrong)
	}
	return errors.Join(err, w.Flush())
}

// ratioText returns a ratio as text: one below 0.2 as a fraction such as 1/8.0, others such
// as 1.25x.
func ratioText(r float64) string {
	if r > 0 && r < 0.2 {
		return fmt.Sprintf("1/%.1f", 1/r)
	}
	return fmt.Sprintf("%.2fx", r)
}

// timeText returns a time in seconds or milliseconds, as text.
func timeText(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

func bytesText(n float64) string { return fmt.Sprintf("%.1f MB", n/1e6) }
