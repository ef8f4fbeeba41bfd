package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/config"
	"handex/cmd/internal/render"
	"handex/index"
	"handex/query"
)

// The exit status.
const (
	exitFound       = 0
	exitNone        = 1
	exitError       = 2
	exitInterrupted = 130
)

// errNone ends a run that found nothing, which has been told already.
var errNone = errors.New("nothing was found")

// errTold ends a run with an error that has been told already.
var errTold = errors.New("there were errors")

// hinted is an error with a line that says what to do.
type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// Hint returns the line.
func (e hinted) Hint() string { return e.hint }

// refused is a query with faults.
type refused struct {
	query.Errors
	text string
}

func (e refused) Unwrap() error { return e.Errors }

// exit tells an error and gives it its status.
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
		_ = render.JSON(a.env.Stderr, failure{report(err)})
		return exitError
	}
	_, _ = io.WriteString(a.env.Stderr, told(err))
	return exitError
}

// told is an error for people.
func told(err error) string {
	if bad, ok := errors.AsType[refused](err); ok {
		return bad.Format(bad.text)
	}
	if bad, ok := errors.AsType[*config.Error](err); ok {
		return bad.Format()
	}
	if bad, ok := errors.AsType[jqError](err); ok {
		return bad.told()
	}
	var b strings.Builder
	b.WriteString("handex: " + render.Line(err.Error()) + "\n")
	for _, hint := range hints(err) {
		b.WriteString("  " + render.Line(hint) + "\n")
	}
	return b.String()
}

// hints say what to do about an error, a line each.
func hints(err error) []string {
	var list []string
	var own interface{ Hint() string }
	if errors.As(err, &own) {
		list = append(list, own.Hint())
	}
	if trouble, ok := errors.AsType[*index.Error](err); ok && trouble.Hint != "" {
		list = append(list, trouble.Hint)
	}
	if missing, ok := errors.AsType[*index.NotFoundError](err); ok && len(missing.Near) > 0 {
		list = append(list, "did you mean "+strings.Join(missing.Near, ", ")+"?")
	}
	if several, ok := errors.AsType[*index.AmbiguousError](err); ok {
		for _, c := range several.Candidates[:min(len(several.Candidates), 5)] {
			list = append(list, c.ID+" "+c.Date.Format(time.DateOnly)+" "+c.Project+" "+render.Title(c))
		}
	}
	if usage, ok := errors.AsType[*kong.ParseError](err); ok {
		list = append(list, usageHint(usage))
	}
	return list
}

// usageHint names the help of the command that was misused.
func usageHint(err *kong.ParseError) string {
	words := "--help"
	if err.Context != nil {
		for n := err.Context.Selected(); n != nil && n.Parent != nil; n = n.Parent {
			words = n.Name + " " + words
		}
	}
	text := "see: handex " + words
	if flag, ok := strings.CutPrefix(err.Error(), "unknown flag -"); ok && !strings.HasPrefix(flag, "-") {
		text = "to leave a word out write !word; after -- nothing is a flag; " + text
	}
	return text
}

// failure is the JSON of an error: of a query what query.Report says, of others
// the same without a place.
type failure struct {
	Error any `json:"error"`
}

type fault struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Help    []string `json:"help,omitempty"`
}

func report(err error) any {
	if bad, ok := errors.AsType[refused](err); ok {
		return bad.Report(bad.text)
	}
	return fault{code(err), err.Error(), hints(err)}
}

// codes name what a program can act on.
var codes = []struct {
	err  error
	name string
}{
	{index.ErrBusy, "index-busy"},
	{index.ErrReadOnly, "index-read-only"},
	{index.ErrFull, "disk-full"},
	{index.ErrCorrupt, "index-damaged"},
	{index.ErrForeign, "index-foreign"},
	{index.ErrNoIndex, "no-index"},
}

func code(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.name
		}
	}
	var missing *index.NotFoundError
	var several *index.AmbiguousError
	var usage *kong.ParseError
	var own interface{ Code() string }
	var jq jqError
	switch {
	case errors.As(err, &own):
		return own.Code()
	case errors.As(err, &jq):
		return "bad-jq"
	case errors.As(err, &missing):
		return "not-found"
	case errors.As(err, &several):
		return "ambiguous"
	case errors.As(err, &usage):
		return "usage"
	}
	return "failed"
}
