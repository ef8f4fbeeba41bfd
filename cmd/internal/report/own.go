package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// A Definition describes a report of the user's own.
type Definition struct {
	Name     string              `toml:"-"`
	Title    string              `toml:"title"`
	Query    string              `toml:"query"`    // what all of it is restricted to
	Since    string              `toml:"since"`    // where its time begins, as since: takes it
	By       string              `toml:"by"`       // one of Groupings
	Most     int                 `toml:"most"`     // bounds groups and lists, 0 is DefaultMost
	Template string              `toml:"template"` // of the text form; see package text/template
	Sections []SectionDefinition `toml:"section"`
}

// A SectionDefinition describes a section of a user's report: the handoffs that a query
// finds in the report's time, shown as Kind says.
type SectionDefinition struct {
	Name    string   `toml:"name"` // the kind, if left out
	Title   string   `toml:"title"`
	Query   string   `toml:"query"`
	Kind    string   `toml:"kind"` // one of SectionKinds; "list", or "table" if there are columns
	Columns []string `toml:"columns"`
	Always  bool     `toml:"always"` // of all time
}

// SectionKinds are the possible values of SectionDefinition.Kind.
var SectionKinds = []string{
	"list", "table", "count", Done, Next, Gotchas, Failed, Blockers, Escalations, Activity,
	Agents, Quiet, Invalid,
}

// A DefinitionError says which key of a definition is wrong and why. Section is the index
// of its section, or -1 for a key of the report.
type DefinitionError struct {
	Section int
	Key     string
	Err     error // query.Errors if the value is a query with faults
	Text    string
}

func (e *DefinitionError) Error() string { return e.Key + ": " + e.Err.Error() }

// Unwrap returns the error in the value of the key.
func (e *DefinitionError) Unwrap() error { return e.Err }

// Check returns a *DefinitionError for the first mistake in a definition, nil if there is
// none.
func (d *Definition) Check(env query.Env) error {
	if err := checkBy(d.By); err != nil {
		return &DefinitionError{-1, "by", err, d.By}
	}
	if _, err := parseQuery(d.Query, env); err != nil {
		return &DefinitionError{-1, "query", err, d.Query}
	}
	if d.Since != "" {
		if _, err := query.Parse(d.since(), env); err != nil {
			return &DefinitionError{-1, "since", err, d.since()}
		}
	}
	if len(d.Sections) == 0 {
		return &DefinitionError{-1, "section", errors.New("a report needs at least one [[section]]"), ""}
	}
	for i := range d.Sections {
		if err := d.Sections[i].check(i, env); err != nil {
			return err
		}
	}
	return nil
}

// check returns a *DefinitionError for the first mistake in the section with index i.
func (s *SectionDefinition) check(i int, env query.Env) error {
	if _, err := parseQuery(s.Query, env); err != nil {
		return &DefinitionError{i, "query", err, s.Query}
	}
	if s.Kind != "" && !slices.Contains(SectionKinds, s.Kind) {
		return &DefinitionError{
			i, "kind", fmt.Errorf("%q is not one of %s", s.Kind, strings.Join(SectionKinds, ", ")),
			s.Kind,
		}
	}
	if len(s.Columns) > 0 && s.Kind != "" && s.Kind != "table" {
		return &DefinitionError{i, "columns", errors.New(`only a section of kind "table" has columns`), ""}
	}
	for _, name := range s.Columns {
		if columns[name] == nil {
			known := strings.Join(slices.Sorted(maps.Keys(columns)), ", ")
			return &DefinitionError{i, "columns", fmt.Errorf("%q is not one of %s", name, known), name}
		}
	}
	return nil
}

// since returns the start of the report's time as a condition of a query.
func (d *Definition) since() string { return `since:"` + strings.ReplaceAll(d.Since, `"`, "") + `"` }

// parseQuery parses a query that may only select handoffs: directives are errors.
func parseQuery(text string, env query.Env) (*query.Query, error) {
	env.Refuse = func(string) string { return "the query of a report only selects handoffs" }
	return query.Parse(text, env)
}

// own adds a section that the user defined. It is made as a report of its own with that one
// section.
func (b *builder) own(d *SectionDefinition) {
	q, err := parseQuery(d.Query, b.o.Env)
	if b.fail(err); err != nil {
		return
	}
	base, o := b.query(pinned(q.Expr)), b.o
	if !fits(base, o.Env) {
		b.fail(errLong)
		return
	}
	if d.Always {
		o.From, o.To = time.Time{}, time.Time{}
	}
	inner := newBuilder(b.ctx, b.v, &Report{}, o, base)
	inner.whole = b.whole // what is read already
	inner.columns = d.Columns
	kind := d.Kind
	switch {
	case kind == "" && len(d.Columns) > 0:
		kind = "table"
	case kind == "":
		kind = "list"
	}
	b.fail(inner.run(Kind{sections: []string{kind}}))
	b.r.Masked += inner.r.Masked
	for _, note := range inner.r.Notes {
		b.note(note)
	}
	for _, s := range inner.r.Sections {
		s.Name, s.Title = cmp.Or(d.Name, s.Name), cmp.Or(d.Title, s.Title)
		b.add(s)
	}
}

// only adds a section that shows only the number of handoffs.
func (b *builder) only() {
	b.add(Section{Name: "count", Title: "Handoffs", Numbers: []Number{b.r.Handoffs}})
}

// items adds a section that lists the handoffs, newest first.
func (b *builder) items() {
	list := b.summaries(b.o.Most, b.time)
	if len(list) == 0 {
		return
	}
	s := Section{Name: "list", Title: "Handoffs", Numbers: []Number{b.r.Handoffs}, Omitted: b.r.Handoffs.Value - len(list)}
	for i := range list {
		s.Items = append(s.Items, b.listed(&list[i]))
	}
	b.add(s)
}

// columns maps the names of columns that a user's table can have to the functions that
// return their cells.
var columns = map[string]func(h *index.Summary, ref *Ref) Cell{
	"date":    func(_ *index.Summary, ref *Ref) Cell { return Cell{When: ref.When, Precision: ref.Precision} },
	"title":   func(_ *index.Summary, ref *Ref) Cell { return Cell{Text: ref.Title, Ref: ref} },
	"project": func(_ *index.Summary, ref *Ref) Cell { return Cell{Text: ref.Project} },
	"states":  func(h *index.Summary, _ *Ref) Cell { return Cell{Text: strings.Join(h.States, ", ")} },
	"branch":  func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.Branch} },
	"format":  func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.Format} },
	"from":    func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.From} },
	"goal":    func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.Goal} },
	"id":      func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.ID} },
	"path":    func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.Path} },
	"session": func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.Session} },
	"status":  func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.Status} },
	"to":      func(h *index.Summary, _ *Ref) Cell { return Cell{Text: h.To} },
}

// table adds a table of the handoffs, newest first, with the user's columns.
func (b *builder) table() {
	list := b.summaries(b.o.Most, b.time)
	if len(list) == 0 {
		return
	}
	s := Section{
		Name: "table", Title: "Handoffs", Numbers: []Number{b.r.Handoffs},
		Omitted: b.r.Handoffs.Value - len(list), Table: &Table{},
	}
	names := b.columns
	if len(names) == 0 {
		names = []string{"date", "project", "title"}
	}
	s.Table.Columns = render.Each(names, textColumn)
	for i := range list {
		ref := b.ref(&list[i])
		row := make([]Cell, len(names))
		for at, name := range names {
			row[at] = columns[name](&list[i], &ref)
			row[at].Text = b.line(row[at].Text)
		}
		s.Table.Rows = append(s.Table.Rows, row)
	}
	b.add(s)
}
