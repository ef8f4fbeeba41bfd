package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
)

// The exit status.
const (
	exitFound       = 0
	exitNone        = 1
	exitError       = 2
	exitInterrupted = 130
)

// errNone ends a run that found nothing and has reported this.
var errNone = errors.New("nothing was found")

// orNone returns errNone if there was no error, but nothing was found.
func orNone(err error, found bool) error {
	if err == nil && !found {
		return errNone
	}
	return err
}

// errTold ends a run with an error that it has already written.
var errTold = errors.New("there were errors")

// usageError is the error of a command line that cannot be read.
type usageError struct{ *kong.ParseError }

// asUsage returns an error of kong's parser as a usageError, and any other error as it is.
func asUsage(err error) error {
	if usage, ok := errors.AsType[*kong.ParseError](err); ok {
		return usageError{usage}
	}
	return err
}

// Code returns the error's code for programs.
func (usageError) Code() string { return "usage" }

// Hint returns a line that names the help of the misused command.
func (e usageError) Hint() string {
	words := "--help"
	if e.Context != nil {
		for n := e.Context.Selected(); n != nil && n.Parent != nil; n = n.Parent {
			words = n.Name + " " + words
		}
	}
	text := "see: handex " + words
	if flag, ok := strings.CutPrefix(e.Error(), "unknown flag -"); ok && !strings.HasPrefix(flag, "-") {
		text = "to exclude a word, write !word; words after -- are not flags; " + text
	}
	return text
}

// exit writes an error to the standard error, unless it says that this was done, and
// returns the exit status for it.
func (a *app) exit(err error) int {
	switch {
	case err == nil:
		return exitFound
	case errors.Is(err, errNone):
		return exitNone
	case errors.Is(err, errTold):
		return exitError
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		// The reader has seen enough.
		return exitFound
	case errors.Is(err, context.Canceled), errors.Is(err, errLeft):
		return exitInterrupted
	}
	if a.flags.errorsJSON() {
		_ = render.JSON(a.env.Stderr, service.NewFailure(err))
		return exitError
	}
	_, _ = io.WriteString(a.env.Stderr, service.Format(err))
	return exitError
}
