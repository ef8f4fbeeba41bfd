package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/report"
)

// openDays is how many days the chart of open items goes back.
const openDays = weekDays

// OpenItems draws how many of the items that are open now were open on each day; nil if
// that is none, or all of one day.
func (v reportView) OpenItems() *StackedBars {
	d := &report.Days{}
	end := v.Report.Now
	first := end
	var rows [][]time.Time
	for _, name := range []string{report.Escalations, report.Blockers, report.Next} {
		s := v.Report.Section(name)
		if begins := openSince(s, end); begins != nil {
			rows = append(rows, begins)
			d.Rows = append(d.Rows, report.DayRow{Number: report.Number{Label: s.Title, Value: len(begins)}})
			if begins[0].Before(first) {
				first = begins[0]
			}
		}
	}
	d.Days = v.days(later(first, end.AddDate(0, 0, 1-openDays)), end)
	for n, day := range d.Days {
		next := day.When.AddDate(0, 0, 1)
		for i, begins := range rows {
			count, _ := slices.BinarySearchFunc(begins, next, time.Time.Compare)
			d.Rows[i].Counts = append(d.Rows[i].Counts, count)
			d.Days[n].Value += count
		}
	}
	return v.stackedBars(d, "Items that are open now, by ", "list", "item")
}

// openSince returns since when the items of a section are open, oldest first: at the
// latest since now, as clocks can be ahead.
func openSince(s *report.Section, now time.Time) (list []time.Time) {
	if s == nil {
		return nil
	}
	for _, item := range s.Items {
		begin := cmp.Or(item.Since, item.When)
		if begin.After(now) {
			begin = now
		}
		if !begin.IsZero() && slices.Contains([]string{"", "open", "blocked"}, item.State) {
			list = append(list, begin)
		}
	}
	slices.SortFunc(list, time.Time.Compare)
	return list
}

// courseYears is how many years the chart of a timeline goes back.
const courseYears = 10

// Course draws the handoffs of a timeline by their status; nil if they are few.
func (v reportView) Course(s report.Section) *StackedBars {
	if s.Name != report.Timeline || len(s.Items) < 3 {
		return nil
	}
	items := s.Items
	last := items[len(items)-1].When
	d := &report.Days{Days: v.days(later(items[0].When, last.AddDate(-courseYears, 0, 0)), last)}
	if len(d.Days) < 2 {
		return nil
	}
	for _, item := range items {
		state, _, _ := strings.Cut(cmp.Or(item.State, "no status"), ",")
		at := slices.IndexFunc(d.Rows, func(r report.DayRow) bool { return r.Label == state })
		if at < 0 {
			at = len(d.Rows)
			d.Rows = append(d.Rows, report.DayRow{
				Number: report.Number{Label: state}, Counts: make([]int, len(d.Days)),
			})
		}
		const noon = 12 * time.Hour // days are an hour longer or shorter where clocks change
		if day := int((v.day(item.When).Sub(d.Days[0].When) + noon) / (24 * time.Hour)); day >= 0 && day < len(d.Days) {
			d.Days[day].Value++
			d.Rows[at].Counts[day]++
			d.Rows[at].Value++
		}
	}
	slices.SortStableFunc(d.Rows, func(x, y report.DayRow) int { return cmp.Compare(y.Value, x.Value) })
	return v.stackedBars(d, "Handoffs by status, by ", "status", "handoff")
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// day returns the begin of the day of a time.
func (o Options) day(t time.Time) time.Time {
	zone := cmp.Or(o.Zone, time.UTC)
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

// days returns the days from one time to another.
func (o Options) days(from, to time.Time) (list []report.Day) {
	for day := o.day(from); !day.After(to); day = day.AddDate(0, 0, 1) {
		list = append(list, report.Day{When: day, Number: report.Number{Label: day.Format(time.DateOnly)}})
	}
	return list
}
