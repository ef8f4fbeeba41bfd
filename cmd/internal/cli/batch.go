package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
)

// batch answers queries from the standard input, one a line, in their order. A line
// that is no query is reported, and the others are still answered.
func (a *app) batch(answer func(string) error) error {
	form, err := a.form(append(forms, "template")...)
	if err != nil {
		return err
	}
	if a.typed() {
		return render.WithHint(
			errors.New("search - reads queries from the standard input, which is a terminal"),
			"use | or <, with one query per line: handex search - < queries.txt",
		)
	}
	b := batch{app: a, answer: answer, bare: form == "json" || form == "jsonl"}
	return b.run(bufio.NewReader(a.env.Stdin))
}

// typed reports whether a person would have to type the standard input.
func (a *app) typed() bool {
	f, ok := a.env.Stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// batch is a run over many queries.
type batch struct {
	*app
	answer func(text string) error
	bare   bool // the form itself shows where an answer ends

	line          int
	found, failed bool
}

func (b *batch) run(in *bufio.Reader) error {
	for {
		text, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return b.status()
		}
		if err != nil {
			return err
		}
		b.line++
		if err := b.query(text); err != nil {
			return err
		}
	}
}

// query runs the query of one line and writes its answer. Its error ends the run.
func (b *batch) query(text string) error {
	err := b.head(text)
	if err == nil {
		err = b.whole(func() error { return b.answer(text) })
	}
	switch {
	case err == nil:
		b.found = true
	case errors.Is(err, errNone):
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe), errors.Is(err, context.Canceled):
		return err
	default:
		b.failed = true
		return b.fault(err)
	}
	return nil
}

// head writes the query above its answer, where the form does not.
func (b *batch) head(text string) error {
	if b.bare {
		return nil
	}
	blank := "\n"
	if b.line == 1 {
		blank = ""
	}
	_, err := io.WriteString(b.out, blank+"# "+render.Line(text)+"\n")
	return err
}

// fault writes what is wrong with a line.
func (b *batch) fault(err error) error {
	if b.flags.errorsJSON() {
		return render.JSON(b.env.Stderr, lineFailure{service.NewFailure(err), b.line})
	}
	_, err = io.WriteString(b.env.Stderr, "handex: line "+strconv.Itoa(b.line)+":\n"+service.Format(err))
	return err
}

// lineFailure is the JSON of an error in a line.
type lineFailure struct {
	service.Failure
	Line int `json:"line"`
}

func (b *batch) status() error {
	switch {
	case b.failed:
		return errTold
	case b.found:
		return nil
	}
	return errNone
}

// readLine reads a line without its end. Of one that is too long for a query
// the rest is passed over.
func readLine(in *bufio.Reader) (string, error) {
	const most = 8 << 10
	var line []byte
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return "", err
		}
		if len(line) < most {
			line = append(line, part...)
		}
		if !more {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
	}
}
