package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

// report responds with the page of a report.
func (s *Server) report(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	p := pages.ReportPage{Frame: s.frame(r, name, name)}
	p.Query = text
	made, err := s.loadReport(r, reportAge)
	status := http.StatusOK
	var many *report.ManyProjectsError
	switch {
	case err == nil:
		p.Report, p.Title, p.Generation = made.report, made.report.Title, made.generation
		if from := p.Report.From; name == "weekly" && !from.IsZero() {
			p.Before, p.After = reportLink(name, text, week(from, -1)), reportLink(name, text, week(from, 1))
		}
	case errors.As(err, &many):
		p.Title = "Choose a project"
		if p.Projects, err = s.projects(r.Context(), name, text); err != nil {
			return err
		}
	case statusOf(err) == http.StatusBadRequest || errors.Is(err, errSlow):
		status, p.Faults = statusOf(err), faultsOf(err, func(q string) string { return reportLink(name, q, "") })
	default:
		return err
	}
	return respond(w, status, htmlType, func(out io.Writer) error { return pages.WriteReport(out, p, s.options()) })
}

// projects returns the projects of the handoffs that a query finds, each with a link to its
// report. Projects of the same name are distinguished by their folders.
func (s *Server) projects(ctx context.Context, name, text string) (list []pages.FacetValue, err error) {
	found, err := s.find(question{text: with(text, "count-by:project")})
	if err != nil {
		return nil, err
	}
	status, err := s.loadStatus(ctx)
	if err != nil {
		return nil, err
	}
	counts, known := map[string]int{}, map[string]int{}
	for _, b := range found.Result.Buckets {
		counts[b.Values[0]] = b.Count
	}
	for _, p := range status.Projects {
		known[p.Name]++
	}
	for _, p := range status.Projects {
		v := pages.FacetValue{Text: p.Name, Count: counts[p.Name]}
		value := p.Name
		if known[p.Name] > 1 {
			v.Text, v.Count, value = p.Name+" ("+p.Root+")", p.Handoffs, p.Root
		}
		v.Text = s.masked(render.Line(v.Text))
		v.Link = reportLink(name, with(text, pages.Condition("project", value)), "")
		if counts[p.Name] > 0 && s.masked(value) == value {
			list = append(list, v)
		}
	}
	return list, nil
}

// week returns the name, such as 2026-W46, of the week that is the given number of weeks
// after that of t.
func week(t time.Time, after int) string {
	year, n := t.AddDate(0, 0, 7*after).ISOWeek()
	return fmt.Sprintf("%d-W%02d", year, n)
}

// reportLink returns the address of a report with a query and a week, which can be empty.
func reportLink(name, text, week string) string {
	link := "/report/" + url.PathEscape(name)
	values := url.Values{}
	if text != "" {
		values.Set("q", text)
	}
	if week != "" {
		values.Set("week", week)
	}
	if len(values) > 0 {
		link += "?" + values.Encode()
	}
	return link
}

// reportNames returns the names of all reports: those of handex, then the user's.
func (s *Server) reportNames() []string {
	names, err := s.live.ReportNames()
	if err != nil {
		return service.OurReports() // the command line says what is wrong with the folder
	}
	return names
}

// reportAge is how long a report is shown after the index has changed: the time it was made
// is on it.
const reportAge = 5 * time.Minute

// madeReport is a report, notes about the index, and the generation of the index it was
// made from.
type madeReport struct {
	report     *report.Report
	beside     render.Answer
	generation uint64
}

// loadReport returns the report that a request asks for, from the cache or new. One from an
// earlier index is returned if it is younger than maxAge.
func (s *Server) loadReport(r *http.Request, maxAge time.Duration) (madeReport, error) {
	text, err := queryOf(r)
	if err != nil {
		return madeReport{}, err
	}
	q := service.ReportQuestion{
		Name: r.PathValue("name"), Query: text, Week: r.URL.Query().Get("week"), KeepSecrets: s.mask == nil,
	}
	found, err := s.cache.get(q, maxAge, func(ctx context.Context) (any, error) {
		select {
		case s.reporting <- struct{}{}:
		default:
			select {
			case s.reporting <- struct{}{}:
			case <-ctx.Done():
				return nil, errQueued
			}
		}
		defer func() { <-s.reporting }()
		return s.makeReport(ctx, q)
	})
	if err != nil {
		return madeReport{}, err
	}
	made := found.value.(madeReport)
	made.generation = found.generation
	return made, nil
}

// makeReport makes a report from the index.
func (s *Server) makeReport(ctx context.Context, q service.ReportQuestion) (made madeReport, err error) {
	err = s.live.Do(ctx, func(v *service.View) error {
		if !slices.Contains(s.reportNames(), q.Name) {
			return &index.NotFoundError{Ref: q.Name}
		}
		o, err := v.ReportOptions(q)
		if err != nil {
			return badReport(err)
		}
		if made.report, err = v.Report(ctx, o); report.IsRefusal(err) {
			return badReport(err)
		} else if err != nil {
			return err
		}
		made.beside, err = v.ReportAnswer(ctx, made.report, o)
		return err
	})
	return made, err
}

// badReport returns err as an error of the request, for a report that cannot be made as
// asked.
func badReport(err error) error {
	return requestError{err, http.StatusBadRequest, "usage"}
}
