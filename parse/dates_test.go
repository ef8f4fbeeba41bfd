package parse_test

import (
	"testing"
	"time"

	"github.com/OWNER/handex/parse"
)

// The dates as people and programs write them; "" is no date.
var dates = []struct{ text, want string }{
	{"2026-07-20", "2026-07-20T00:00:00Z day"},
	{"2026-7-2", "2026-07-02T00:00:00Z day"},
	{"2026/04/14", "2026-04-14T00:00:00Z day"},
	{"2026.04.14", "2026-04-14T00:00:00Z day"},
	{"2026-06-06j", "2026-06-06T00:00:00Z day"},
	{"2026-06-22c (third session)", "2026-06-22T00:00:00Z day"},
	{"2026-06-09/10", "2026-06-09T00:00:00Z day"},
	{"2026-05-07 → 2026-05-08", "2026-05-07T00:00:00Z day"},
	{"2026-04-03 to 2026-04-04", "2026-04-03T00:00:00Z day"},
	{"2026-07-09 (morning)", "2026-07-09T00:00:00Z day"},
	{"2026-07-09 — v1.2.3", "2026-07-09T00:00:00Z day"},
	{"2026-07-09, 14 files", "2026-07-09T00:00:00Z day"},
	{"2026-07-09 - 3 tests left", "2026-07-09T00:00:00Z day"},
	{"2026-01-12 03:30", "2026-01-12T03:30:00Z minute"},
	{"2026-01-12, 03:30", "2026-01-12T03:30:00Z minute"},
	{"2026-01-12 3:30", "2026-01-12T03:30:00Z minute"},
	{"2026-01-12 at 03:30", "2026-01-12T03:30:00Z minute"},
	{"2026-01-12 à 03h30", "2026-01-12T03:30:00Z minute"},
	{"2026-01-12 3pm", "2026-01-12T15:00:00Z minute"},
	{"2026-01-12 3:30 PM", "2026-01-12T15:30:00Z minute"},
	{"2026-01-12 12:05 am", "2026-01-12T00:05:00Z minute"},
	{"2026-01-12 12:05 pm", "2026-01-12T12:05:00Z minute"},
	{"2026-01-12 | 03:30", "2026-01-12T03:30:00Z minute"},
	{"2026-01-12 25:99", "2026-01-12T00:00:00Z day"},
	{"2026-08-10T15:00", "2026-08-10T15:00:00Z minute"},
	{"2025-11-12T13:10:00", "2025-11-12T13:10:00Z instant"},
	{"2026-07-09T00:00:00Z", "2026-07-09T00:00:00Z instant"},
	{"2026-01-01T00-00-00Z", "2026-01-01T00:00:00Z instant"},
	{"2026-08-06T08-00-14", "2026-08-06T08:00:14Z instant"},
	{"2025-12-31T14:11:43.162623+00:00", "2025-12-31T14:11:43.162623Z instant"},
	{"2026-07-04T14:15:18.761862900+00:00", "2026-07-04T14:15:18.7618629Z instant"},
	{"2026-07-04T14:15:18,5Z", "2026-07-04T14:15:18.5Z instant"},
	{"2026-06-27T23:44:00-07:00", "2026-06-27T23:44:00-07:00 instant"},
	{"2026-06-27 23:44 +0530", "2026-06-27T23:44:00+05:30 minute"},
	{"2026-04-22T10:00:00+1000", "2026-04-22T10:00:00+10:00 instant"},
	{"2026-06-20 17:55 UTC", "2026-06-20T17:55:00Z minute"},
	{"2026-06-20 17:55 GMT", "2026-06-20T17:55:00Z minute"},
	{"2026-04-22 ~14:26 UTC", "2026-04-22T14:26:00Z minute"},
	{"2026-05-25 20:54 EDT", "2026-05-25T20:54:00-04:00 minute"},
	{"2026-05-25 20:54 IST", "2026-05-25T20:54:00+05:30 minute"},
	{"2026-05-25 20:54 PT", "2026-05-25T20:54:00Z minute"},
	{"2026-05-25 20:54 America/Toronto", "2026-05-25T20:54:00Z minute"},
	{"2026-05-25 20:54 · Owner: ada", "2026-05-25T20:54:00Z minute"},
	{"January 16, 2026", "2026-01-16T00:00:00Z day"},
	{"Jan 22, 2026 ~12:45 UTC", "2026-01-22T12:45:00Z minute"},
	{"Session end (Jan 22, 2026 ~12:45 UTC)", "2026-01-22T12:45:00Z minute"},
	{"Sept. 3rd, 2025", "2025-09-03T00:00:00Z day"},
	{"December 28 2024", "2024-12-28T00:00:00Z day"},
	{"Tuesday, May 5th, 2026", "2026-05-05T00:00:00Z day"},
	{"February 30, 2026", ""},
	{"17 June 2026", "2026-06-17T00:00:00Z day"},
	{"17th of June 2026, 14:05", "2026-06-17T14:05:00Z minute"},
	{"26 de junho de 2026", "2026-06-26T00:00:00Z day"},
	{"1er août 2026", "2026-08-01T00:00:00Z day"},
	{"3. März 2026", "2026-03-03T00:00:00Z day"},
	{"4 de diciembre de 2025", "2025-12-04T00:00:00Z day"},
	{"20260520223645", "2026-05-20T22:36:45Z instant"},
	{"20260520_2236", "2026-05-20T22:36:00Z minute"},
	{"20260428:162104", "2026-04-28T16:21:04Z instant"},
	{"20260518", "2026-05-18T00:00:00Z day"},
	{"20261318", ""},
	{"2026年4月22日", "2026-04-22T00:00:00Z day"},
	{"2026年04月22日 14:30", "2026-04-22T14:30:00Z minute"},
	{"2026년 4월 22일", "2026-04-22T00:00:00Z day"},
	{"2026-05", "2026-05-01T00:00:00Z month"},
	{"2024/25/26", ""},
	{"2026-13-01", ""},
	{"2026-02-30", ""},
	{"unknown", ""},
	{"today", ""},
	{"12:30", ""},
	{"v2.2026.1", ""},
	{"a2026b", ""},
	{"abc1234 20", ""},
	{"12026-01-01", ""},
	{"1990-01-01", "1990-01-01T00:00:00Z day"},
	{"plan of 2026-99-99, written 2026-01-02", "2026-01-02T00:00:00Z day"},
}

func TestDatesOfFields(t *testing.T) {
	t.Parallel()
	for _, test := range dates {
		check(t, test.text, test.want, "field", parse.Source{Path: "a.md", Bytes: []byte("# T\n\n**Date:** " + test.text + "\n")})
	}
}

func TestDatesOfTitles(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"Handoff — 2026-02-14", "2026-02-14T00:00:00Z day"},
		{"Handoff — 2026-02-14 (auto)", "2026-02-14T00:00:00Z day"},
		{"Session Handoff: 2026-02-14 18:30", "2026-02-14T18:30:00Z minute"},
		{"2026-02-14 Handoff", "2026-02-14T00:00:00Z day"},
		{"Handoff #0082", ""},
		{"Handoff — the year 2026", ""},
	}
	for _, test := range tests {
		check(t, test.text, test.want, "heading", parse.Source{Path: "a.md", Bytes: []byte("# " + test.text + "\n")})
	}
}

func TestDatesOfNames(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"2026-06-17.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-9b2854d8.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-12345678.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-1234abcd.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-12abcdef.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-0930-9b2854d8.md", "2026-06-17T09:30:00Z minute"},
		{"2026-06-17-0930.md", "2026-06-17T09:30:00Z minute"},
		{"2026-06-17-2515.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-093015-search.md", "2026-06-17T09:30:15Z instant"},
		{"2026-06-17-12-topic.md", "2026-06-17T00:00:00Z day"},
		{"2026-06-17-42-tests-left.md", "2026-06-17T00:00:00Z day"},
		{"2026-01-20_13-26_slug.md", "2026-01-20T13:26:00Z minute"},
		{"2026-03-09_23-27-11_ENG-123_export.md", "2026-03-09T23:27:11Z instant"},
		{"2026-08-06T08-00-14Z_topic.md", "2026-08-06T08:00:14Z instant"},
		{"handoff_20260105_221736.md", "2026-01-05T22:17:36Z instant"},
		{"handoff-0001-2026-08-06-0940-server.md", "2026-08-06T09:40:00Z minute"},
		{"slug-20260518.md", "2026-05-18T00:00:00Z day"},
		{"DMF Wrap + Wizard Handoff 2026-05-12.md", "2026-05-12T00:00:00Z day"},
		{"2026-05-12/handoff.md", "2026-05-12T00:00:00Z day"},
		{"2026-05-12/old/handoff.md", ""},
		{"b4db9cba.md", ""},
		{"20260518abcd.md", ""},
		{"0082.md", ""},
		{"1768000000.md", ""},
	}
	for _, test := range tests {
		check(t, test.text, test.want, "name", parse.Source{Path: "p/" + test.text, Bytes: []byte("text\n")})
	}
}

func check(t *testing.T, text, want, from string, src parse.Source) {
	t.Helper()
	src.ModTime = modTime
	d := parse.Parse(src)[0].Date
	got := d.Time.Format(time.RFC3339Nano) + " " + d.Precision
	if want == "" {
		want, from = "2026-05-04T03:02:01Z instant", "mtime"
	}
	if got != want || d.Source != from {
		t.Errorf("%q: got %s of %s, want %s of %s", text, got, d.Source, want, from)
	}
}

func TestDatesWithoutAZoneAreInTheZoneOfTheSource(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", -3*3600)
	for text, want := range map[string]string{
		"2026-01-12":           "2026-01-12T00:00:00-03:00",
		"2026-01-12 03:30":     "2026-01-12T03:30:00-03:00",
		"2026-01-12 03:30 UTC": "2026-01-12T03:30:00Z",
		"January 12, 2026":     "2026-01-12T00:00:00-03:00",
	} {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("**Date:** " + text), Zone: zone})[0].Date
		if got := d.Time.Format(time.RFC3339); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestDatesEndWhereTheirPrecisionDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01":              "2026-02-01T00:00:00Z",
		"2026-01-31":           "2026-02-01T00:00:00Z",
		"2026-01-31 23:59":     "2026-02-01T00:00:00Z",
		"2026-01-31T23:59:59Z": "2026-01-31T23:59:59.001Z",
	} {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("**Date:** " + text)})[0].Date
		if got := d.End.Format(time.RFC3339Nano); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// A day is refined by what tells the time on that day, and by nothing else.
func TestHandoffsOfADayAreInOrder(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name, path, text string
		modTime, want    time.Time
	}{
		{"mtime of the day", "a.md", "**Date:** 2026-05-04", day.Add(10 * time.Hour), day.Add(10 * time.Hour)},
		{"mtime of another day", "a.md", "**Date:** 2026-05-04", day.Add(30 * time.Hour), day},
		{"name before mtime", "2026-05-04-0930.md", "**Date:** 2026-05-04", day.Add(10 * time.Hour), day.Add(9*time.Hour + 30*time.Minute)},
		{"name of another day", "2026-05-03-0930.md", "**Date:** 2026-05-04", day.Add(10 * time.Hour), day.Add(10 * time.Hour)},
		{"a time of its own", "2026-05-04-0930.md", "**Date:** 2026-05-04 08:00", day.Add(10 * time.Hour), day.Add(8 * time.Hour)},
		{"no date at all", "a.md", "text", day.Add(10 * time.Hour), day.Add(10 * time.Hour)},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: test.path, Bytes: []byte(test.text), ModTime: test.modTime})[0].Date
		if !d.Sort.Equal(test.want) {
			t.Errorf("%s: got %v, want %v", test.name, d.Sort, test.want)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	for _, d := range dates {
		f.Add(d.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := parse.Parse(parse.Source{Path: text + ".md", Bytes: []byte("**Date:** " + text), ModTime: modTime})[0].Date
		if !d.End.After(d.Time) || d.Sort.Before(d.Time) || !d.Sort.Before(d.End) {
			t.Errorf("%q: %v to %v, sorted as %v", text, d.Time, d.End, d.Sort)
		}
	})
}
