package render_test

import (
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
)

var berlin = time.FixedZone("CET", 3600)

func TestDate(t *testing.T) {
	now := time.Date(2026, time.February, 10, 12, 0, 0, 0, time.UTC)
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	tests := []struct {
		style, precision string
		t                time.Time
		want             string
	}{
		{"relative", "instant", now, "just now"},
		{"relative", "instant", now.Add(-61 * time.Second), "1 minute ago"},
		{"relative", "minute", now.Add(-89 * time.Minute), "89 minutes ago"},
		{"relative", "instant", now.Add(-100 * time.Minute), "2 hours ago"},
		{"relative", "instant", now.Add(-23 * time.Hour), "23 hours ago"},
		{"relative", "instant", now.Add(-25 * time.Hour), "yesterday"},
		{"relative", "instant", now.Add(5 * time.Minute), "in 5 minutes"},
		{"relative", "day", day(2026, 2, 10), "today"},
		{"relative", "day", day(2026, 2, 9), "yesterday"},
		{"relative", "day", day(2026, 2, 11), "tomorrow"},
		{"relative", "day", day(2026, 2, 7), "3 days ago"},
		{"relative", "day", day(2026, 1, 27), "2 weeks ago"},
		{"relative", "day", day(2025, 12, 1), "2 months ago"},
		{"relative", "day", day(2024, 12, 1), "1 year ago"},
		{"relative", "day", day(2026, 3, 1), "in 2 weeks"},
		{"relative", "month", day(2026, 1, 1), "2026-01"},
		{"relative", "year", day(2025, 1, 1), "2025"},
		{"human", "day", day(2026, 2, 7), "3 days ago"},
		{"human", "day", day(2026, 2, 1), "Feb 1"},
		{"human", "instant", day(2025, 12, 31), "Dec 31 2025"},
		{"iso", "day", day(2026, 2, 9), "2026-02-09"},
		{"iso", "instant", now, "2026-02-10T12:00:00Z"},
		{"short", "instant", now, "2026-02-10"},
		{"unix", "day", day(2026, 2, 10), "1770681600"},
		{"format:%d.%m.%y %H:%M %a 100%%", "instant", now, "10.02.26 12:00 Tue 100%"},
		{"format:%s %F %T", "instant", now, "1770724800 2026-02-10 12:00:00"},
		{"iso", "day", time.Time{}, ""},
	}
	for _, test := range tests {
		dates, err := render.ParseDates(test.style)
		if err != nil {
			t.Fatal(err)
		}
		o := render.Options{Dates: dates, Now: now}
		if got := o.Date(test.t, test.precision); got != test.want {
			t.Errorf("%s %s %v: %q, want %q", test.style, test.precision, test.t, got, test.want)
		}
	}
}

func TestDateInZone(t *testing.T) {
	now := time.Date(2026, time.February, 10, 0, 30, 0, 0, berlin)
	o := render.Options{Now: now, Zone: berlin}
	midnight := time.Date(2026, time.February, 10, 0, 0, 0, 0, berlin)
	for _, test := range []struct {
		dates render.Dates
		want  string
	}{{render.DatesISO, "2026-02-10"}, {render.DatesRelative, "today"}, {render.DatesShort, "2026-02-10"}} {
		o.Dates = test.dates
		if got := o.Date(midnight.UTC(), "day"); got != test.want {
			t.Errorf("%v: %q, want %q", test.dates, got, test.want)
		}
	}
	o.Dates = render.DatesISO
	if got := o.Date(midnight.UTC(), "minute"); got != "2026-02-10T00:00:00+01:00" {
		t.Errorf("minute: %q", got)
	}
}

func TestParseDatesRefuses(t *testing.T) {
	for name, want := range map[string]string{
		"isoo":      `unknown date style "isoo"; styles: human, relative, iso, short, unix or format:%Y-%m-%d`,
		"":          `unknown date style ""; styles: human, relative, iso, short, unix or format:%Y-%m-%d`,
		"format:%":  `date format "%" ends in the middle of a conversion`,
		"format:%Q": `unknown conversion "%Q" in the date format; conversions: %A %B %D %F %H %I %M %R %S %T %Y %Z %a %b %d %e %j %m %p %y %z, %s and %%`,
	} {
		if _, err := render.ParseDates(name); err == nil || err.Error() != want {
			t.Errorf("ParseDates(%q): %v, want %s", name, err, want)
		}
	}
}
