package service

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/OWNER/handex/cmd/internal/config"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// QueryEnv returns what queries refer to: the present, the saved queries, the user and the
// project of the working folder.
func (v *View) QueryEnv() (query.Env, error) {
	settings, err := v.Settings()
	if err != nil {
		return query.Env{}, err
	}
	return query.Env{
		Now: v.opt.Now(), Zone: v.opt.Zone, Saved: settings.SavedQueries(), StaleAfter: settings.StaleAfter,
		Member: v.member(), Formats: parse.FormatNames(), Project: func() string { return v.Project(v.opt.WorkDir) },
	}, nil
}

// queryError returns the faults of a query as a *QueryError. If a fault is in a saved
// query, it adds the place where the query is saved.
func (v *View) queryError(faults query.Errors, text string, env query.Env) error {
	settings, err := v.Settings()
	if err != nil {
		return err
	}
	for _, fault := range faults {
		if fault.Code != "bad-saved-query" {
			continue
		}
		if q, ok := settings.Query(strings.Trim(text[fault.Start:fault.End], `"`)); ok {
			place, _ := CheckSaved(q, env)
			fault.Help = append(fault.Help, "it is at "+place.String())
		}
	}
	return &QueryError{faults, text}
}

// CheckQuery returns an error if a query cannot be saved under a name, because one of them
// is not valid.
func CheckQuery(name, text string, env query.Env) error {
	if !config.ValidName(name) {
		const rule = "a name consists of lower-case letters, digits, - and _, and begins with a letter: standup"
		return render.WithHint(fmt.Errorf("%q is not a valid name for a saved query", name), rule)
	}
	env.Saved = maps.Clone(env.Saved)
	env.Saved[name] = text
	_, err := query.Parse(text, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		return &QueryError{faults, text}
	}
	return err
}

// CheckSaved returns what is wrong with a saved query, nil if nothing is, and the place of
// the fault or else of the query.
func CheckSaved(q config.Query, env query.Env) (place config.Place, fault error) {
	err := CheckQuery(q.Name, q.Text, env)
	if bad, ok := errors.AsType[*QueryError](err); ok {
		return q.Place(bad.Faults[0].Start), err
	}
	return q.Place(0), err
}
