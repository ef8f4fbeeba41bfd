package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// showCmd is the command that shows handoffs.
type showCmd struct {
	Refs    []string `arg:"" name:"id|path" help:"The id or session of a handoff, or its beginning; a path; the number of a hit in the last list; or a project, for its latest handoff."`
	Section string   `help:"Show only the sections of KIND (next, risks, ...) or with that heading." placeholder:"KIND" xor:"part"`
	Raw     bool     `help:"Write the bytes of the file." xor:"part"`
	History bool     `help:"List the versions of the file, newest first." xor:"part"`
	Why     bool     `help:"Show what decided the date, the status, each section and the states, with the lines of the file." xor:"part"`
}

// Run finds the handoffs and shows them, or none if one of them is missing.
func (c *showCmd) Run(a *app) error {
	forms := []string{"full", "json", "jsonl", "paths", "ids", "null"}
	if c.History {
		forms = append(forms[1:], "plain", "table")
	}
	form, err := a.form(forms...)
	if err != nil {
		return err
	}
	all := make([][]index.Summary, len(c.Refs))
	for i, ref := range c.Refs {
		if all[i], err = a.find(ref); err != nil {
			return err
		}
	}
	if err := a.warnStale(); err != nil {
		return err
	}
	for i, found := range all {
		if i > 0 && (form == "" || form == "full") && !c.Raw {
			if err := render.Rule(a.out, a.options()); err != nil {
				return err
			}
		}
		if err := c.one(a, found, form); err != nil {
			return err
		}
	}
	return nil
}

// one shows the newest of the handoffs that a reference named, in the way that the flags
// ask for.
func (c *showCmd) one(a *app, found []index.Summary, form string) error {
	newest := service.Newest(found)
	if len(found) > 1 && !c.Raw && !c.History {
		a.noteOthers(len(found), newest.Path)
	}
	switch {
	case c.History:
		return a.history(newest.ID, form)
	case c.Raw:
		return a.raw(newest.Path)
	case form == "paths" || form == "ids" || form == "null":
		return a.records(rowsOf(newest), form, nil)
	case c.Why:
		return a.showWhy(&newest, form)
	}
	return a.show(newest.ID, c.Section, form)
}

// noteOthers notes that the file at path contains n handoffs and that only the newest is
// shown.
func (a *app) noteOthers(n int, path string) {
	a.note(fmt.Sprintf("that file contains %d handoffs; this is the newest; to list all: handex search path:%s", n,
		filepath.Base(path)))
}

// rowsOf returns handoffs that no query found as an answer.
func rowsOf(list ...index.Summary) render.Answer {
	rows := make([]render.Row, len(list))
	for i, h := range list {
		rows[i] = render.Row{Hit: index.Hit{Summary: h}}
	}
	return render.Answer{Rows: rows}
}

// show writes the handoff with an id, or if section is not "", only its sections of that
// kind or heading.
func (a *app) show(id, section, form string) error {
	h, stale, err := a.service.LoadFresh(a.ctx, id)
	if err != nil {
		return err
	}
	var sections []parse.Section
	if section != "" {
		if sections = render.Sections(h, section); len(sections) == 0 {
			return a.noSection(h, section)
		}
	}
	switch {
	case form == "json" || form == "jsonl":
		return render.HandoffJSON(a.out, h, render.Extras{Stale: stale, Sections: sections})
	case section != "":
		return render.SectionText(a.out, sections, a.options())
	}
	return render.Handoff(a.out, h, a.options())
}

// noSection returns the error for a section that handoff h lacks: errNone if name is a kind
// of section, else an error that names the sections it has.
func (a *app) noSection(h *index.Handoff, name string) error {
	names := strings.Join(render.SectionNames(h), ", ")
	if names == "" {
		names = "none"
	}
	if !render.IsKind(name) {
		return render.WithHint(fmt.Errorf("%s has no section %q", h.ID, name), "its sections: "+names)
	}
	a.say(fmt.Sprintf("%s has no section %q; its sections: %s", h.ID, name, names))
	return errNone
}

// showWhy writes the evidence for the facts, sections and states of a handoff, from its
// file as it is now.
func (a *app) showWhy(h *index.Summary, form string) error {
	in := index.Inspector{Now: a.env.Now(), Zone: a.env.Zone}
	d, err := in.Explain(h)
	if err != nil {
		return err
	}
	why := render.EvidenceOf(h, d)
	if form != "json" && form != "jsonl" {
		return render.EvidenceText(a.out, why, a.options())
	}
	whole, stale, err := a.service.LoadFresh(a.ctx, h.ID)
	if err != nil {
		return err
	}
	return render.HandoffJSON(a.out, whole, render.Extras{Stale: stale, Why: why})
}

// history lists the versions of the file that contains the handoff with an id.
func (a *app) history(id, form string) error {
	versions, err := a.service.Versions(a.ctx, id)
	if err != nil {
		return err
	}
	switch form {
	case "json", "jsonl":
		return render.VersionsJSON(a.out, versions)
	case "paths", "ids", "null":
		list := make([]index.Summary, len(versions))
		for i, v := range versions {
			list[i] = v.Summary
		}
		return a.records(rowsOf(list...), form, nil)
	}
	return render.Versions(a.out, versions, form == "plain", a.options())
}

// raw writes the text of a file, on a terminal with control characters made visible.
func (a *app) raw(path string) error {
	text, err := readText(path)
	if err != nil {
		return err
	}
	if a.env.Stdout.IsTerminal() && render.Clean(string(text)) != string(text) {
		a.note("control characters are made visible; a file or pipe gets the exact bytes")
	}
	return a.writeText(string(text))
}

// latestCmd is the command that shows the newest handoff of a project.
type latestCmd struct {
	Dir      string `arg:"" optional:"" help:"The name of a project, or a folder of it (default: the working folder)."`
	Project  string `help:"The project; the same as the argument." placeholder:"NAME"`
	PathOnly bool   `name:"path" help:"Print only the path of the handoff."`
	Section  string `help:"Show only the sections of KIND (next, risks, ...) or with that heading." placeholder:"KIND"`
}

// Run shows the newest handoff of the named project, or of the working folder's. It notes a
// newer one of another member.
func (c *latestCmd) Run(a *app) error {
	form := a.flags.asked()
	if c.Project != "" && c.Dir != "" {
		return errors.New("name one project: --project " + c.Project + " or " + c.Dir)
	}
	c.Dir += c.Project
	found, err := a.latestOf(c.Dir)
	if err != nil {
		return err
	}
	if err := a.warnStale(); err != nil {
		return err
	}
	if len(found) == 0 {
		return a.noLatest(c.Dir)
	}
	if h := a.service.NewerOfOthers(found); h != nil {
		o := a.options()
		at := o.Date(h.Date, h.DatePrecision)
		a.note("newer, by " + h.Member + ": " + render.ShortID(h.ID) + " " + at + " " + render.Title(*h))
	}
	if c.PathOnly {
		form = "paths"
	}
	if form == "paths" || form == "ids" || form == "null" {
		return a.records(rowsOf(found[0]), form, nil)
	}
	return a.show(found[0].ID, c.Section, form)
}

// noLatest returns the error for a folder or project without handoffs: errNone for a
// folder, else an error with similar names of projects.
func (a *app) noLatest(name string) error {
	if dir, err := a.env.Folder(name); err == nil {
		a.say("no handoff of the project of " + dir + " is indexed; handex status lists the projects")
		return errNone
	}
	near, err := a.service.ProjectsLike(a.ctx, name)
	if err != nil {
		return err
	}
	return service.WithNames(fmt.Errorf("no folder or project is named %q", name), near,
		"handex values project lists the projects")
}

// whyCmd is the command that shows whether a file is indexed, and why.
type whyCmd struct {
	File string `arg:"" name:"path" help:"The file or folder. A missing file is judged by its name."`
}

// Run writes whether the file is indexed, as what, and which rule decides that. It returns
// errNone if it is not indexed.
func (c *whyCmd) Run(a *app) error {
	form := a.flags.asked()
	verdict, err := a.service.Judge(a.ctx, a.env.Absolute(c.File))
	if err != nil {
		return err
	}
	if form != "" {
		err = render.JSON(a.out, verdict)
	} else {
		err = render.Why(a.out, verdict, a.options())
	}
	return orNone(err, verdict.Indexed)
}
