package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"handex/cmd/internal/render"
	"handex/cmd/internal/service"
	"handex/query"
)

// queryListCmd lists the saved queries.
type queryListCmd struct{}

// Run lists the queries, and tells of each that is wrong where it stands.
func (queryListCmd) Run(a *app) error {
	form, err := a.form("plain", "json", "jsonl")
	if err != nil {
		return err
	}
	env, err := a.service.QueryEnv()
	if err != nil {
		return err
	}
	list, err := a.env.savedQueries(env)
	if err != nil {
		return err
	}
	switch {
	case form == "json" || form == "jsonl":
		err = render.JSON(a.out, savedAnswer{render.Schema, list})
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
			text := fmt.Sprintf("handex: %s: the saved query %q is wrong:\n%s", render.Line(q.place.String()), q.Name, q.told)
			_, _ = io.WriteString(a.env.Stderr, text)
		}
	}
	if form == "plain" {
		return render.TSV(a.out, rows)
	}
	return render.Table(a.out, nil, rows, a.options())
}

// savedAnswer is the JSON of the list.
type savedAnswer struct {
	Schema  int          `json:"schema"`
	Queries []savedQuery `json:"queries"`
}

// savedQuery is one saved query. Fault is what is wrong with it, for programs,
// and told for people; place is then that of the fault.
type savedQuery struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
	Fault any    `json:"error,omitempty"`

	place place
	told  string
}

// savedQueries are all saved queries by name, each from the file that counts,
// with what is wrong with it.
func (e Env) savedQueries(env query.Env) ([]savedQuery, error) {
	list := []savedQuery{}
	for _, file := range []string{e.projectFile(), e.configFile()} {
		from, err := readSaved(file)
		if err != nil {
			return nil, err
		}
		for _, name := range from.names() {
			if slices.ContainsFunc(list, func(q savedQuery) bool { return q.Name == name }) {
				continue
			}
			q, err := saved(from, name, env)
			if err != nil {
				return nil, err
			}
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(x, y savedQuery) int { return cmp.Compare(x.Name, y.Name) })
	return list, nil
}

// saved is one saved query, checked.
func saved(from savedFile, name string, env query.Env) (savedQuery, error) {
	q := savedQuery{Name: name, Query: from.queries[name], File: from.file, place: from.place(name, 0)}
	q.Line = q.place.row
	err := checkSavedName(name)
	if err != nil {
		q.Fault, q.told = service.NewFailure(err).Error, service.Format(err)
		return q, nil
	}
	err = checkSaved(name, q.Query, env)
	if bad, ok := errors.AsType[*service.QueryError](err); ok {
		q.Fault, q.told = service.NewFailure(err).Error, service.Format(err)
		q.place = from.place(name, bad.Faults[0].Start)
		return q, nil
	}
	return q, err
}

// savedFile is what a config file has saved.
type savedFile struct {
	file    string
	text    []byte
	queries map[string]string
}

// readSaved reads the saved queries of a file. One that is not there, or has no
// name, has none.
func readSaved(file string) (savedFile, error) {
	f := savedFile{file: file}
	if file == "" {
		return f, nil
	}
	var err error
	if f.text, err = os.ReadFile(file); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return f, nil
		}
		return f, fmt.Errorf("read config: %w", err)
	}
	if f.queries, _, err = splitSaved(f.text); err != nil {
		return f, tomlFault(file, f.text, err)
	}
	return f, nil
}

func (f savedFile) names() []string { return slices.Sorted(maps.Keys(f.queries)) }

// place is where a saved query stands, at a byte of its text.
func (f savedFile) place(name string, offset int) place {
	if at, ok := savedPlace(f.file, f.text, name, offset); ok {
		return at
	}
	return place{file: f.file}
}
