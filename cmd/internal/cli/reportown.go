package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"handex/cmd/internal/paper"
	"handex/cmd/internal/render"
	reports "handex/cmd/internal/report"
	"handex/cmd/internal/service"
	"handex/query"
)

// reportNames returns the names of reports, for completion.
func (l *typedLine) reportNames() []query.Candidate {
	var list []query.Candidate
	for _, k := range reports.Kinds() {
		list = append(list, query.Candidate{Text: k.Name, Doc: k.Doc})
	}
	own, err := l.env.ReportNames()
	if err != nil {
		return list
	}
	return append(list, texts(own)...)
}

// reportName removes the name of a report from the words of a command line. What only
// looks like a name is a word to search for, with a note.
func (a *app) reportName(words []string) (name, rest string, err error) {
	text := strings.TrimSpace(strings.Join(words, " "))
	first, rest, _ := strings.Cut(text, " ")
	own, err := a.env.ReportNames()
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

// templated writes a report as the user's template has it.
func (a *app) templated(d *reports.Definition, r *reports.Report) error {
	t, err := paper.ParseTemplate(d.Template)
	if err != nil {
		return err
	}
	return t.Write(a.ctx, a.out, r, a.options())
}

// listedReport is the JSON of a report in the list.
type listedReport struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	File  string `json:"file,omitempty"`
	Fault string `json:"error,omitempty"`
}

// listReports lists the reports there are, and what is wrong with the user's own.
func (a *app) listReports(form string) error {
	if form != "" && form != "plain" && form != "json" && form != "jsonl" {
		return fmt.Errorf("the list of reports has no form %q; it has plain, json, jsonl", form)
	}
	var list []listedReport
	for _, k := range reports.Kinds() {
		list = append(list, listedReport{Name: k.Name, Title: k.Doc})
	}
	env, err := a.service.QueryEnv()
	if err != nil {
		return err
	}
	own, err := a.env.ReportNames()
	if err != nil {
		return err
	}
	var faults strings.Builder
	for _, name := range own {
		one := listedReport{Name: name, File: a.env.ReportFile(name)}
		d, err := a.env.Report(name, env)
		if err != nil {
			one.Fault = err.Error()
			faults.WriteString(service.Format(err))
		} else {
			one.Title = cmp.Or(d.Title, d.Name)
		}
		list = append(list, one)
	}
	if form == "json" || form == "jsonl" {
		return render.JSON(a.out, map[string]any{"schema": render.Schema, "reports": list})
	}
	_, _ = io.WriteString(a.env.Stderr, faults.String())
	rows := make([][]string, len(list))
	for i, r := range list {
		rows[i] = []string{r.Name, r.Title}
		if form == "plain" {
			rows[i] = append(rows[i], r.File)
		}
	}
	return a.table(rows, form)
}
