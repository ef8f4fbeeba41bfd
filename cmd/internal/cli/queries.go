package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"handex/cmd/internal/config"
	"handex/cmd/internal/render"
	"handex/query"
)

// queryCmd keeps queries by a name.
type queryCmd struct {
	Save queryStoreCmd  `cmd:"" help:"Save a query, to be asked as query:NAME."`
	List queryListCmd   `cmd:"" help:"List the saved queries, and what is wrong with them."`
	Rm   queryRemoveCmd `cmd:"" help:"Remove a saved query."`
}

// queryStoreCmd saves a query in the config file.
type queryStoreCmd struct {
	Name  string   `arg:"" help:"Lower-case letters, digits, - and _; the first a letter."`
	Query []string `arg:"" help:"The query. One of that name is replaced."`
}

func checkSavedName(name string) error {
	if config.ValidName(name) {
		return nil
	}
	return hinted{fmt.Errorf("%q is no name for a saved query", name), "a name is lower-case letters, digits, - and _, the first a letter: standup"}
}

// Run saves the query if it can be read.
func (c *queryStoreCmd) Run(a *app) error {
	if err := checkSavedName(c.Name); err != nil {
		return err
	}
	text := strings.TrimSpace(strings.Join(c.Query, " "))
	if text == "" {
		return hinted{errors.New("there is no query to save"), "to save everything write *"}
	}
	if err := a.checkSaved(c.Name, text); err != nil {
		return err
	}
	p := a.env.places()
	before, err := p.SaveQuery(a.ctx, c.Name, text)
	if err != nil {
		return err
	}
	if before != "" && before != text {
		a.note(c.Name + " was: " + before)
	}
	a.say("query:" + c.Name + " stands in " + p.File())
	if q, ok := a.conf.Query(c.Name); ok && q.File() != p.File() {
		a.note("in this project query:" + c.Name + " is the one of " + q.File())
	}
	return nil
}

// checkSaved reads a query as if it were saved under the name.
func (a *app) checkSaved(name, text string) error {
	env, err := a.queryEnv()
	if err != nil {
		return err
	}
	env.Saved[name] = text
	_, err = query.Parse(text, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		return refused{faults, text}
	}
	return err
}

// queryRemoveCmd takes a query out of the config file.
type queryRemoveCmd struct {
	Name string `arg:"" help:"The name."`
}

// Run removes the query.
func (c *queryRemoveCmd) Run(a *app) error {
	before, removed, err := a.env.places().RemoveQuery(a.ctx, c.Name)
	switch {
	case err != nil:
		return err
	case !removed:
		return a.noSaved(c.Name)
	}
	a.note(c.Name + " was: " + before)
	return nil
}

// noSaved says where the query is instead, or what is like it.
func (a *app) noSaved(name string) error {
	file := a.env.places().File()
	missing := fmt.Errorf("no saved query named %q in %s", name, file)
	c, err := a.config()
	if err != nil {
		return err
	}
	if q, ok := c.Query(name); ok {
		return hinted{missing, "it stands in " + q.File() + ": edit it by hand"}
	}
	var names []string
	for _, q := range c.Queries {
		if q.File() == file {
			names = append(names, q.Name)
		}
	}
	if near := query.Suggest(name, names); len(near) > 0 {
		return hinted{missing, "did you mean " + strings.Join(near, ", ") + "?"}
	}
	return hinted{missing, "handex query list names what is saved"}
}

// queryListCmd lists the saved queries.
type queryListCmd struct{}

// savedQuery is one saved query. Fault is what is wrong with it, for programs,
// and message for people; place is then that of the fault.
type savedQuery struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
	Fault any    `json:"error,omitempty"`

	place   config.Place
	message string
}

// Run lists the queries, and for each that is wrong the place.
func (queryListCmd) Run(a *app) error {
	form, err := a.form("plain", "json", "jsonl")
	if err != nil {
		return err
	}
	c, err := a.config()
	if err != nil {
		return err
	}
	list := []savedQuery{}
	for _, q := range c.Queries {
		one, err := a.saved(q)
		if err != nil {
			return err
		}
		list = append(list, one)
	}
	switch {
	case form == "json" || form == "jsonl":
		err = render.JSON(a.out, struct {
			Schema  int          `json:"schema"`
			Queries []savedQuery `json:"queries"`
		}{render.Schema, list})
	case len(list) == 0:
		a.say("no queries are saved; handex query save NAME QUERY")
	default:
		err = a.listSaved(list, form)
	}
	if err == nil && len(list) == 0 {
		return errNone
	}
	return err
}

// listSaved writes the list for people, and what is wrong with it beside.
func (a *app) listSaved(list []savedQuery, form string) error {
	rows := make([][]string, len(list))
	for i, q := range list {
		rows[i] = []string{q.Name, q.Query}
		if form == "plain" {
			rows[i] = append(rows[i], q.place.String())
		}
		if q.Fault != nil {
			text := fmt.Sprintf("handex: %s: the saved query %q is wrong:\n%s", render.Line(q.place.String()), q.Name, q.message)
			_, _ = io.WriteString(a.env.Stderr, text)
		}
	}
	return a.table(rows, form)
}

// saved is one saved query, checked.
func (a *app) saved(q config.Query) (savedQuery, error) {
	s := savedQuery{Name: q.Name, Query: q.Text, File: q.File(), place: q.Place(0)}
	s.Line = s.place.Line
	err := checkSavedName(q.Name)
	if err == nil {
		err = a.checkSaved(q.Name, q.Text)
		bad, ok := errors.AsType[refused](err)
		if !ok {
			return s, err
		}
		s.place = q.Place(bad.Errors[0].Start)
	}
	s.Fault, s.message = report(err), told(err)
	return s, nil
}

// placeSaved adds to faults of saved queries where they stand.
func (a *app) placeSaved(faults query.Errors, text string) {
	for _, fault := range faults {
		if fault.Code != "bad-saved-query" {
			continue
		}
		if q, ok := a.conf.Query(strings.Trim(text[fault.Start:fault.End], `"`)); ok {
			if s, err := a.saved(q); err == nil {
				fault.Help = append(fault.Help, "it stands at "+s.place.String())
			}
		}
	}
}
