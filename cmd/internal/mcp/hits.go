package mcp

import (
	"slices"
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
)

// How many characters of a text a list has.
const (
	longestTitle = 90
	longestLine  = 140
	longestName  = 40
)

// A hit is a handoff in a list. Title and Line are quoted.
type hit struct {
	ID      string   `json:"id"`
	Date    string   `json:"date,omitempty"`
	Age     string   `json:"age,omitempty"`
	States  []string `json:"states,omitempty"`
	Project string   `json:"quote_project,omitempty"`
	Title   string   `json:"quote_title"`
	Line    string   `json:"quote,omitempty"`   // what answers the query, or what the handoff is for
	Missing []string `json:"missing,omitempty"` // words of the query it lacks
}

// hit is a handoff as lists have it.
func (s *server) hit(q *quoter, h index.Summary) hit {
	return hit{
		ID: h.ID, Date: s.date(h.Date, h.DatePrecision), Age: s.age(h.Date, h.DatePrecision), States: h.States,
		Project: q.line(h.Project, longestName), Title: q.line(render.Title(h), longestTitle),
	}
}

// lineHits writes a list for models: what we know of each before the bar.
func lineHits(b *strings.Builder, hits []hit) {
	for _, h := range hits {
		known := strings.Join(compact(h.ID, h.Date, h.Age, strings.Join(h.States, ",")), ", ")
		b.WriteString(known + " " + bar + strings.Join(compact(h.Project, h.Title), ": ") + "\n")
		if h.Line != "" {
			b.WriteString("  " + bar + h.Line + "\n")
		}
		if len(h.Missing) > 0 {
			b.WriteString("  lacks " + bar + strings.Join(h.Missing, ", ") + "\n")
		}
	}
}

// compact is a list without what is empty.
func compact(list ...string) []string {
	return slices.DeleteFunc(list, func(text string) bool { return text == "" })
}
