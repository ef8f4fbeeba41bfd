package acks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"handex/cmd/internal/save"
)

// maxLine is how long a line can be, in bytes; maxNote bounds a note so that
// all lines that are written are shorter.
const (
	maxLine = 64 << 10
	maxNote = 4 << 10
)

// A BadLine is a line of the file that is no event.
type BadLine struct {
	Line   int // from 1
	Reason string
}

// Read returns all events of a file, in its order. A file that does not exist is
// empty. Lines that are no events, as a torn last one, are left out and returned as
// bad.
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

// Append adds events to the file, all or none of them, making it and its folder
// where they are missing. They are on the disk when it returns. It fails if a
// note is longer than 4 KiB, or if others keep the file for ten seconds.
func Append(ctx context.Context, path string, events ...Event) error {
	text, err := encode(events)
	if err != nil {
		return err
	}
	return save.AppendFile(ctx, path, text)
}

func encode(events []Event) ([]byte, error) {
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
