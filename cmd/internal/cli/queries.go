package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/query"
)

// queryCmd is the group of commands for saved queries.
type queryCmd struct {
	Save queryStoreCmd  `cmd:"" help:"Save a query for use as query:NAME."`
	List queryListCmd   `cmd:"" forms:"plain,json,jsonl" help:"List the saved queries and the errors in them."`
	Rm   queryRemoveCmd `cmd:"" name:"remove" aliases:"rm" help:"Remove a saved query."`
}

// queryStoreCmd is the command that saves a query in the config file.
type queryStoreCmd struct {
	Name  string   `arg:"" help:"Lower-case letters, digits, - and _, beginning with a letter."`
	Query []string `arg:"" help:"The query. It replaces a saved query of that name."`
}

// Run saves the query under its name, or returns an error if one of them is not valid.
func (c *queryStoreCmd) Run(a *app) error {
	text := strings.TrimSpace(strings.Join(c.Query, " "))
	env, err := a.service.QueryEnv()
	if err != nil {
		return err
	}
	if err := service.CheckQuery(c.Name, text, env); err != nil {
		return err
	}
	if text == "" {
		return render.WithHint(errors.New("no query to save"), "to find all handoffs, save the query *")
	}
	p := a.env.Places
	before, err := p.SaveQuery(a.ctx, c.Name, text)
	if err != nil {
		return err
	}
	if before != "" && before != text {
		a.note(c.Name + " was: " + before)
	}
	a.say("query:" + c.Name + " is saved in " + p.File())
	if q, ok := a.conf.Query(c.Name); ok && q.File() != p.File() {
		a.note("in this project, query:" + c.Name + " is defined in " + q.File())
	}
	return nil
}

// queryRemoveCmd is the command that removes a query from the config file.
type queryRemoveCmd struct {
	Name string `arg:"" help:"The name of a saved query."`
}

// Run removes the saved query and notes what it was. It returns an error if there is none
// with the name.
func (c *queryRemoveCmd) Run(a *app) error {
	before, removed, err := a.env.RemoveQuery(a.ctx, c.Name)
	switch {
	case err != nil:
		return err
	case !removed:
		return a.noSaved(c.Name)
	}
	a.note(c.Name + " was: " + before)
	return nil
}

// noSaved returns the error for a name that no query in the user's config file has. Its
// hint says which other file defines it, or which names are similar.
func (a *app) noSaved(name string) error {
	file := a.env.File()
	missing := fmt.Errorf("no saved query named %q in %s", name, file)
	c, err := a.env.Load()
	if err != nil {
		return err
	}
	if q, ok := c.Query(name); ok {
		return render.WithHint(missing, "it is defined in "+q.File()+": edit that file")
	}
	var names []string
	for _, q := range c.Queries {
		if q.File() == file {
			names = append(names, q.Name)
		}
	}
	return service.WithNames(missing, query.Suggest(name, names), "handex query lists the saved queries")
}

// queryListCmd lists the saved queries.
type queryListCmd struct{}

// savedQuery is the JSON of a saved query. Fault is what is wrong with it.
type savedQuery struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
	Fault any    `json:"error,omitempty"`
}

// Run lists the saved queries, and for each that is wrong its fault and place.
func (queryListCmd) Run(a *app) error {
	form := a.flags.asked()
	env, err := a.service.QueryEnv()
	if err != nil {
		return err
	}
	list, rows, faults := []savedQuery{}, [][]string{}, ""
	for _, q := range a.conf.Queries {
		one := savedQuery{Name: q.Name, Query: q.Text, File: q.File(), Line: q.Place(0).Line}
		place, fault := service.CheckSaved(q, env)
		if fault != nil {
			one.Fault = service.NewFailure(fault).Error
			faults += fmt.Sprintf("handex: %s: the saved query %q is wrong:\n%s", render.Line(place.String()), q.Name,
				service.Format(fault))
		}
		list = append(list, one)
		rows = append(rows, []string{q.Name, q.Text})
		if form == "plain" {
			rows[len(rows)-1] = append(rows[len(rows)-1], place.String())
		}
	}
	switch {
	case form == "json" || form == "jsonl":
		err = render.JSON(a.out, struct {
			Schema  int          `json:"schema"`
			Queries []savedQuery `json:"queries"`
		}{render.Schema, list})
	case len(list) == 0:
		a.say("no queries are saved; handex query save NAME QUERY saves one")
	default:
		_, _ = io.WriteString(a.env.Stderr, faults)
		err = a.table(rows, form)
	}
	return orNone(err, len(list) > 0)
}
