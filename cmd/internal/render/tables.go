package render

import (
	"io"
	"strings"

	"github.com/OWNER/handex/query"
)

// Fields writes the table of fields, by kinds.
func Fields(w io.Writer, fields []query.Field, o Options) error {
	return Table(w, []string{"field", "kind", "example", "finds"}, each(fields, func(f query.Field) []string {
		return []string{spellings(f), string(f.Kind), f.Example, doc(f)}
	}), o)
}

// Fields adds the fields of the language to the page.
func (r *Roff) Fields(fields []query.Field) {
	for _, f := range fields {
		r.Item(spellings(f), doc(f)+". For example: "+f.Example)
	}
}

// spellings returns a field's name with its aliases.
func spellings(f query.Field) string {
	name := f.Name
	if len(f.Aliases) > 0 {
		name += " (" + strings.Join(f.Aliases, ", ") + ")"
	}
	if strings.HasSuffix(name, ".") {
		name += "NAME"
	}
	return name
}

// doc returns what a field finds, with the values it can have.
func doc(f query.Field) string {
	if len(f.Values) == 0 {
		return f.Doc
	}
	return f.Doc + ": " + strings.Join(f.Values, ", ")
}

// States writes the table of states.
func States(w io.Writer, states []query.State, o Options) error {
	return Table(w, []string{"state", "of a handoff"}, each(states, func(s query.State) []string {
		return []string{"is:" + strings.Join(s.Spellings(), ", is:"), s.Doc}
	}), o)
}

// Directives writes the table of directives.
func Directives(w io.Writer, directives []query.Directive, o Options) error {
	return Table(w, nil, each(directives, func(d query.Directive) []string { return []string{"", d.Example, d.Doc} }), o)
}
