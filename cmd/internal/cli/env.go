package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/term"

	"github.com/OWNER/handex/cmd/internal/config"
)

// Env is all that a run knows of its surroundings: streams, clock, time zone and folders.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr Stream
	Now            func() time.Time
	// Clock is the machine's own, even if Now is set to another time.
	Clock func() time.Time
	Zone  *time.Location
	// Places are the user's folders, "" where there are none. WorkDir is absolute.
	config.Places
	CacheHome string
	// Invalid is what is wrong with the surroundings, if anything is.
	Invalid error
}

// Stream is an output stream. Width is the number of columns of the terminal, 0 if it is
// none.
type Stream struct {
	io.Writer
	Width int
}

// IsTerminal reports whether the stream is a terminal.
func (s Stream) IsTerminal() bool { return s.Width > 0 }

// OS returns the environment of the process. now is its clock; the variable HANDEX_NOW sets
// it to a fixed time.
func OS(now func() time.Time) Env {
	e := Env{
		Stdin: os.Stdin, Stdout: stream(os.Stdout), Stderr: stream(os.Stderr),
		Zone: time.Local, CacheHome: xdg.CacheHome,
		Places: config.Places{
			Getenv: os.Getenv, ConfigHome: xdg.ConfigHome, DataHome: xdg.DataHome, StateHome: xdg.StateHome,
		},
	}
	e.Clock = now
	e.Now, e.Invalid = clock(now, os.Getenv("HANDEX_NOW"))
	e.WorkDir, _ = os.Getwd()
	e.Home, _ = os.UserHomeDir()
	// Without a home the XDG folders would lie at the top of the disk.
	if e.Home == "" || !filepath.IsAbs(e.Home) {
		e.Home = ""
		e.ConfigHome, e.CacheHome = os.Getenv("XDG_CONFIG_HOME"), os.Getenv("XDG_CACHE_HOME")
		e.DataHome, e.StateHome = os.Getenv("XDG_DATA_HOME"), os.Getenv("XDG_STATE_HOME")
	}
	return e
}

// clock returns now, or if at is not "", a clock that always shows that time. It returns an
// error if at is not a time in RFC 3339.
func clock(now func() time.Time, at string) (func() time.Time, error) {
	if at == "" {
		return now, nil
	}
	fixed, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return now, fmt.Errorf("HANDEX_NOW: %q is not a time such as 2026-02-10T12:00:00Z", at)
	}
	return func() time.Time { return fixed }, nil
}

// catching is how old a run gets before it catches signals. To begin with that
// takes a tenth of the time of a search, and what is interrupted before has
// nothing to report and leaves nothing behind.
const catching = 20 * time.Millisecond

// Interruptible returns a context that is cancelled when the person interrupts the program.
func Interruptible() context.Context {
	// A write to a closed pipe returns an error, which is recognized there.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(catching, func() {
		interrupt := make(chan os.Signal, 1)
		signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
		<-interrupt
		cancel()
	})
	return ctx
}

// stream returns a file as a Stream, with the width of the terminal.
func stream(f *os.File) Stream {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return Stream{Writer: f}
	}
	width, _, _ := term.GetSize(fd)
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		width = columns
	}
	// Some terminals do not know their size, or say that it is 0.
	if width <= 0 {
		width = 80
	}
	return Stream{f, width}
}
