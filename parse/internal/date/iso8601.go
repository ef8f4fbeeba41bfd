package date

import "time"

// isoDates and isoZones are the forms of ISO 8601 that agents and libraries
// write, a blank in place of the T among them, as YAML and Python do.
var (
	isoDates = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "20060102T150405", "20060102T1504"}
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
