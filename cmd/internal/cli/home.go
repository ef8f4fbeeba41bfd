package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/query"
)

// homeCmd is the command that runs if none is given.
type homeCmd struct{}

// Run shows the latest handoff of the project, its open escalations and five commands.
// Outside of a project, it shows the handoffs of all projects.
func (homeCmd) Run(a *app) error {
	dir, err := a.env.Folder("")
	if err != nil {
		return err
	}
	if err := a.open(); err != nil {
		return err
	}
	found, err := a.service.Latest(a.ctx, dir)
	if err != nil {
		return err
	}
	title, newest, scope := "Latest handoff of all projects", "limit:1", ""
	if len(found) > 0 {
		newest = "id:" + found[0].ID
		title, scope = "Latest handoff of "+render.Line(found[0].Project), " project:{"+newest+"}"
	}
	first, err := a.homeList(title, newest, nil)
	if err != nil {
		return err
	}
	if _, err := a.homeList("\nOpen escalations", "is:open is:escalated limit:5"+scope, first); err != nil {
		return err
	}
	if _, err := io.WriteString(a.out, helpText("home")); err != nil {
		return err
	}
	if len(first) == 0 {
		a.say("no handoffs are indexed; handex roots lists the folders that are searched")
		return errNone
	}
	return nil
}

// homeList writes the hits of a query below a title, numbered after the rows of before. It
// returns before with these hits appended.
func (a *app) homeList(title, text string, before []render.Row) ([]render.Row, error) {
	q, err := a.service.ParseQuery(text, nil, query.Parse)
	if err != nil {
		return nil, err
	}
	answer, err := a.service.Search(a.ctx, q, service.SearchOptions{
		NoSnippets: !a.env.Stdout.IsTerminal(), NoDiagnosis: true,
	})
	if err != nil {
		return nil, err
	}
	a.writeAnswerNotes(answer)
	all := slices.Concat(before, answer.Rows)
	if len(answer.Rows) == 0 {
		return all, nil
	}
	a.number(all)
	if answer.Truncated() && before != nil {
		title += fmt.Sprintf(" (%d of %s)", answer.Result.Shown(), render.Thousands(answer.Result.Total))
	}
	if _, err := io.WriteString(a.out, title+"\n"); err != nil {
		return nil, err
	}
	return all, a.list(all[len(before):], nil, a.usual(nil))
}
