package report

import (
	"fmt"
	"time"

	"github.com/OWNER/handex/query"
)

// today returns the begin of the day the report is made on.
func (o *Options) today() time.Time {
	n := o.Env.Now.In(o.Env.Zone)
	return time.Date(n.Year(), n.Month(), n.Day(), 0, 0, 0, 0, o.Env.Zone)
}

// span returns a time in words that follow a title, "" if it has no bounds.
func span(from, to time.Time) string {
	last := to.AddDate(0, 0, -1)
	year, week := from.ISOWeek()
	switch {
	case from.IsZero() && to.IsZero():
		return ""
	case to.IsZero():
		return " since " + from.Format(time.DateOnly)
	case from.IsZero():
		return " until " + last.Format(time.DateOnly)
	case from.Weekday() == time.Monday && to.Equal(from.AddDate(0, 0, 7)):
		return fmt.Sprintf(" %d of %d, %s to %s", week, year, from.Format(time.DateOnly), last.Format(time.DateOnly))
	case to.Equal(from.AddDate(0, 0, 1)):
		return ", " + from.Format(time.DateOnly)
	}
	return ", " + from.Format(time.DateOnly) + " to " + last.Format(time.DateOnly)
}

// during returns the condition for the handoffs whose date meets a time.
func during(from, to time.Time) query.Expr {
	if from.IsZero() && to.IsZero() {
		return query.All{}
	}
	return query.During{Field: "date", From: from, To: to}
}

// days lists the begins of the days of a time.
func days(from, to time.Time, zone *time.Location) []time.Time {
	var list []time.Time
	for d := startOfDay(from, zone); d.Before(to); d = startOfDay(d.AddDate(0, 0, 1).Add(12*time.Hour), zone) {
		list = append(list, d)
	}
	return list
}

func startOfDay(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, zone)
}
