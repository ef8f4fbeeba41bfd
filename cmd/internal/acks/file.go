package acks

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

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

// Read reads all events of a file, in its order. A file that is not there is
// empty. Lines that are no events, as a torn last one, are left out and told.
func Read(path string) ([]Event, []BadLine, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil, errors.Join(err, fmt.Errorf("%s is not a regular file", path))
	}
	var events []Event
	var bad []BadLine
	in := bufio.NewReaderSize(f, maxLine)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return events, bad, nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			bad = append(bad, BadLine{n, fmt.Sprintf("longer than %d bytes", maxLine)})
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		e, err := decode(line)
		if err != nil {
			bad = append(bad, BadLine{n, err.Error()})
			continue
		}
		events = append(events, e)
	}
}

// readLine reads the next line. Of one that is too long it reads the rest, and
// answers bufio.ErrBufferFull.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	for rest := err; errors.Is(rest, bufio.ErrBufferFull); {
		_, rest = in.ReadSlice('\n')
		if rest != nil && !errors.Is(rest, bufio.ErrBufferFull) && !errors.Is(rest, io.EOF) {
			return nil, rest
		}
	}
	return nil, err
}

func decode(line []byte) (Event, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return Event{}, err
	}
	e := Event{Target: Target{r.Ack, int64(r.Digest)}, At: r.At, Note: r.Note}
	if r.Unack != "" {
		e.ID, e.Undo = r.Unack, true
	}
	if e.ID == "" || r.Ack != "" && r.Unack != "" || e.At.IsZero() {
		return Event{}, errors.New("neither an acknowledgement nor the end of one")
	}
	return e, nil
}

// lockWait is how long Append waits for another that appends.
const lockWait = 10 * time.Second

// Append adds events to the file, all or none of them, making it and its folder
// where they are missing. They are on the disk when it returns. It fails if a
// note is longer than 4 KiB, or if others keep the file for ten seconds.
func Append(ctx context.Context, path string, events ...Event) error {
	text, err := encode(events)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Errorf("lock %s: %w", path, err)
	}
	defer func() { _ = lock.Close() }()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(add(f, text), f.Close(), save.SyncDir(filepath.Dir(path)))
}

func encode(events []Event) ([]byte, error) {
	var text bytes.Buffer
	for _, e := range events {
		if len(e.Note) > maxNote {
			return nil, fmt.Errorf("the note is %d bytes long; the limit is %d", len(e.Note), maxNote)
		}
		r := record{At: e.At.UTC(), Ack: e.ID, Digest: hex64(e.Digest), Note: e.Note}
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

// add writes the text at the end of the file, on a line of its own if the last
// was cut short, and takes back what could be written if not all could.
func add(f *os.File, text []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = append([]byte("\n"), text...)
		}
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	return f.Sync()
}
