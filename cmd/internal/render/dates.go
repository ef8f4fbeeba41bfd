package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Dates is a style in which dates are written.
type Dates struct {
	name   string
	layout string // strftime, for "format"
}

// The styles of dates.
var (
	DatesRelative = Dates{name: "relative"} // 2 days ago
	DatesHuman    = Dates{name: "human"}    // 2 days ago, Feb 3, Feb 3 2025
	DatesISO      = Dates{name: "iso"}      // 2026-02-03 or 2026-02-03T10:00:00Z
	DatesShort    = Dates{name: "short"}    // 2026-02-03
	DatesUnix     = Dates{name: "unix"}     // 1770112800
)

// DateNames lists the names that ParseDates accepts, for messages.
const DateNames = "human, relative, iso, short, unix or format:%Y-%m-%d"

// ParseDates returns the style of dates with a name. The name can also be "format:"
// followed by a layout with the conversions of strftime.
func ParseDates(name string) (Dates, error) {
	if layout, ok := strings.CutPrefix(name, "format:"); ok {
		if _, err := strftime(layout, time.Time{}); err != nil {
			return Dates{}, err
		}
		return Dates{name: "format", layout: layout}, nil
	}
	for _, d := range []Dates{DatesRelative, DatesHuman, DatesISO, DatesShort, DatesUnix} {
		if d.name == name {
			return d, nil
		}
	}
	return Dates{}, fmt.Errorf("unknown date style %q; styles: %s", name, DateNames)
}

// Date returns a time as text in the style of the options. precision says how much of it is
// known ("instant", "minute", "day", "month" or "year"). The zero time gives "".
func (o Options) Date(t time.Time, precision string) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(o.zone())
	coarse := precision == "month" || precision == "year"
	switch {
	case o.Dates == DatesUnix:
		return strconv.FormatInt(t.Unix(), 10)
	case o.Dates.name == "format":
		text, _ := strftime(o.Dates.layout, t) // checked by ParseDates
		return Line(text)
	case precision == "year":
		return t.Format("2006")
	case precision == "month":
		return t.Format("2006-01")
	case o.Dates == DatesShort || o.Dates == DatesISO && precision == "day":
		return t.Format(time.DateOnly)
	case o.Dates == DatesISO || o.Dates == (Dates{}):
		return t.Format(time.RFC3339)
	case o.Dates != DatesHuman || coarse || o.days(t) <= 6:
		return o.ago(t, precision == "day")
	case t.Year() == o.Now.In(o.zone()).Year():
		return t.Format("Jan 2")
	}
	return t.Format("Jan 2 2006")
}

// days returns how many midnights are between t and now. It is negative if t is in the
// future.
func (o Options) days(t time.Time) int {
	midnight := func(t time.Time) time.Time {
		y, m, d := t.In(o.zone()).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(o.Now).Sub(midnight(t)).Hours() / 24)
}

// ago returns how far t is from now, as "2 hours ago" or "yesterday". With wholeDay the
// time of day is unknown, and only days are counted.
func (o Options) ago(t time.Time, wholeDay bool) string {
	days := o.days(t)
	if !wholeDay {
		if text := clock(o.Now.Sub(t)); text != "" {
			return text
		}
	}
	switch days {
	case 0:
		return "today"
	case 1:
		return "yesterday"
	case -1:
		return "tomorrow"
	}
	n, unit := max(days, -days), "day"
	switch {
	case n >= 365:
		n, unit = n/365, "year"
	case n >= 70:
		n, unit = n/30, "month"
	case n >= 14:
		n, unit = n/7, "week"
	}
	return distance(n, unit, days < 0)
}

// clock returns a distance of less than a day in minutes or hours, and "" for a longer one.
func clock(d time.Duration) string {
	future := d < 0
	d = d.Abs()
	switch {
	case d < time.Minute:
		return "just now"
	case d < 90*time.Minute:
		return distance(int(d.Minutes()), "minute", future)
	case d < 24*time.Hour:
		return distance(int(d.Round(time.Hour).Hours()), "hour", future)
	}
	return ""
}

// distance returns n units from now as text: "2 days ago", or "in 2 days" for the future.
func distance(n int, unit string, future bool) string {
	if future {
		return "in " + Several(n, unit)
	}
	return Several(n, unit) + " ago"
}

// conversions maps the conversions of strftime that do not depend on a locale to Go
// layouts.
var conversions = map[byte]string{
	'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM",
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'j': "002", 'z': "-0700", 'Z': "MST",
	'F': time.DateOnly, 'T': time.TimeOnly, 'R': "15:04", 'D': "01/02/06",
}

// strftime returns a time in a layout of strftime. A conversion that is unknown or
// incomplete is an error.
func strftime(layout string, t time.Time) (string, error) {
	var b strings.Builder
	for i := 0; i < len(layout); i++ {
		if layout[i] != '%' {
			b.WriteByte(layout[i])
			continue
		}
		if i++; i == len(layout) {
			return "", fmt.Errorf("date format %q ends in the middle of a conversion", layout)
		}
		text, err := convert(layout[i], t)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// convert returns the text for one conversion of strftime, such as 'Y' for the year. An
// unknown conversion is an error.
func convert(c byte, t time.Time) (string, error) {
	switch layout, ok := conversions[c]; {
	case ok:
		return t.Format(layout), nil
	case c == '%':
		return "%", nil
	case c == 's':
		return strconv.FormatInt(t.Unix(), 10), nil
	}
	var known []string
	for k := range conversions {
		known = append(known, "%"+string(k))
	}
	slices.Sort(known)
	return "", fmt.Errorf("unknown conversion %q in the date format; conversions: %s, %%s and %%%%", "%"+string(c),
		strings.Join(known, " "))
}
