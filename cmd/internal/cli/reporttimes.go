package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	reports "handex/cmd/internal/report"
	"handex/query"
)

// times are those that the flags ask for; none leaves them to the report.
func (c *reportCmd) times(o *reports.Options) error {
	if c.Week != "" && c.Since+c.Until != "" {
		return errors.New("--week says when it begins and ends: --since and --until do not go with it")
	}
	var err error
	switch {
	case c.Week != "":
		o.From, o.To, err = flagTime("--week", "date", c.Week, o.Env)
		if err == nil && !o.To.Equal(o.From.AddDate(0, 0, 7)) {
			err = fmt.Errorf("--week: %q is no week as 2026-W46", c.Week)
		}
	case c.Since+c.Until != "":
		o.From, o.To, err = c.span(o.Env)
	}
	return err
}

// span is from --since to --until, or to the end of today.
func (c *reportCmd) span(env query.Env) (from, to time.Time, err error) {
	if c.Since != "" {
		if from, _, err = flagTime("--since", "since", c.Since, env); err != nil {
			return from, to, err
		}
	}
	until := "today"
	if c.Until != "" {
		until = c.Until
	}
	if _, to, err = flagTime("--until", "until", until, env); err != nil {
		return from, to, err
	}
	if !from.Before(to) {
		return from, to, fmt.Errorf("the report would end before it begins: %s, %s", from.Format(time.DateOnly), to.Format(time.DateOnly))
	}
	return from, to, nil
}

// flagTime reads a date as a field of the language does.
func flagTime(flag, field, text string, env query.Env) (from, to time.Time, err error) {
	q, err := query.Parse(field+`:"`+strings.ReplaceAll(text, `"`, "")+`"`, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		hint := strings.Join(faults[0].Help, "; ")
		if len(faults[0].Suggestions) > 0 {
			hint = "did you mean " + strings.Join(faults[0].Suggestions, ", ") + "?"
		}
		return from, to, hinted{fmt.Errorf("%s: %s", flag, faults[0].Message), hint}
	}
	if err != nil {
		return from, to, err
	}
	at, ok := q.Expr.(query.During)
	if !ok {
		return from, to, fmt.Errorf("%s: %q is no date", flag, text)
	}
	return at.From, at.To, nil
}
