package cli

import (
	"handex/cmd/internal/render"
	"handex/index"
)

// history lists the versions of the file that a handoff is of.
func (a *app) history(id, form string) error {
	versions, err := a.store.Versions(a.ctx, id)
	if err != nil {
		return err
	}
	switch form {
	case "json", "jsonl":
		return render.VersionsJSON(a.out, versions)
	case "paths", "ids", "null":
		rows := make([]render.Row, len(versions))
		for i, v := range versions {
			rows[i] = render.Row{Hit: index.Hit{Summary: v.Summary}}
		}
		return a.records(render.Answer{Rows: rows}, form)
	case "plain":
		return render.VersionsPlain(a.out, versions, a.options())
	}
	return render.Versions(a.out, versions, a.options())
}
