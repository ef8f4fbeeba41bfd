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

// batch calls answer with each query of the standard input, one on a line. A line that is
// no query is reported, and the others are still answered.
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
	return a.eachLine(form == "json" || form == "jsonl", answer)
}

// typed reports whether the standard input is a terminal, where a person would have to type
// it.
func (a *app) typed() bool {
	f, ok := a.env.Stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// eachLine calls answer with each line of the standard input. Unless bare is set, it writes
// the query above its answer; in JSON, the form itself shows where an answer ends.
func (a *app) eachLine(bare bool, answer func(string) error) error {
	in := bufio.NewReader(a.env.Stdin)
	result := errNone
	for n := 1; ; n++ {
		text, err := readLine(in)
		if errors.Is(err, io.EOF) {
			return result
		}
		if err != nil {
			return err
		}
		if !bare {
			_, err = io.WriteString(a.out, strings.Repeat("\n", min(n-1, 1))+"# "+render.Line(text)+"\n")
		}
		if err == nil {
			err = a.whole(func() error { return answer(text) })
		}
		switch {
		case err == nil && errors.Is(result, errNone):
			result = nil
		case err == nil, errors.Is(err, errNone):
		case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe), errors.Is(err, context.Canceled):
			return err
		default:
			result = errTold
			if err := a.writeLineFault(n, err); err != nil {
				return err
			}
		}
	}
}

// writeLineFault writes to the standard error what is wrong with the query on line n of the
// standard input.
func (a *app) writeLineFault(n int, err error) error {
	if a.flags.errorsJSON() {
		return render.JSON(a.env.Stderr, struct {
			service.Failure
			Line int `json:"line"`
		}{service.NewFailure(err), n})
	}
	_, err = io.WriteString(a.env.Stderr, "handex: line "+strconv.Itoa(n)+":\n"+service.Format(err))
	return err
}

// readLine reads a line and returns it without its line end. A line that is too long for a
// query is cut, and its rest is skipped.
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
