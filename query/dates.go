package query

import (
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/query/internal/text"
)

// interval is what a date covers: from From to just before To.
type interval struct{ From, To time.Time }

// clock is the moment and the place a date is read in.
type clock struct {
	now  time.Time
	zone *time.Location
}

// badDate returns the error for a text that is no date, whose place is not known yet.
func badDate(message string, help ...string) *Error {
	return &Error{Code: "bad-date", Message: message, Help: help}
}

// dateWords are the dates that are one word, for suggestions.
var dateWords = []string{
	"now", "today", "yesterday", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
	"this-week", "last-week", "this-month", "last-month", "this-quarter", "last-quarter", "this-year", "last-year",
	"last-monday", "last-tuesday", "last-wednesday", "last-thursday", "last-friday", "last-saturday", "last-sunday",
	"january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
}

// monthNames are the names of months, alone or with a year: november, nov-2025.
var monthNames = lazy(`^(last-)?(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|` +
	`sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?:-(\d{4}))?$`)

// weekdays by full and short name.
var weekdays = map[string]time.Weekday{
	"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
	"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6,
}

var (
	durationForm = lazy(`^(\d{1,6})-?([a-z]+)(-ago)?$`)
	slashForm    = lazy(`^\d{1,4}[/.]\d{1,2}[/.]\d{1,4}$`)
	yearFirst    = lazy(`^\d{4}/\d{2}/\d{2}$`)
	calendarForm = lazy(`^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-w(\d{2})|-q([1-4]))?$`)
	plainForm    = lazy(`^(\d{4})(\d{2})(\d{2})$`)
	timeForm     = lazy(`^(\d{4}-\d{2}-\d{2})[t-](\d{2}:\d{2})(:\d{2}(\.\d{1,9})?)?(z|[+-]\d{2}:\d{2})?$`)
)

// IsDate reports whether a text is a date of the language, whatever the clock says.
func IsDate(text string) bool {
	c := clock{now: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), zone: time.UTC}
	_, err := c.date(text)
	return err == nil
}

// normalDate writes a date in one way: space, _ and - are the same, in a day that begins
// with its year / too, and case is ignored.
func normalDate(text string) string {
	norm := strings.ToLower(strings.NewReplacer(" ", "-", "_", "-").Replace(text))
	if yearFirst().MatchString(norm) {
		norm = strings.ReplaceAll(norm, "/", "-")
	}
	return norm
}

// errOtherForm is the answer of a function that reads dates of another form.
var errOtherForm = &Error{}

// date reads one date.
func (c clock) date(text string) (interval, *Error) {
	norm := normalDate(strings.TrimSpace(text))
	for _, read := range []func(string) (interval, *Error){c.word, c.calendar, c.moment, c.duration} {
		if iv, err := read(norm); err != errOtherForm {
			return iv, err
		}
	}
	return interval{}, notDate(text, norm)
}

func notDate(typed, norm string) *Error {
	err := badDate(`not a date: "` + typed + `"`)
	err.Suggestions = text.Suggest(norm, dateWords)
	switch m := plainForm().FindStringSubmatch(norm); {
	case slashForm().MatchString(norm) && strings.Contains(norm, "/"):
		err.Help = []string{"day and month are ambiguous with slashes: write YYYY-MM-DD"}
	case slashForm().MatchString(norm):
		err.Help = []string{"write YYYY-MM-DD"}
	case m != nil:
		err.Help = []string{"write " + m[1] + "-" + m[2] + "-" + m[3]}
	case err.Suggestions == nil:
		err.Help = []string{"for example today, last-week, 7d, 2026-02 or 2026-02-10"}
	}
	return err
}

func (c clock) today() time.Time {
	n := c.now.In(c.zone)
	return c.day(n.Year(), n.Month(), n.Day())
}

func (c clock) day(y int, m time.Month, d int) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, c.zone)
}

// span returns what so many years, months and days from t on cover.
func span(t time.Time, years, months, days int) (interval, *Error) {
	return interval{t, t.AddDate(years, months, days)}, nil
}

// instant returns the moment so long ago.
func (c clock) instant(ago time.Duration) (interval, *Error) {
	t := c.now.Add(-ago).In(c.zone).Truncate(time.Millisecond)
	return interval{t, t.Add(time.Millisecond)}, nil
}

// word reads now, today, weekdays, this-month and the like.
func (c clock) word(s string) (interval, *Error) {
	today := c.today()
	switch s {
	case "now":
		return c.instant(0)
	case "today":
		return span(today, 0, 0, 1)
	case "yesterday":
		return span(today.AddDate(0, 0, -1), 0, 0, 1)
	case "tomorrow":
		return span(today.AddDate(0, 0, 1), 0, 0, 1)
	}
	name, last := strings.CutPrefix(s, "last-")
	if day, ok := weekdays[name]; ok {
		back := (int(today.Weekday()) - int(day) + 7) % 7
		if last && back == 0 {
			back = 7
		}
		return span(today.AddDate(0, 0, -back), 0, 0, 1)
	}
	if m := monthNames().FindStringSubmatch(s); m != nil && (m[1] == "" || m[3] == "") && m[3] != "0000" {
		return c.month(m[2][:3], m[3], last)
	}
	if last {
		return c.period(name, 1)
	}
	if name, this := strings.CutPrefix(s, "this-"); this {
		return c.period(name, 0)
	}
	return interval{}, errOtherForm
}

// month returns a month of a year, or the last that has begun; with last the one before
// that if it is this month.
func (c clock) month(name, year string, last bool) (interval, *Error) {
	t := c.today()
	n := time.Month(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name)/3 + 1)
	y := t.Year()
	switch {
	case year != "":
		y = number(year)
	case n > t.Month() || last && n == t.Month():
		y--
	}
	return span(c.day(y, n, 1), 0, 1, 0)
}

// period returns the week, month, quarter or year of today, or so many before.
func (c clock) period(unit string, back int) (interval, *Error) {
	t := c.today()
	switch unit {
	case "week":
		return span(mondayOf(t).AddDate(0, 0, -7*back), 0, 0, 7)
	case "month":
		return span(c.day(t.Year(), t.Month()-time.Month(back), 1), 0, 1, 0)
	case "quarter":
		return span(c.day(t.Year(), (t.Month()-1)/3*3+1-time.Month(3*back), 1), 0, 3, 0)
	case "year":
		return span(c.day(t.Year()-back, 1, 1), 1, 0, 0)
	}
	return interval{}, errOtherForm
}

func mondayOf(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }

// calendar reads years, months, days, ISO weeks and quarters.
func (c clock) calendar(s string) (interval, *Error) {
	m := calendarForm().FindStringSubmatch(s)
	switch {
	case m == nil:
		return interval{}, errOtherForm
	case m[3] != "":
		return c.calendarDay(m[1], m[2], m[3], 0, 1)
	case m[2] != "":
		return c.calendarDay(m[1], m[2], "01", 1, 0)
	case m[1] == "0000":
		return interval{}, errOtherForm
	case m[4] != "":
		return c.isoWeek(number(m[1]), number(m[4]))
	case m[5] != "":
		return span(c.day(number(m[1]), time.Month(3*number(m[5])-2), 1), 0, 3, 0)
	}
	return span(c.day(number(m[1]), 1, 1), 1, 0, 0)
}

// calendarDay returns what so many months and days from a day on cover. It refuses days
// the calendar does not have; time.Date would shift them.
func (c clock) calendarDay(y, m, d string, months, days int) (interval, *Error) {
	year, month, day := number(y), number(m), number(d)
	if month < 1 || month > 12 || year < 1 {
		return interval{}, badDate("no such month: "+y+"-"+m, "months are 01 to 12, years 0001 to 9999")
	}
	if has := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day(); day < 1 || day > has {
		return interval{}, badDate("no such day: "+y+"-"+m+"-"+d, y+"-"+m+" has "+strconv.Itoa(has)+" days")
	}
	return span(c.day(year, time.Month(month), day), 0, months, days)
}

func (c clock) isoWeek(year, week int) (interval, *Error) {
	monday := mondayOf(c.day(year, 1, 4)).AddDate(0, 0, 7*(week-1)) // the fourth is always in week 1
	if y, w := monday.AddDate(0, 0, 3).ISOWeek(); y != year || w != week {
		message := "no such week: " + strconv.Itoa(year) + "-W" + strconv.Itoa(week)
		return interval{}, badDate(message, "weeks are W01 to W52, in long years W53")
	}
	return span(monday, 0, 0, 7)
}

// moment reads a time of day, which covers its minute, second or millisecond,
// and seconds since 1970.
func (c clock) moment(s string) (interval, *Error) {
	if unix, ok := strings.CutPrefix(s, "@"); ok {
		n, err := strconv.ParseInt(unix, 10, 64)
		if err != nil || n < -62135596800 || n > 253402300799 {
			return interval{}, errOtherForm
		}
		t := time.Unix(n, 0).In(c.zone)
		return interval{t, t.Add(time.Second)}, nil
	}
	m := timeForm().FindStringSubmatch(s)
	if m == nil {
		return interval{}, errOtherForm
	}
	if _, err := c.calendar(m[1]); err != nil {
		return interval{}, err
	}
	layout, covers := "2006-01-02T15:04", time.Minute
	if m[3] != "" {
		layout, covers = layout+":05", time.Second
	}
	if m[4] != "" {
		covers = time.Millisecond
	}
	if m[5] != "" {
		layout += "Z07:00"
	}
	t, err := time.ParseInLocation(layout, m[1]+"T"+m[2]+m[3]+strings.ToUpper(m[5]), c.zone)
	if err != nil {
		return interval{}, badDate(`no such time: "`+strings.ToUpper(s)+`"`, "for example 2026-02-10T14:30")
	}
	t = t.In(c.zone).Truncate(time.Millisecond)
	return interval{t, t.Add(covers)}, nil
}

// duration reads 7d, 2-weeks-ago: the day so long ago, or the instant for
// minutes and hours.
func (c clock) duration(s string) (interval, *Error) {
	m := durationForm().FindStringSubmatch(s)
	if m == nil {
		return interval{}, errOtherForm
	}
	n := number(m[1])
	t := c.today()
	switch m[2] {
	case "min", "mins", "minute", "minutes":
		return c.instant(time.Duration(n) * time.Minute)
	case "h", "hour", "hours", "hr", "hrs":
		return c.instant(time.Duration(n) * time.Hour)
	case "d", "day", "days":
		t = t.AddDate(0, 0, -n)
	case "w", "week", "weeks":
		t = t.AddDate(0, 0, -7*n)
	case "mo", "month", "months":
		t = c.monthsBack(n)
	case "q", "quarter", "quarters":
		t = c.monthsBack(3 * n)
	case "y", "year", "years":
		t = c.monthsBack(12 * n)
	case "m":
		help := "write " + m[1] + "min for minutes or " + m[1] + "mo for months"
		return interval{}, badDate(`unit "m" is ambiguous`, help)
	default:
		return interval{}, errOtherForm
	}
	if t.Year() < 1 {
		return interval{}, badDate("the date is too far back: "+s, "dates begin in the year 0001")
	}
	return span(t, 0, 0, 1)
}

// monthsBack returns the same day n months ago, or the last of that month.
func (c clock) monthsBack(n int) time.Time {
	t := c.today()
	first := c.day(t.Year(), t.Month()-time.Month(n), 1)
	last := first.AddDate(0, 1, -1).Day()
	return c.day(first.Year(), first.Month(), min(t.Day(), last))
}

// isDuration reports whether a text is a duration like 7d, and no date.
func isDuration(s string) bool { return durationForm().MatchString(normalDate(s)) && IsDate(s) }

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
