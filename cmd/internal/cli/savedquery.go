package cli

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"

	"handex/cmd/internal/service"
	"handex/index"
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

var savedName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_-]*$`) })

func checkSavedName(name string) error {
	if savedName().MatchString(name) {
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
	env, err := a.service.QueryEnv()
	if err != nil {
		return err
	}
	if err := checkSaved(c.Name, text, env); err != nil {
		return err
	}
	file, err := a.env.writableConfig()
	if err != nil {
		return err
	}
	was := ""
	_, err = index.EditConfig(file, func(before []byte) ([]byte, bool, error) {
		saved, _, err := splitSaved(before)
		if err != nil {
			return nil, false, tomlFault(file, before, err)
		}
		was = saved[c.Name]
		after, err := withSaved(file, before, c.Name, text)
		return after, true, err
	})
	if err != nil {
		return err
	}
	if was != "" && was != text {
		a.note(c.Name + " was: " + was)
	}
	a.say("query:" + c.Name + " stands in " + file)
	return a.noteShadow(c.Name)
}

// noteShadow tells that a project's own query goes before the user's.
func (a *app) noteShadow(name string) error {
	own, err := readSaved(a.env.projectFile())
	if _, ok := own.queries[name]; ok {
		a.note("in this project query:" + name + " is the one of " + own.file)
	}
	return err
}

// checkSaved reads a query as if it were saved under the name.
func checkSaved(name, text string, env query.Env) error {
	env.Saved = maps.Clone(env.Saved)
	if env.Saved == nil {
		env.Saved = map[string]string{}
	}
	env.Saved[name] = text
	_, err := query.Parse(text, env)
	if faults, ok := errors.AsType[query.Errors](err); ok {
		return &service.QueryError{Faults: faults, Text: text}
	}
	return err
}

// queryRemoveCmd takes a query out of the config file.
type queryRemoveCmd struct {
	Name string `arg:"" help:"The name."`
}

// Run removes the query.
func (c *queryRemoveCmd) Run(a *app) error {
	file, err := a.env.writableConfig()
	if err != nil {
		return err
	}
	own, err := readSaved(file)
	if err != nil {
		return err
	}
	if _, ok := own.queries[c.Name]; !ok {
		return a.noSaved(c.Name, own)
	}
	_, err = index.EditConfig(file, func(before []byte) ([]byte, bool, error) {
		after, err := withoutSaved(file, before, c.Name)
		return after, true, err
	})
	if err != nil {
		return err
	}
	a.note(c.Name + " was: " + own.queries[c.Name])
	return nil
}

// noSaved tells where the query is instead, or what is like it.
func (a *app) noSaved(name string, own savedFile) error {
	err := fmt.Errorf("no saved query named %q in %s", name, own.file)
	if p, fault := readSaved(a.env.projectFile()); fault == nil && p.queries[name] != "" {
		return hinted{err, "it stands in " + p.file + ": edit it by hand"}
	}
	if near := query.Suggest(name, own.names()); len(near) > 0 {
		return hinted{err, "did you mean " + strings.Join(near, ", ") + "?"}
	}
	return hinted{err, "handex query list names what is saved"}
}
