package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"handex/cmd/internal/paper"
	"handex/cmd/internal/render"
	reports "handex/cmd/internal/report"
	"handex/cmd/internal/service"
	"handex/query"
)

// A user's own report is a file reports/NAME.toml beside the config file: a title,
// a query, sections with queries of their own, perhaps a template.

// reportsFolder is where the user's own reports are; "" if there is no such place.
func (e Env) reportsFolder() string {
	if file := e.configFile(); file != "" {
		return filepath.Join(filepath.Dir(file), "reports")
	}
	return ""
}

// ownReports are the names of the user's own.
func (e Env) ownReports() ([]string, error) {
	entries, err := os.ReadDir(e.reportsFolder())
	if errors.Is(err, fs.ErrNotExist) || e.reportsFolder() == "" {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	return names, err
}

// reportNames are the names of reports, for completion.
func (l *typedLine) reportNames() []query.Candidate {
	var list []query.Candidate
	for _, k := range reports.Kinds() {
		list = append(list, query.Candidate{Text: k.Name, Doc: k.Doc})
	}
	own, err := l.env.ownReports()
	if err != nil {
		return list
	}
	return append(list, texts(own)...)
}

// reportName takes the name of a report off the words of a command line. What only
// looks like a name is a word to search for, and told.
func (a *app) reportName(words []string) (name, rest string, err error) {
	text := strings.TrimSpace(strings.Join(words, " "))
	first, rest, _ := strings.Cut(text, " ")
	own, err := a.env.ownReports()
	if err != nil {
		return "", "", err
	}
	known := append(service.OurReports(), own...)
	if slices.Contains(known, first) {
		return first, rest, nil
	}
	if near := query.Suggest(first, known); len(near) > 0 {
		a.note(fmt.Sprintf("%q is searched for; did you mean the report %s?", first, strings.Join(near, " or ")))
	}
	return "", text, nil
}

// ownReport reads and checks a report of the user's own.
func (e Env) ownReport(name string, env query.Env) (*reports.Definition, error) {
	file := filepath.Join(e.reportsFolder(), name+".toml")
	if err := checkSavedName(name); err != nil {
		return nil, fmt.Errorf("%s: %q is no name for a report: it is lower-case letters, digits, - and _, the first a letter", file, name)
	}
	if slices.Contains(service.OurReports(), name) {
		return nil, fmt.Errorf("%s: there is a report %s already: name the file otherwise", file, name)
	}
	d := &reports.Definition{Name: name}
	if err := readTOML(file, d); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	if wrong, ok := errors.AsType[*reports.DefinitionError](d.Check(env)); ok {
		return nil, definitionFault(file, text, wrong)
	}
	if _, err := paper.ParseTemplate(d.Template); err != nil {
		return nil, definitionFault(file, text, &reports.DefinitionError{Section: -1, Key: "template", Err: err})
	}
	return d, nil
}

// definitionFault is what is wrong with a definition at its place in the file.
func definitionFault(file string, text []byte, wrong *reports.DefinitionError) error {
	at, bare := keyPlace(text, wrong.Section, wrong.Key)
	message := wrong.Key + ": " + wrong.Err.Error()
	if faults, ok := errors.AsType[query.Errors](wrong.Err); ok {
		message = faults[0].Message
		if len(faults[0].Suggestions) > 0 {
			message += "; did you mean " + strings.Join(faults[0].Suggestions, ", ") + "?"
		} else if len(faults[0].Help) > 0 {
			message += "; " + faults[0].Help[0]
		}
		if bare && wrong.Key == "query" {
			at += faults[0].Start
		}
	}
	row := bytes.Count(text[:at], []byte("\n")) + 1
	return configError{place{file, row, at - bytes.LastIndexByte(text[:at], '\n')}, message, lineOf(text, row)}
}

// keyPlace is where the value of a key begins, of the section with a number or of
// none, and whether it is written as it is read. A key that is not there is the
// file's beginning.
func keyPlace(text []byte, section int, key string) (at int, bare bool) {
	var p unstable.Parser
	p.Reset(text)
	in := -1
	for p.NextExpression() {
		e := p.Expression()
		switch {
		case e.Kind == unstable.ArrayTable && slices.Equal(keyPath(e.Key()), []string{"section"}):
			in++
		case e.Kind == unstable.KeyValue && in == section && slices.Equal(keyPath(e.Key()), []string{key}):
			v := e.Value()
			if v.Kind == unstable.String {
				quotes := 1
				return int(v.Raw.Offset) + quotes, int(v.Raw.Length) == len(v.Data)+2*quotes
			}
			return int(e.Raw.Offset), false
		}
	}
	return 0, false
}

// templated writes a report as the user's template has it.
func (a *app) templated(d *reports.Definition, r *reports.Report) error {
	t, err := paper.ParseTemplate(d.Template)
	if err != nil {
		return err
	}
	return t.Write(a.out, r, a.options())
}

// listedReport is a report in the list.
type listedReport struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	File  string `json:"file,omitempty"`
	Fault string `json:"error,omitempty"`

	told string
}

// listReports lists the reports there are, and what is wrong with the user's own.
func (a *app) listReports(form string) error {
	var list []listedReport
	for _, k := range reports.Kinds() {
		list = append(list, listedReport{Name: k.Name, Title: k.Doc})
	}
	env, err := a.service.QueryEnv()
	if err != nil {
		return err
	}
	own, err := a.env.ownReports()
	if err != nil {
		return err
	}
	for _, name := range own {
		one := listedReport{Name: name, File: filepath.Join(a.env.reportsFolder(), name+".toml")}
		d, err := a.env.ownReport(name, env)
		if err != nil {
			one.Fault, one.told = err.Error(), service.Format(err)
		} else {
			one.Title = cmpTitle(d)
		}
		list = append(list, one)
	}
	switch form {
	case "json", "jsonl":
		return render.JSON(a.out, map[string]any{"schema": render.Schema, "reports": list})
	case "", "plain":
		return a.tableOfReports(list, form)
	}
	return fmt.Errorf("the list of reports has no form %q; it has plain, json, jsonl", form)
}

func cmpTitle(d *reports.Definition) string {
	if d.Title != "" {
		return d.Title
	}
	return d.Name
}

func (a *app) tableOfReports(list []listedReport, form string) error {
	rows := make([][]string, len(list))
	for i, r := range list {
		rows[i] = []string{r.Name, r.Title}
		if form == "plain" {
			rows[i] = append(rows[i], r.File)
		}
		if r.told != "" {
			_, _ = io.WriteString(a.env.Stderr, r.told)
		}
	}
	if form == "plain" {
		return render.TSV(a.out, rows)
	}
	return render.Table(a.out, nil, rows, a.options())
}
