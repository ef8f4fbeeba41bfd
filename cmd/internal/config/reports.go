package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/paper"
	"github.com/OWNER/handex/cmd/internal/report"
	"github.com/OWNER/handex/query"
)

// Report reads and checks the user's own report with a name.
func (p Places) Report(name string, env query.Env) (*report.Definition, error) {
	path := p.ReportFile(name)
	switch _, taken := report.FindKind(name); {
	case !ValidName(name):
		const rule = "use lower-case letters, digits, - and _, beginning with a letter"
		return nil, fmt.Errorf("%s: %q is not a name for a report: %s", path, name, rule)
	case taken:
		return nil, fmt.Errorf("%s: a report %s already exists: rename the file", path, name)
	}
	file, err := readFile(path)
	if err != nil {
		return nil, err
	}
	d := &report.Definition{Name: name}
	if err := file.decodeStrictly(d); err != nil {
		return nil, err
	}
	if wrong, ok := errors.AsType[*report.DefinitionError](d.Check(env)); ok {
		return nil, file.definitionError(wrong)
	}
	if _, err := paper.ParseTemplate(d.Template); err != nil {
		return nil, file.definitionError(&report.DefinitionError{Section: -1, Key: "template", Err: err})
	}
	return d, nil
}

// definitionError returns a fault in the definition of a report as an error with its place
// in the file.
func (s source) definitionError(wrong *report.DefinitionError) error {
	at, verbatim := s.definitionValue(wrong.Section, wrong.Key)
	message := wrong.Key + ": " + wrong.Err.Error()
	if faults, ok := errors.AsType[query.Errors](wrong.Err); ok {
		message = faults[0].Message
		if len(faults[0].Suggestions) > 0 {
			message += "; did you mean " + strings.Join(faults[0].Suggestions, ", ") + "?"
		} else if len(faults[0].Help) > 0 {
			message += "; " + faults[0].Help[0]
		}
		if verbatim && wrong.Key == "query" {
			at += faults[0].Start
		}
	}
	return s.errorAt(s.place(at), message)
}

// definitionValue returns the offset at which the value of a key begins, 0 if the key is
// missing. section is the number of the section with the key, -1 for the report itself.
// verbatim reports whether the value is written without escapes.
func (s source) definitionValue(section int, key string) (at int, verbatim bool) {
	for _, e := range parseEntries(s.text) {
		if e.nth == section && slices.Equal(e.key, []string{key}) {
			return e.value, e.verbatim
		}
	}
	return 0, false
}
