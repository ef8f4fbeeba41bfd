package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// facets are the fields whose values are offered as filters.
const facets = "project,status,format,member,from,to,priority"

// facetsOf returns the fields that are offered as filters for a query. The branch is one
// only if the query names a project, as there are many branches.
func facetsOf(text string) string {
	ofProject := func(term string) bool {
		return slices.Contains([]string{"project", "p", "proj", "repo"}, fieldOf(term))
	}
	if slices.ContainsFunc(terms(text), ofProject) {
		return facets + ",branch"
	}
	return facets
}

const (
	shownValues = 8  // of a field at first
	maxValues   = 80 // of a field behind "more"; a query that counts all is linked
)

// choices are the filters that are not values of a field, each as its text and its
// condition.
var choices = []struct {
	field  string
	values [][2]string
}{
	{"state", [][2]string{
		{"open", "is:open"},
		{"escalated", "is:escalated"},
		{"blocked", "is:blocked"},
		{"waiting for a person", "is:waiting"},
		{"stale", "is:stale"},
		{"latest of its project", "is:latest"},
		{"acknowledged", "is:acked"},
		{"closed", "is:closed"},
		{"breaks a rule", "is:invalid"},
	}},
	{"date", [][2]string{
		{"today", "since:today"},
		{"last 7 days", "since:7d"},
		{"last 30 days", "since:30d"},
		{"last 365 days", "since:365d"},
	}},
}

// orders are the orders of hits that the page offers, each as its text and its directive.
var orders = [][2]string{
	{"newest", ""},
	{"oldest", "sort:date-asc"},
	{"best match", "sort:relevance"},
	{"last changed", "sort:updated"},
	{"priority", "sort:priority"},
	{"longest", "sort:words"},
}

// terms splits a query at its blanks. Text inside quotes or brackets stays together.
func terms(text string) (list []string) {
	start, depth, quoted := -1, 0, false
	for i, c := range text + " " {
		blank := c == ' ' || c == '\t' || c == '\n'
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && strings.ContainsRune("({", c):
			depth++
		case !quoted && strings.ContainsRune(")}", c):
			depth--
		}
		if start < 0 && !blank {
			start = i
		}
		if start >= 0 && (i == len(text) || blank && !quoted && depth <= 0) {
			list = append(list, text[start:i])
			start = -1
		}
	}
	return list
}

// fieldOf returns the name of the field or directive of a term, such as "project" for
// "project:x"; "" if the term has none.
func fieldOf(term string) string {
	at := strings.IndexAny(term, ":=<>")
	name := strings.ToLower(strings.TrimLeft(term[:max(at, 0)], "-!"))
	known := func(f query.Field) bool {
		return f.Name == name || slices.Contains(f.Aliases, name) ||
			strings.HasSuffix(f.Name, ".") && strings.HasPrefix(name, f.Name)
	}
	if slices.ContainsFunc(query.Fields(), known) ||
		slices.ContainsFunc(query.Directives(), func(d query.Directive) bool { return d.Name == name }) {
		return name
	}
	return ""
}

// isOperator reports whether a term is an operator, such as OR, that joins its neighbours,
// so that none of them can be removed alone.
func isOperator(term string) bool {
	return slices.Contains([]string{"AND", "OR", "NOT", "|", "||", "&&"}, term) || strings.HasPrefix(term, "NEAR")
}

// with returns a query with a condition added. If the query contains OR, its conditions are
// put in brackets first.
func with(text, condition string) string {
	list := terms(text)
	if slices.Contains(list, "OR") || slices.Contains(list, "|") {
		directive := func(term string) bool {
			name := fieldOf(term)
			return slices.ContainsFunc(query.Directives(), func(d query.Directive) bool { return d.Name == name })
		}
		whole := strings.Join(slices.DeleteFunc(slices.Clone(list), directive), " ")
		list = slices.DeleteFunc(list, func(term string) bool { return !directive(term) })
		list = append([]string{"(" + whole + ")"}, list...)
	}
	return strings.TrimSpace(strings.Join(append(list, condition), " "))
}

// without returns a query without the terms for which drop returns true.
func without(text string, drop func(term string) bool) string {
	return strings.Join(slices.DeleteFunc(terms(text), drop), " ")
}

// chips returns the conditions of a query, each with a link to the query without it. It
// returns nil if the query has operators.
func chips(text string) (list []pages.Linked) {
	all := terms(text)
	if slices.ContainsFunc(all, isOperator) {
		return nil
	}
	for i, term := range all {
		if name := fieldOf(term); name != "" && name != "sort" {
			rest := slices.Delete(slices.Clone(all), i, i+1)
			list = append(list, pages.Linked{Text: render.Line(term), Link: pageLink(strings.Join(rest, " "), 0)})
		}
	}
	return list
}

// sorts returns the orders of hits, each with a link to the query in that order.
func sorts(text string) (list []pages.FacetValue) {
	isSort := func(term string) bool { return fieldOf(term) == "sort" }
	at := slices.IndexFunc(terms(text), isSort)
	for _, o := range orders {
		on := at < 0 && o[1] == "" || at >= 0 && terms(text)[at] == o[1]
		list = append(list, pages.FacetValue{Text: o[0], On: on, Link: pageLink(with(without(text, isSort), o[1]), 0)})
	}
	return list
}

// toggle returns a filter with a link to the query with the condition added or, if the
// query has the condition, removed. A new condition with since: replaces others with
// since:.
func toggle(text, name, condition string, count int) pages.FacetValue {
	v := pages.FacetValue{Text: render.Line(name), Count: count}
	same := func(term string) bool { return term == condition }
	if v.On = slices.ContainsFunc(terms(text), same); v.On {
		v.Link = pageLink(without(text, same), 0)
		return v
	}
	if strings.HasPrefix(condition, "since:") {
		text = without(text, func(term string) bool { return fieldOf(term) == "since" })
	}
	v.Link = pageLink(with(text, condition), 0)
	return v
}

// facetLists returns the filters for a query: the values in its facets, and choices.
func (s *Server) facetLists(text string, found []index.Facet) (out []pages.FacetList) {
	for _, f := range found {
		l := pages.FacetList{Field: f.Field}
		for _, b := range f.Buckets {
			value := b.Values[0]
			if value == "" || s.masked(value) != value {
				continue
			}
			if len(l.Values) < maxValues {
				l.Values = append(l.Values, toggle(text, value, pages.Condition(f.Field, value), b.Count))
			} else {
				l.Left++
			}
		}
		if l.Left > 0 {
			l.All = pageLink(with(text, "count-by:"+f.Field), 0)
		}
		if len(l.Values) > 1 || slices.ContainsFunc(l.Values, func(v pages.FacetValue) bool { return v.On }) {
			l.More = max(len(l.Values)-shownValues, 0)
			out = append(out, l)
		}
	}
	for _, c := range choices {
		values := render.Each(c.values, func(v [2]string) pages.FacetValue { return toggle(text, v[0], v[1], 0) })
		out = append(out, pages.FacetList{Field: c.field, Dates: c.field == "date", Values: values})
	}
	return out
}

// dated returns the address to which a request of the form for dates is redirected: the
// query with its dates as conditions. It returns "" for other requests.
func dated(r *http.Request) string {
	values := r.URL.Query()
	if !values.Has("since") && !values.Has("until") {
		return ""
	}
	isDate := func(term string) bool { return slices.Contains([]string{"since", "until"}, fieldOf(term)) }
	text := without(values.Get("q"), isDate)
	for _, name := range []string{"since", "until"} {
		if day, err := time.Parse(time.DateOnly, values.Get(name)); err == nil {
			text = with(text, name+":"+day.Format(time.DateOnly))
		}
	}
	return "/?q=" + url.QueryEscape(text)
}
