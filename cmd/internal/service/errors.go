package service

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// A QueryError is the error of a query with faults.
type QueryError struct {
	Faults query.Errors
	Text   string
}

func (e *QueryError) Error() string { return e.Faults.Error() }

func (e *QueryError) Unwrap() error { return e.Faults }

// Format returns the faults as lines for people, with the query and carets under their
// places.
func (e *QueryError) Format() string { return e.Faults.Format(e.Text) }

// Format returns an error as lines for people, with its hints. If the error has a method
// Format, it returns the result of that.
func Format(err error) string {
	if own, ok := errors.AsType[interface {
		error
		Format() string
	}](err); ok {
		return own.Format()
	}
	var b strings.Builder
	b.WriteString("handex: " + render.Line(inWords(err)) + "\n")
	for _, hint := range Hints(err) {
		b.WriteString("  " + render.Line(hint) + "\n")
	}
	return b.String()
}

// reasons are what errors of the system mean for a file.
var reasons = []struct {
	err  error
	text string
}{
	{fs.ErrNotExist, "no such file or folder"},
	{fs.ErrPermission, "you have no permission to read or change it"},
	{syscall.ENOTDIR, "part of the path is not a folder"},
	{syscall.EISDIR, "it is a folder, not a file"},
	{syscall.ENOSPC, "the disk is full"},
	{syscall.EROFS, "the disk is read-only"},
}

// inWords returns the text of an error, in which the system's message about a file or
// program is replaced by one for people.
func inWords(err error) string {
	text := err.Error()
	if missing, ok := errors.AsType[*exec.Error](err); ok && errors.Is(err, exec.ErrNotFound) {
		return strings.Replace(text, missing.Error(), missing.Name+" is not installed, or not in PATH", 1)
	}
	path, ok := errors.AsType[*fs.PathError](err)
	for _, r := range reasons {
		if ok && errors.Is(path.Err, r.err) {
			return strings.Replace(text, path.Error(), path.Path+": "+r.text, 1)
		}
	}
	return text
}

// Hints returns lines that say what to do about an error, and which handoffs may be meant.
func Hints(err error) []string {
	var list []string
	if own, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok {
		list = append(list, own.Hint())
	}
	if trouble, ok := errors.AsType[*index.Error](err); ok && trouble.Hint != "" {
		list = append(list, trouble.Hint)
	}
	if missing, ok := errors.AsType[*index.NotFoundError](err); ok && len(missing.Near) > 0 {
		list = append(list, "did you mean "+strings.Join(missing.Near, ", ")+"?")
	}
	if several, ok := errors.AsType[*index.AmbiguousError](err); ok {
		for _, c := range first(several.Candidates, MaxCandidates) {
			list = append(list, c.ID+" "+c.Date.Format(time.DateOnly)+" "+c.Project+" "+render.Title(c))
		}
	}
	return list
}

// MaxCandidates is how many handoffs the error about an ambiguous reference lists.
const MaxCandidates = 5

// A Failure is the JSON of an error. For a query it has the places of the faults.
type Failure struct {
	Error any `json:"error"`
}

// NewFailure returns the JSON of an error.
func NewFailure(err error) Failure {
	if bad, ok := errors.AsType[*QueryError](err); ok {
		return Failure{bad.Faults.Report(bad.Text)}
	}
	return Failure{struct {
		Code    string   `json:"code"`
		Message string   `json:"message"`
		Help    []string `json:"help,omitempty"`
	}{Code(err), err.Error(), Hints(err)}}
}

// Code returns the name of an error for programs. An error with a method Code determines
// its own name.
func Code(err error) string {
	for _, c := range []struct {
		err  error
		name string
	}{
		{index.ErrBusy, "index-busy"},
		{index.ErrReadOnly, "index-read-only"},
		{index.ErrFull, "disk-full"},
		{index.ErrCorrupt, "index-damaged"},
		{index.ErrForeign, "index-foreign"},
		{index.ErrNoIndex, "no-index"},
	} {
		if errors.Is(err, c.err) {
			return c.name
		}
	}
	if own, ok := errors.AsType[interface {
		error
		Code() string
	}](err); ok {
		return own.Code()
	}
	if _, ok := errors.AsType[*index.NotFoundError](err); ok {
		return "not-found"
	}
	if _, ok := errors.AsType[*index.AmbiguousError](err); ok {
		return "ambiguous"
	}
	return "failed"
}

// MustBeOneOf returns an error, with similar names, if name is not one of names. what says
// at the beginning of the message what the name was given for, such as a flag.
func MustBeOneOf(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	err := fmt.Errorf("%s: %q is not one of %s", what, name, strings.Join(names, ", "))
	return WithNames(err, query.Suggest(name, names), "")
}

// WithNames adds a hint to an error: that one of names may be meant, or if there are none,
// the given hint.
func WithNames(err error, names []string, hint string) error {
	if len(names) > 0 {
		hint = "did you mean " + strings.Join(names, ", ") + "?"
	}
	if hint == "" {
		return err
	}
	return render.WithHint(err, hint)
}
