package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/query"
)

// valuesCmd lists what values a field has.
type valuesCmd struct {
	Field string   `arg:"" help:"A field handoffs can be counted by: project, status, branch ..."`
	Query []string `arg:"" optional:"" help:"Count only these handoffs."`
}

// Run counts the handoffs of each value.
func (c *valuesCmd) Run(a *app) error {
	form, err := a.form("plain", "csv", "json", "jsonl")
	if err != nil {
		return err
	}
	answer, err := a.valuesOf(c.Field, strings.Join(c.Query, " "))
	if err != nil {
		return err
	}
	a.tell(answer)
	if len(answer.Result.Buckets) == 0 && form == "" {
		a.say("no handoff has a value of " + c.Field)
		return errNone
	}
	switch form {
	case "json":
		return render.AnswerJSON(a.out, answer)
	case "jsonl":
		return render.AnswerJSONL(a.out, answer)
	}
	return a.buckets(answer, orTable(form))
}

// valuesOf counts the handoffs of a query by a field, those that have it.
func (a *app) valuesOf(field, text string) (render.Answer, error) {
	if err := checkField(field); err != nil {
		return render.Answer{}, err
	}
	answer, err := a.ask(strings.TrimSpace(text+" count-by:"+field), query.Parse)
	if err != nil {
		return render.Answer{}, err
	}
	answer.Result.Buckets = slices.DeleteFunc(answer.Result.Buckets, func(b index.Bucket) bool { return b.Values[0] == "" })
	return answer, nil
}

func orTable(form string) string {
	if form == "" {
		return "table"
	}
	return form
}

// checkField refuses what is no field before it becomes part of a query.
func checkField(name string) error {
	var known []string
	for _, f := range query.Fields() {
		if !f.Group {
			continue
		}
		if f.Name == name || slices.Contains(f.Aliases, name) || isPart(name, f.Name) {
			return nil
		}
		known = append(known, f.Name)
	}
	hint := "fields: " + strings.Join(known, ", ")
	var faults query.Errors
	if _, err := query.Parse("count-by:"+name, query.Env{}); errors.As(err, &faults) && len(faults[0].Suggestions) > 0 {
		hint = "did you mean " + strings.Join(faults[0].Suggestions, ", ") + "?"
	}
	return hinted{fmt.Errorf("handoffs cannot be counted by %q", name), hint}
}

// isPart reports whether a name belongs to a family of fields as meta.
func isPart(name, family string) bool {
	return strings.HasSuffix(family, ".") && strings.HasPrefix(name, family) && len(name) > len(family) && !strings.ContainsAny(name, " ,:()\"")
}
