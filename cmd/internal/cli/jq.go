package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/itchyny/gojq"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/query"
)

// jqError is the error of a program for --jq that cannot be read, with its place.
type jqError struct {
	program    string
	message    string
	start, end int // bytes of the program
}

func (e jqError) Error() string {
	return fmt.Sprintf("--jq:%d: %s", len([]rune(e.program[:e.start]))+1, e.message)
}

// Code returns the error's code for programs.
func (jqError) Code() string { return "bad-jq" }

// Format returns the error as lines for people, with the program and carets under the wrong
// part.
func (e jqError) Format() string {
	mark := query.Errors{{Start: e.start, End: e.end, Message: e.message}}
	_, excerpt, _ := strings.Cut(mark.Format(e.program), "\n")
	return "handex: " + render.Line(e.Error()) + "\n" + excerpt
}

// jqErrorOf returns an error of gojq as a jqError with its place in the program. For a name
// that is not defined, gojq reports only the name, as in "function not defined: nosuch/0".
func jqErrorOf(program string, err error) error {
	if at, ok := errors.AsType[*gojq.ParseError](err); ok {
		end := min(max(at.Offset, 0), len(program))
		return jqError{program, err.Error(), max(end-len(at.Token), 0), end}
	}
	_, name, _ := strings.Cut(err.Error(), "not defined: ")
	name, _, _ = strings.Cut(name, "/")
	if start := strings.Index(program, name); name != "" && start >= 0 {
		return jqError{program, err.Error(), start, start + len(name)}
	}
	return jqError{program, err.Error(), 0, len(program)}
}

// filtered runs a command, runs the program of --jq on its JSON, and writes the results.
func (a *app) filtered(command *kong.Context) error {
	code, err := compileJQ(*a.flags.JQ)
	if err != nil {
		return err
	}
	var answer bytes.Buffer
	out := a.out.out
	a.out.out = &answer
	err = a.whole(func() error { return a.runCommand(command) })
	a.out.out = out
	if err != nil && !errors.Is(err, errNone) && !errors.Is(err, errTold) {
		return err
	}
	return errors.Join(a.runJQ(code, &answer), err)
}

// compileJQ compiles a program for --jq. An error is a jqError with the place of the fault.
func compileJQ(program string) (*gojq.Code, error) {
	parsed, err := gojq.Parse(program)
	if err != nil {
		return nil, jqErrorOf(program, err)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, jqErrorOf(program, err)
	}
	return code, nil
}

// runJQ runs the jq program on each JSON value of an answer and writes the results.
func (a *app) runJQ(code *gojq.Code, answer io.Reader) error {
	values := json.NewDecoder(answer)
	for {
		var value any
		if err := values.Decode(&value); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("--jq: %w", err)
		}
		results := code.RunWithContext(a.ctx, value)
		for {
			result, ok := results.Next()
			if !ok {
				break
			}
			if halt, ok := result.(*gojq.HaltError); ok && halt.Value() == nil {
				return nil
			}
			if err := a.writeJQ(result); err != nil {
				return err
			}
		}
	}
}

// writeJQ writes a result on a line: a string without quotes, so that programs can use it,
// all else as JSON. A result that is an error is returned.
func (a *app) writeJQ(result any) error {
	switch v := result.(type) {
	case error:
		return fmt.Errorf("--jq: %s", short(v.Error()))
	case string:
		return a.writeText(v + "\n")
	}
	text, err := gojq.Marshal(result)
	if err != nil {
		return fmt.Errorf("--jq: %w", err)
	}
	return render.JSON(a.out, json.RawMessage(text))
}

// short returns the first 200 characters of a message, which can contain a whole answer.
func short(message string) string {
	const most = 200
	runes := []rune(message)
	if len(runes) <= most {
		return message
	}
	return string(runes[:most]) + "…"
}
