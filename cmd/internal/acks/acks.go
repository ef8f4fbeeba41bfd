// Package acks keeps which handoffs a person has seen to, the only thing handex
// knows that it cannot read again from the disk.
//
// The file is a list of events, a JSON object a line, to which lines are only
// ever added:
//
//	{"at":"2026-02-10T12:00:00Z","ack":"h_0123456789ab","digest":"00c0ffee00c0ffee","note":"rotated"}
//	{"at":"2026-02-11T08:30:00Z","unack":"h_0123456789ab","digest":"00c0ffee00c0ffee"}
//
// What is acknowledged depends only on the set of events, not on their order: files of
// two machines are merged by putting their lines together.
package acks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/save"
)

// A Target identifies what is acknowledged: a handoff with a certain text, by its digest.
// An acknowledgement does not apply to another text of the same handoff.
type Target struct {
	ID     string
	Digest int64
}

// An Event records that a target was acknowledged, or with Undo that this was undone.
type Event struct {
	Target
	At   time.Time
	Undo bool
	Note string // one line, "" if there is none
}

// Holding returns the valid acknowledgements, the newest first. For each target only the
// last event counts; if two have the same time, the one that undoes.
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

// After returns e with a time later than that of all other events of its target, so that it
// counts even if the clock was set back.
func After(events []Event, e Event) Event {
	for _, was := range events {
		if was.Target == e.Target && !e.At.After(was.At) {
			e.At = was.At.Add(time.Nanosecond)
		}
	}
	return e
}

// later reports whether event a counts as later than b, of the same target. For equal times
// the result does not depend on the order in which events are read.
func later(a, b Event) bool {
	if c := a.At.Compare(b.At); c != 0 {
		return c > 0
	}
	if a.Undo != b.Undo {
		return a.Undo
	}
	return a.Note > b.Note
}

// record is the JSON of an event in the file.
type record struct {
	At     time.Time `json:"at"`
	Ack    string    `json:"ack,omitempty"`
	Unack  string    `json:"unack,omitempty"`
	Digest string    `json:"digest"` // 16 hex digits: JSON cannot represent the number exactly
	Note   string    `json:"note,omitempty"`
}

// maxLine is how long a line can be, in bytes; maxNote bounds a note so that
// all lines that are written are shorter.
const (
	maxLine = 64 << 10
	maxNote = 4 << 10
)

// A BadLine is a line of the file that is not an event.
type BadLine struct {
	Line   int // from 1
	Reason string
}

// Read returns the events of a file, in its order, none if it does not exist. Lines that
// are not events, such as an incomplete last one, are returned as bad lines.
func Read(path string) ([]Event, []BadLine, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a regular file", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var events []Event
	var bad []BadLine
	for n, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if e, err := decode(line); err == nil {
			events = append(events, e)
		} else {
			bad = append(bad, BadLine{n + 1, err.Error()})
		}
	}
	return events, bad, nil
}

// decode returns the event on a line. It returns an error if the line is not an event.
func decode(line []byte) (Event, error) {
	if len(line) > maxLine {
		return Event{}, fmt.Errorf("longer than %d bytes", maxLine)
	}
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return Event{}, err
	}
	digest, err := strconv.ParseUint(r.Digest, 16, 64)
	if err != nil && r.Digest != "" {
		return Event{}, err
	}
	e := Event{Target: Target{r.Ack, int64(digest)}, At: r.At, Note: r.Note}
	if r.Unack != "" {
		e.ID, e.Undo = r.Unack, true
	}
	if e.ID == "" || r.Ack != "" && r.Unack != "" || e.At.IsZero() {
		return Event{}, errors.New("neither an acknowledgement nor the end of one")
	}
	return e, nil
}

// Append adds events to the file, all or none of them, and flushes them to the disk. It
// makes a missing file or folder. It returns an error if a note is longer than 4 KiB, or if
// others hold the lock of the file for ten seconds.
func Append(ctx context.Context, path string, events ...Event) error {
	text, err := Encode(events)
	if err != nil {
		return err
	}
	return save.AppendFile(ctx, path, text)
}

// Encode returns events as lines of a file. It returns an error if a note is longer than 4
// KiB.
func Encode(events []Event) ([]byte, error) {
	var text bytes.Buffer
	for _, e := range events {
		if len(e.Note) > maxNote {
			return nil, fmt.Errorf("the note is %d bytes long; the limit is %d", len(e.Note), maxNote)
		}
		r := record{At: e.At.UTC(), Ack: e.ID, Digest: fmt.Sprintf("%016x", uint64(e.Digest)), Note: e.Note}
		if e.Undo {
			r.Ack, r.Unack = "", e.ID
		}
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		text.Write(append(line, '\n'))
	}
	return text.Bytes(), nil
}
