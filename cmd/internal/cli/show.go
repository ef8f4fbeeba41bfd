package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
)

// showCmd shows one handoff.
type showCmd struct {
	Ref     string `arg:"" name:"id|path" help:"Id, session or the beginning of one, or a path."`
	Section string `help:"Show only the sections of KIND (next, risks, ...) or under that heading." placeholder:"KIND" xor:"part"`
	Raw     bool   `help:"Write the file's bytes as they are." xor:"part"`
	History bool   `help:"List what the file said before, newest first." xor:"part"`
	Why     bool   `help:"Show what decided the date, the status, each section and the states, with the lines of the file." xor:"part"`
}

// Run finds the handoff and shows it.
func (c *showCmd) Run(a *app) error {
	forms := []string{"full", "json", "jsonl", "paths", "ids", "null"}
	if c.History {
		forms = append(forms[1:], "plain", "table")
	}
	form, err := a.form(forms...)
	if err != nil {
		return err
	}
	s, err := a.open()
	if err != nil {
		return err
	}
	found, err := s.Find(a.ctx, c.Ref, a.env.WorkDir)
	if err != nil {
		return err
	}
	if err := a.warnStale(); err != nil {
		return err
	}
	newest := newest(found)
	if len(found) > 1 && !c.Raw && !c.History {
		a.note(fmt.Sprintf("%d handoffs are in that file; this is the newest; all: handex search path:%s", len(found), filepath.Base(newest.Path)))
	}
	switch {
	case c.History:
		return a.history(newest.ID, form)
	case c.Raw:
		return a.raw(newest.Path)
	case form == "paths" || form == "ids" || form == "null":
		return a.records(render.Answer{Rows: []render.Row{{Hit: index.Hit{Summary: newest}}}}, form)
	case c.Why:
		return a.showWhy(&newest, form)
	}
	return a.show(newest.ID, c.Section, form)
}

// show writes a handoff, or those of its sections that are asked for.
func (a *app) show(id, section, form string) error {
	h, err := a.store.Load(a.ctx, id)
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
		w := render.WireHandoff(h)
		if w.Stale, err = a.staleness(h.Path); err != nil {
			return err
		}
		if section != "" {
			w.WireText = render.WireSections(sections)
		}
		return render.HandoffJSON(a.out, w)
	case section != "":
		return render.SectionText(a.out, sections)
	}
	return render.Handoff(a.out, h, a.options())
}

// showWhy writes the evidence for the facts, sections and states of a handoff, by its
// file as it is now.
func (a *app) showWhy(h *index.Summary, form string) error {
	in := index.Inspector{Now: a.env.Now(), Zone: a.env.Zone}
	d, err := in.Explain(h)
	if err != nil {
		return err
	}
	why := render.Evidence(h, d)
	if form != "json" && form != "jsonl" {
		return render.EvidenceText(a.out, why, a.options())
	}
	whole, stale, err := a.readWhole(h.ID)
	if err != nil {
		return err
	}
	w := render.WireHandoff(whole)
	w.Why, w.Stale = why, stale
	return render.HandoffJSON(a.out, w)
}

// noSection tells a name that no section can have from one that this handoff
// lacks.
func (a *app) noSection(h *index.Handoff, name string) error {
	names := strings.Join(render.SectionNames(h), ", ")
	if names == "" {
		names = "none"
	}
	if !render.IsKind(name) {
		return hinted{fmt.Errorf("%s has no section %q", h.ID, name), "its sections: " + names}
	}
	a.say(fmt.Sprintf("%s has no section %q; its sections: %s", h.ID, name, names))
	return errNone
}
