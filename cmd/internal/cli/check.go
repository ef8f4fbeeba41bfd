package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// checkCmd is the command that checks handoffs against the rules of their formats.
type checkCmd struct {
	Words  []string `arg:"" optional:"" name:"path|query" help:"Files, folders, ids or a query; - reads the standard input (default: the folders of --root, or the project of the working folder)."`
	As     string   `help:"Read the files as FORMAT instead of recognizing their format." placeholder:"FORMAT"`
	Strict bool     `help:"Count warnings as errors."`
	Sarif  bool     `name:"sarif" help:"Write a SARIF 2.1.0 log." xor:"form"`
	GitHub bool     `name:"github" help:"Write workflow commands, which GitHub shows beside the changed lines." xor:"form"`
}

// Run checks handoffs and writes their problems. It returns errNone if there are errors, or
// warnings with --strict, and errTold if a file could not be read.
func (c *checkCmd) Run(a *app) error {
	form, err := c.form(a)
	if err != nil {
		return err
	}
	if c.As != "" && !slices.Contains(parse.FormatNames(), c.As) {
		return render.WithHint(fmt.Errorf("--as: unknown format %q", c.As), "formats: "+strings.Join(parse.FormatNames(),
			", "))
	}
	checked, err := c.check(a)
	if err != nil {
		return err
	}
	if err := a.writeChecked(checked, form); err != nil {
		return err
	}
	if !a.flags.machine() {
		if err := a.writeUnread(checked); err != nil {
			return err
		}
	}
	switch {
	case len(checked.Unread) > 0:
		return errTold
	case checked.Count(parse.Error) > 0, c.Strict && len(checked.Findings) > 0:
		return errNone
	}
	return nil
}

// writeUnread writes to the standard error which files could not be read, and the counts of
// the check.
func (a *app) writeUnread(c render.Checked) error {
	for _, t := range c.Unread {
		if _, err := io.WriteString(a.env.Stderr,
			"handex: "+render.Path(t.Path)+" could not be read: "+render.Line(t.Reason)+"\n"); err != nil {
			return err
		}
	}
	if c.Files == 0 && len(c.Unread) == 0 {
		a.note("no handoff to check")
	}
	a.say(c.Summary())
	return nil
}

// form returns the output form that the flags ask for, "" if they ask for none.
func (c *checkCmd) form(a *app) (string, error) {
	form, err := a.form("plain", "json", "jsonl")
	switch {
	case err != nil:
		return "", err
	case form != "" && (c.Sarif || c.GitHub):
		return "", errors.New("--sarif and --github cannot be combined with another output form")
	case c.Sarif:
		return "sarif", nil
	case c.GitHub:
		return "github", nil
	}
	return form, nil
}

// check checks the handoffs that the arguments of the command name.
func (c *checkCmd) check(a *app) (render.Checked, error) {
	k := &checker{app: a, in: index.Inspector{Now: a.env.Now(), Zone: a.env.Zone, Format: c.As}}
	k.checked.Program = build().Version
	err := k.words(c.Words)
	return k.checked, err
}

// words checks what the arguments name: paths, ids, a query, or with "-" the standard
// input. Without arguments it checks the folders of --root or the project of the working
// folder.
func (k *checker) words(words []string) error {
	switch {
	case len(words) == 0 && len(k.flags.Root) > 0:
		return k.roots()
	case len(words) == 0:
		return k.project()
	case slices.Equal(words, []string{"-"}):
		return k.stdin()
	}
	paths, err := k.paths(words)
	if err != nil {
		return err
	}
	switch {
	case paths != nil:
		return k.disk(paths)
	case !slices.ContainsFunc(words, func(word string) bool { return !isID(word) }):
		return k.named(words)
	}
	return k.query(words)
}

// isID reports whether a word has the form of a handoff's id, or of the beginning of one.
func isID(word string) bool {
	digits, ok := strings.CutPrefix(word, "h_")
	return ok && digits != "" && strings.Trim(digits, "0123456789abcdef") == ""
}

// named checks the handoffs with the given ids.
func (k *checker) named(ids []string) error {
	if err := k.open(); err != nil {
		return err
	}
	var hits []index.Hit
	for _, id := range ids {
		found, err := k.service.Find(k.ctx, id)
		if err != nil {
			return err
		}
		for _, h := range found {
			hits = append(hits, index.Hit{Summary: h})
		}
	}
	return k.hits(hits)
}

// writeChecked writes the findings of a check in an output form; "" is the form for people.
func (a *app) writeChecked(c render.Checked, form string) error {
	switch form {
	case "sarif":
		return render.FindingsSARIF(a.out, c)
	case "github":
		return render.FindingsGitHub(a.out, c)
	case "json":
		return render.FindingsJSON(a.out, c)
	case "jsonl":
		return render.FindingsJSONL(a.out, c)
	case "plain":
		return render.FindingsPlain(a.out, c)
	}
	return render.Findings(a.out, c, a.options())
}

// shown returns a path as CI knows it: relative to the checked out repository, else to the
// working folder. A path that is not below that is returned as it is.
func (a *app) shown(path string) string {
	base := a.env.WorkDir
	if dir := a.env.Getenv("GITHUB_WORKSPACE"); filepath.IsAbs(dir) {
		base = dir
	}
	if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// query checks the handoffs that a query finds: all of them, unless the query or a flag has
// a limit.
func (k *checker) query(words []string) error {
	text := strings.Join(words, " ")
	q, err := k.service.ParseQuery(text, k.flags.Limit, query.Parse)
	if err != nil {
		return err
	}
	if q.CountBy != nil || q.Facets != nil {
		return render.WithHint(errors.New("check lists problems and cannot count them"),
			"to count handoffs: handex search "+text)
	}
	if !q.HasLimit() {
		q.Limit = 0
	}
	if err := k.open(); err != nil {
		return err
	}
	result, err := k.service.Hits(k.ctx, q, nil, false)
	if err != nil {
		return err
	}
	if isPlain(q.Expr) {
		if err := k.missing(words, len(result.Hits)); err != nil {
			return err
		}
	}
	for _, note := range q.Notes {
		k.note(note)
	}
	k.writeNotes(k.service.Warnings(result.Stale)...)
	return k.hits(result.Hits)
}

// isPlain reports whether a query is nothing but words without quotes or fields, which
// could be meant as names of files.
func isPlain(e query.Expr) bool {
	if and, ok := e.(query.And); ok {
		return !slices.ContainsFunc(and.List, func(x query.Expr) bool { return !isPlain(x) })
	}
	text, ok := e.(query.Text)
	return ok && text.Field == "" && (text.Kind == query.TextWord || text.Kind == query.TextExact)
}

// missing returns an error if plain words found no handoff, or if only some of them name
// files. If none names a file and there are hits, it notes that these are checked.
func (k *checker) missing(words []string, hits int) error {
	absent := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		_, err := os.Lstat(k.env.Absolute(word))
		return err == nil
	})
	switch {
	case len(absent) == 0:
		return nil
	case hits > 0 && len(absent) == len(words):
		k.note("no file or folder has that name; checking the handoffs that contain the words")
		return nil
	}
	problem := ": no such file or folder"
	if hits == 0 && len(words) == 1 {
		problem += ", and no handoff contains the word"
	}
	return render.WithHint(errors.New(absent[0]+problem),
		"name a file, a folder, an id or a query, such as project:shop")
}

// hits adds the problems that the index has of the handoffs in a list of hits to the
// findings.
func (k *checker) hits(hits []index.Hit) error {
	files := map[string]bool{}
	for _, hit := range hits {
		if !files[hit.Path] {
			files[hit.Path] = true
			k.checked.Files++
		}
		if !slices.Contains(hit.States, "invalid") && !slices.Contains(hit.States, "warned") {
			continue
		}
		h, err := k.service.Load(k.ctx, hit.ID)
		if err != nil {
			return err
		}
		read, err := k.in.Inspect(hit.Path)
		if err != nil {
			k.unread(hit.Path, err)
			continue
		}
		k.checked.Findings = append(k.checked.Findings, k.indexed(h, read)...)
	}
	return nil
}

// indexed returns the problems that the index has of a handoff. The index keeps only their
// lines, so the exact places come from read, the file as it is now, if it still has the
// problem.
func (k *checker) indexed(h *index.Handoff, read index.Inspection) []render.Finding {
	var list []render.Finding
	for _, p := range h.Problems {
		f := render.Finding{Path: h.Path, Shown: k.shown(h.Path), ID: h.ID, Entry: h.Entry, Format: h.Format, Problem: p}
		if p.Line > 0 {
			f.Place = parse.Excerpt{Line: p.Line, Column: 1, EndLine: p.Line, EndColumn: 1}
		}
		for _, d := range read.Documents {
			for _, at := range d.Problems {
				if at.Rule == p.Rule && at.Line == p.Line && at.Message == p.Message && p.Line > 0 {
					f.Place = parse.ExcerptOf(read.Bytes, at.Span)
				}
			}
		}
		list = append(list, f)
	}
	sortFindings(list)
	return list
}
