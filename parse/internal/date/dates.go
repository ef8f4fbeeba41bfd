// Package date finds dates in texts, as people and programs write them.
package date

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/OWNER/handex/parse/internal/scan"
)

// A Stamp is a date as a person or program wrote it.
type Stamp struct {
	Time      time.Time
	Precision string
}

// Dates as they are in real handoffs. Every pattern is anchored by what may
// not be beside it, so that a commit hash or a version is not a date.
var (
	isoDate = scan.Pattern(`(?:^|[^0-9])((?:19|20)[0-9]{2})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[^0-9]|$)`)
	clock   = scan.Pattern(`^(?:[T_-]|,?\s*(?:[·@~|–—-]|at|à|às|um|kl|` +
		`\()?\s*)~?([0-9]{1,2})(?:[:h-]([0-9]{2})(?:[:-]([0-9]{2})(?:[.,]([0-9]{1,9}))?)?|` +
		`([0-9]{2})([0-9]{2})?)?\s*(?i:(am|pm)\b)?\s*(Z|[+-][0-9]{2}:?[0-9]{2}|[A-Za-z]{2,5}\b)?`)
	compact = scan.Pattern(`(?:^|[^0-9A-Za-z])((?:19|` +
		`20)[0-9]{2})([01][0-9])([0-3][0-9])(?:[T_:-]?([0-2][0-9]):?([0-5][0-9]):?([0-5][0-9])?)?(?:[^0-9A-Za-z]|$)`)
	monthDay = scan.Pattern(`(?i)(?:^|[^\p{L}])(` + monthWords +
		`)\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)[0-9]{2})(?:[^0-9]|$)`)
	dayMonth = scan.Pattern(`(?i)(?:^|[^0-9])([0-9]{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+|of\s+)?(` + monthWords +
		`)\.?,?\s+(?:de\s+)?((?:19|20)[0-9]{2})(?:[^0-9]|$)`)
	cjkDate   = scan.Pattern(`((?:19|20)[0-9]{2})\s*[年년]\s*([0-9]{1,2})\s*[月월]\s*([0-9]{1,2})\s*[日일]`)
	yearMonth = scan.Pattern(`^\s*((?:19|20)[0-9]{2})-(0[1-9]|1[0-2])\s*$`)
)

// monthNames are the names of the months in several languages, a line each.
const monthNames = `january jan janvier janeiro enero januar
february feb février fevereiro febrero februar
march mar mars março marzo märz
april apr avril abril
may mai maio mayo
june jun juin junho junio juni
july jul juillet julho julio juli
august aug août agosto
september sept sep septembre setembro septiembre
october oct octobre outubro octubre oktober
november nov novembre novembro noviembre
december dec décembre dezembro diciembre dezember`

var monthWords = strings.Join(strings.Fields(monthNames), "|")

var months = sync.OnceValue(func() map[string]time.Month {
	m := map[string]time.Month{}
	for i, names := range strings.Split(monthNames, "\n") {
		for n := range strings.FieldsSeq(names) {
			m[n] = time.Month(i + 1)
		}
	}
	return m
})

// zoneHours are the zone words seen in handoffs that mean one offset.
var zoneHours = map[string]float64{
	"Z": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"BRT": -3, "CET": 1, "CEST": 2, "BST": 1, "WEST": 1, "EET": 2, "EEST": 3, "MSK": 3, "IST": 5.5, "SGT": 8, "HKT": 8,
	"JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
}

// Find returns the first date in s, and whether there is one. A date without a zone is in
// zone.
func Find(s string, zone *time.Location) (Stamp, bool) {
	if len(s) > 400 {
		s = s[:scan.RuneBoundary([]byte(s), 400)]
	}
	if !HasYear(s) {
		return Stamp{}, false
	}
	best, found := Stamp{}, false
	for _, form := range dateForms {
		if st, i := form.first(s, zone); i >= 0 {
			best, found = st, true
			if s = s[:i]; !HasYear(s) {
				break
			}
		}
	}
	return best, found
}

// A dateForm is a pattern with the groups that contain the year, month and day. A
// time of day follows the match, or is in its further groups.
type dateForm struct {
	pattern          func() *regexp.Regexp
	year, month, day int // day is 0 where the form has none
}

var dateForms = []dateForm{
	{isoDate, 1, 2, 3},
	{yearMonth, 1, 2, 0},
	{compact, 1, 2, 3},
	{monthDay, 3, 1, 2},
	{dayMonth, 3, 2, 1},
	{cjkDate, 1, 2, 3},
}

// first returns the first date of this form in s and its offset, or -1 if there is none. A
// time of day behind the date counts; zone is that of a date that names none.
func (f dateForm) first(s string, zone *time.Location) (Stamp, int) {
	for from := 0; from < len(s); {
		m := f.pattern().FindStringSubmatchIndex(s[from:])
		if m == nil {
			break
		}
		group := groupsOf(s[from:], m)
		month := scan.Atoi(group(f.month))
		if named, ok := months()[strings.ToLower(group(f.month))]; ok {
			month = int(named)
		}
		if f.day == 0 {
			return Stamp{time.Date(scan.Atoi(group(f.year)), time.Month(month), 1, 0, 0, 0, 0, zone), "month"}, from + m[2]
		}
		rest := from + m[7]
		switch st, ok := Of(scan.Atoi(group(f.year)), month, scan.Atoi(group(f.day)), zone); {
		case !ok:
			from = rest
			continue
		case len(m) == 8:
			return withClock(st, strings.TrimLeft(s[rest:], "日일"), zone), from + m[2]
		case group(4) != "":
			hour, minute, second := scan.Atoi(group(4)), scan.Atoi(group(5)), scan.Atoi(group(6))
			return st.withTime(hour, minute, second, 0, group(6) != "", zone), from + m[2]
		default:
			return st, from + m[2]
		}
	}
	return Stamp{}, -1
}

// groupsOf returns a function that returns group i of a match in s, "" for a group that
// matched nothing.
func groupsOf(s string, match []int) func(i int) string {
	return func(i int) string { return s[max(match[2*i], 0):max(match[2*i+1], 0)] }
}

// HasYear reports whether s contains four digits that can be a year. Every date has them and
// most headings do not, so this check comes first.
func HasYear(s string) bool {
	for i := 0; i+3 < len(s); i++ {
		if (s[i] == '2' && s[i+1] == '0' || s[i] == '1' && s[i+1] == '9') && scan.IsDigit(s[i+2]) && scan.IsDigit(s[i+3]) {
			return true
		}
	}
	return false
}

// Of returns a calendar day, and whether it exists.
func Of(year, month, day int, zone *time.Location) (Stamp, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
	return Stamp{t, "day"}, t.Day() == day && int(t.Month()) == month
}

// withClock returns a day with the time of day that rest begins with, in the time zone
// written there or else in zone. If rest begins with no time, it returns the day unchanged.
func withClock(st Stamp, rest string, zone *time.Location) Stamp {
	m := clock().FindStringSubmatchIndex(rest)
	if m == nil {
		return st
	}
	part := groupsOf(rest, m)
	hour, minute, second, half := scan.Atoi(part(1)), scan.Atoi(part(2)), scan.Atoi(part(3)), strings.ToLower(part(7))
	hasSecond := part(3) != ""
	switch {
	case part(5) != "": // 1030, the start of a longer number or hash otherwise
		if end := max(m[11], m[13]); end < len(rest) && scan.IsHex(rest[end]) {
			return st
		}
		minute, second, hasSecond = scan.Atoi(part(5)), scan.Atoi(part(6)), part(6) != ""
	case part(2) == "" && half == "":
		return st
	case part(2) != "" && rest[m[4]-1] == '-' && !strings.ContainsAny(rest[:1], "T_-"):
		return st
	}
	if hour > 23 || minute > 59 || second > 60 {
		return st
	}
	if half == "pm" && hour < 12 {
		hour += 12
	} else if half == "am" && hour == 12 {
		hour = 0
	}
	if z, ok := offset(part(8)); ok {
		zone = z
	}
	return st.withTime(hour, minute, second, scan.Atoi((part(4) + "000000000")[:9]), hasSecond, zone)
}

// withTime returns the day of st with a time of day in a zone. Its precision is "instant" if
// the time has seconds, otherwise "minute".
func (st Stamp) withTime(hour, minute, second, nano int, hasSecond bool, zone *time.Location) Stamp {
	y, m, d := st.Time.Date()
	p := "minute"
	if hasSecond {
		p = "instant"
	}
	return Stamp{time.Date(y, m, d, hour, minute, second, nano, zone), p}
}

// offset returns the time zone of a word such as "CET" or an offset such as "+02:00"; false
// if s is neither.
func offset(s string) (*time.Location, bool) {
	if h, ok := zoneHours[strings.ToUpper(s)]; ok {
		return time.FixedZone(strings.ToUpper(s), int(h*3600)), true
	}
	if len(s) < 5 || (s[0] != '+' && s[0] != '-') {
		return nil, false
	}
	digits := strings.ReplaceAll(s[1:], ":", "")
	sec := scan.Atoi(digits[:2])*3600 + scan.Atoi(digits[2:])*60
	if s[0] == '-' {
		sec = -sec
	}
	return time.FixedZone("", sec), true
}

// End returns the first instant after the day, month, year, minute or instant that the date
// covers.
func (st Stamp) End() time.Time {
	switch st.Precision {
	case "year":
		return st.Time.AddDate(1, 0, 0)
	case "month":
		return st.Time.AddDate(0, 1, 0)
	case "day":
		return st.Time.AddDate(0, 0, 1)
	case "minute":
		return st.Time.Add(time.Minute)
	default:
		return st.Time.Add(time.Millisecond)
	}
}

// isoDates and isoZones are the forms of ISO 8601 that agents and libraries
// write, a blank in place of the T among them, as YAML and Python do.
var (
	isoDates = []string{
		"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04",
		"20060102T150405", "20060102T1504",
	}
	isoZones = []string{"", "Z07:00", " Z07:00", "Z0700", "Z07"}
)

// IsISO8601 reports whether a text is a date, or a date and time, of ISO 8601.
// A fraction may follow the seconds, behind a dot or a comma.
func IsISO8601(s string) bool {
	for _, layout := range []string{time.DateOnly, "20060102", "2006-002"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	for _, date := range isoDates {
		for _, zone := range isoZones {
			if _, err := time.Parse(date+zone, s); err == nil {
				return true
			}
		}
	}
	return false
}
