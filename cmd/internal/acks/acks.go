// Package acks keeps which handoffs a person has seen to, the only thing handex
// knows that it cannot read again from the disk.
//
// The file is a list of events, a JSON object a line, to which lines are only
// ever added:
//
//	{"at":"2026-02-10T12:00:00Z","ack":"h_0123456789ab","digest":"00c0ffee00c0ffee","note":"rotated"}
//	{"at":"2026-02-11T08:30:00Z","unack":"h_0123456789ab","digest":"00c0ffee00c0ffee"}
//
// What holds follows from the set of events alone, whatever their order: files of
// two machines are merged by putting their lines together.
package acks

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Target is what is acknowledged: a handoff, with the digest of what it said
// when the person saw it. A handoff that says something else is not meant.
type Target struct {
	ID     string
	Digest int64
}

// An Event says that a target was acknowledged, or is no longer.
type Event struct {
	Target
	At   time.Time
	Undo bool
	Note string // one line, "" if there is none
}

// Holding are the acknowledgements that hold, the newest first: of each target
// the last event counts, and of two of one instant that which undoes.
func Holding(events []Event) []Event {
	last := map[Target]Event{}
	for _, e := range events {
		if was, ok := last[e.Target]; !ok || later(e, was) {
			last[e.Target] = e
		}
	}
	var list []Event
	for _, e := range last {
		if !e.Undo {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Event) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID), cmp.Compare(a.Digest, b.Digest))
	})
	return list
}

// After is e with a time later than that of every event of its target, so that
// it counts even where the clock was set back.
func After(events []Event, e Event) Event {
	for _, was := range events {
		if was.Target == e.Target && !e.At.After(was.At) {
			e.At = was.At.Add(time.Nanosecond)
		}
	}
	return e
}

// later orders the events of one target, so that any order of reading them
// comes to the same.
func later(a, b Event) bool {
	if c := a.At.Compare(b.At); c != 0 {
		return c > 0
	}
	if a.Undo != b.Undo {
		return a.Undo
	}
	return a.Note > b.Note
}

// record is an event as it stands in the file.
type record struct {
	At     time.Time `json:"at"`
	Ack    string    `json:"ack,omitempty"`
	Unack  string    `json:"unack,omitempty"`
	Digest string    `json:"digest"` // 16 hex digits: JSON cannot hold the number exactly
	Note   string    `json:"note,omitempty"`
}
