package parse

import (
	"strings"
	"time"
)

// dateOf decides a document's date: its own field or heading, else the date in
// the file's name, else the mtime.
func dateOf(src Source, fields []Field, head string) Date {
	for _, key := range []string{"date", "updated"} {
		for _, f := range fields {
			if f.Key != key {
				continue
			}
			if st, ok := parseDate(f.Value, src.Zone); ok {
				return refine(st, "field", src)
			}
		}
	}
	if st, ok := parseDate(head, src.Zone); ok {
		return refine(st, "heading", src)
	}
	if st, ok := nameDate(src.Path, src.Zone); ok {
		return refine(st, "name", src)
	}
	t := src.ModTime.In(src.Zone)
	return Date{Time: t, End: t.Add(time.Millisecond), Sort: t, Precision: "instant", Source: "mtime"}
}

// nameDate is the date in a file's name, or in that of its folder.
func nameDate(path string, zone *time.Location) (stamp, bool) {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	if st, ok := parseDate(base, zone); ok {
		return st, true
	}
	return parseDate(dir[strings.LastIndexByte(dir, '/')+1:], zone)
}

// refine orders handoffs that only say their day: by the time in the file's
// name if it names the same day, else by the mtime if that falls on the day.
func refine(st stamp, source string, src Source) Date {
	d := Date{Time: st.at, End: st.end(), Sort: st.at, Precision: st.precision, Source: source}
	if st.precision == "instant" || st.precision == "minute" {
		return d
	}
	for _, t := range []func() (time.Time, bool){
		func() (time.Time, bool) {
			n, ok := nameDate(src.Path, src.Zone)
			return n.at, ok && n.precision != "day"
		},
		func() (time.Time, bool) { return src.ModTime, true },
	} {
		if at, ok := t(); ok && !at.Before(d.Time) && at.Before(d.End) {
			d.Sort = at
			return d
		}
	}
	return d
}
