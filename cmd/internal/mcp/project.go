package mcp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/query"
)

// projectParam is the parameter for the project of a tool; anyProjectParam
// is that of tools that also answer for all.
var (
	projectParam = param{
		name: "project", kind: "string",
		doc: "its name, or a folder in it; default: the project of the server's folder", example: "shop",
	}
	anyProjectParam = param{
		name: "project", kind: "string",
		doc: "its name, or a folder in it, or . for the project of the server's folder; default: all", example: ".",
	}
)

// folder returns a folder of a project: the one that names it, or the root of the
// project that handoffs have under the name.
func (s *server) folder(ctx context.Context, svc *service.Service, project string) (string, error) {
	dir, err := svc.Folder(project)
	if err == nil || strings.ContainsRune(project, filepath.Separator) {
		return dir, err
	}
	found, err := ask(ctx, svc, question{"latest-per:project", true, project, mostHits, 0},
		service.SearchOptions{NoSnippets: true})
	if err != nil {
		return "", err
	}
	var roots []string
	for _, row := range found.Rows {
		if filepath.IsAbs(row.Root) && !slices.Contains(roots, row.Root) {
			roots = append(roots, row.Root)
		}
	}
	switch len(roots) {
	case 1:
		return roots[0], nil
	case 0:
		err = fmt.Errorf("project: %q is neither a folder nor a project of the index", clip(project, longestName))
		if meant := replacements(found); len(meant) > 0 {
			err = render.WithHint(err, strings.Join(meant, "; "))
		}
		return "", err
	}
	return "", fmt.Errorf("project: %q is ambiguous: %s", clip(project, longestName), strings.Join(roots, ", "))
}

// restrict makes a query find only handoffs of a project, unless that is "".
func restrict(svc *service.Service, q *query.Query, project string) {
	if project == "" {
		return
	}
	is := query.Key{Field: "project", Op: query.KeyEqual, Value: project}
	if dir, err := svc.Folder(project); err == nil {
		is.Op, is.Value = query.KeyExact, cmp.Or(svc.Project(dir), dir)
	}
	q.Expr = query.Simplify(query.And{List: []query.Expr{q.Expr, is}})
}

// knows returns nothing, or if no handoff of a project is known a note that says so,
// and notes on what may be meant.
func (s *server) knows(ctx context.Context, svc *service.Service, project string) ([]string, error) {
	found, err := ask(ctx, svc, question{"", true, project, 1, 0}, service.SearchOptions{NoSnippets: true})
	if err != nil || found.Result.Total > 0 {
		return nil, err
	}
	return append([]string{unknownProject(project)}, replacements(found)...), nil
}

// unknownProject returns the note that no handoff of a project is known.
func unknownProject(project string) string {
	return "project " + clip(project, longestName) + " has no handoffs; omit project to list all"
}

// replacements returns what may be meant by a query that finds nothing.
func replacements(found render.Answer) []string {
	var list []string
	for _, suggestion := range found.Suggestions {
		if suggestion.Replace != "" {
			list = append(list, suggestion.Text)
		}
	}
	return list
}
