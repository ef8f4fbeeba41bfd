package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"handex/cmd/internal/pages"
)

// report answers the page of a report.
func (s *Server) report(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	text, err := queryOf(r)
	if err != nil {
		return err
	}
	p := pages.ReportPage{Frame: s.frame(r, name, name)}
	p.Query = text
	made, err := s.backend.Report(r.Context(), ReportQuestion{Name: name, Text: text, Week: r.URL.Query().Get("week")})
	if fault, ok := errors.AsType[*Error](err); ok && (fault.Choices != nil || fault.Errors != nil) {
		if p.Fault = fault.Text; fault.Choices != nil {
			p.Fault, p.Title = "", "Of which project?"
		}
		for _, choice := range fault.Choices {
			p.Instead = append(p.Instead, pages.Instead{Query: choice, Link: reportLink(name, choice, "")})
		}
		return answerPage(w, func(out io.Writer) error { return pages.WriteReport(out, p, s.options()) })
	}
	if err != nil {
		return err
	}
	p.Report, p.Title, p.Generation = made.Report, made.Report.Title, made.Generation
	if from := made.Report.From; name == "weekly" && !from.IsZero() {
		p.Before, p.After = reportLink(name, text, week(from, -1)), reportLink(name, text, week(from, 1))
	}
	return answerPage(w, func(out io.Writer) error { return pages.WriteReport(out, p, s.options()) })
}

// week names the week that lies so many after the one of a time.
func week(t time.Time, after int) string {
	year, n := t.AddDate(0, 0, 7*after).ISOWeek()
	return fmt.Sprintf("%d-W%02d", year, n)
}

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
