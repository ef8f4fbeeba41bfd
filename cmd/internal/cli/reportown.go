package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/OWNER/handex/cmd/internal/render"
	reports "github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/query"
)

// reportNames returns the names of all reports as candidates.
func (l *typedLine) reportNames() []query.Candidate {
	list := candidatesOf(reports.Kinds(), func(k reports.Kind) (text, doc string, ok bool) { return k.Name, k.Doc, true })
	own, err := l.env.ReportNames()
	if err != nil {
		return list
	}
	return append(list, texts(own)...)
}

// reportName splits the words of a command line into the name of a report, "" if there is
// none, and the rest, a query. It returns an error if the first word looks like a
// misspelled name, or if the rest is a time: to search for either would be a wrong answer.
func (a *app) reportName(words []string) (name, rest string, err error) {
	text := strings.TrimSpace(strings.Join(words, " "))
	first, rest, _ := strings.Cut(text, " ")
	own, err := a.env.ReportNames()
	if err != nil {
		return "", "", err
	}
	known := append(service.OurReports(), own...)
	if slices.Contains(known, first) {
		return first, rest, refuseTime(rest)
	}
	if near := query.Suggest(first, known); len(near) > 0 || isName(text) {
		what := "reports: " + strings.Join(known, ", ")
		if len(near) > 0 {
			what = "did you mean " + strings.Join(near, " or ") + "? " + what
		}
		return "", "", render.WithHint(fmt.Errorf("there is no report %q", first),
			what+"; to search for the word: handex report digest "+text)
	}
	return "", text, refuseTime(text)
}

// isName reports whether a text is one word of letters, - and _.
func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' &&
			!unicode.IsLetter(r)
	})
}

// refuseTime returns an error if text, the query of a report, is nothing but a time.
func refuseTime(text string) error {
	if !query.IsDate(text) {
		return nil
	}
	return render.WithHint(fmt.Errorf("%q would be searched for as text; set the period of a report with flags",
		text),
		"--since DATE, --until DATE or --week WEEK, such as --week last; to search for it, quote it: '\""+text+"\"'")
}

// listedReport is the JSON of one report in the list of reports.
type listedReport struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	File  string `json:"file,omitempty"`
	Fault string `json:"error,omitempty"`
}

// listReports writes the list of all reports, and what is wrong with the user's own.
func (a *app) listReports(form string) error {
	if form != "" && form != "plain" && form != "json" && form != "jsonl" {
		return fmt.Errorf("the list of reports cannot be written as %q, only as plain, json or jsonl", form)
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
