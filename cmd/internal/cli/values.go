package cli

import (
	"fmt"
	"slices"
	"strings"

	"handex/cmd/internal/render"
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
	if err := checkField(c.Field); err != nil {
		return err
	}
	text := strings.TrimSpace(strings.Join(c.Query, " ") + " count-by:" + c.Field)
	answer, err := a.ask(text, query.Parse)
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
		if f.Group && (f.Name == name || slices.Contains(f.Aliases, name)) {
			return nil
		}
		if prefix, ok := strings.CutSuffix(f.Name, "."); ok && f.Group && strings.HasPrefix(name, f.Name) && len(name) > len(prefix)+1 && !strings.ContainsAny(name, " ,:()\"") {
			return nil
		}
		if f.Group {
			known = append(known, f.Name)
		}
	}
	return hinted{fmt.Errorf("handoffs cannot be counted by %q", name), "fields: " + strings.Join(known, ", ")}
}
