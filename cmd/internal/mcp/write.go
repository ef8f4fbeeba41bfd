package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

var dryParam = param{name: "dry_run", kind: "boolean", doc: "show what would change, and change nothing", example: true}

var writeTool = tool{
	name: "write", title: "Write a handoff", effect: changes,
	call: (*server).write, result: written{},
	doc: "Save a valid handoff in the place of its format. One that breaks a rule of the format is refused, and " +
		"nothing changes. Omitted values (project, branch, commit, changed files, time) are filled in.",
	params: []param{
		{name: "format", required: true, doc: "flow-guardian, company, claude-suite, act, ...", example: "act"},
		{
			name: "document", kind: "object", doc: "title, sections (by kind, each a string or a list of items: goal, done, " +
				"next, gotchas, decisions, ...), files, work_items, and any field: status, branch, to, session, " +
				"...", required: true,
			example: map[string]any{"title": "Login repaired", "sections": map[string]any{
				"done": "the test passes",
				"next": []string{"release it"},
			}},
		},
		projectParam, dryParam,
	},
}

var updateTool = tool{
	name: "update", title: "Update the project's handoff", effect: changes,
	call: (*server).update, result: written{},
	doc: "Set keys of .flow-guardian/handoff.yaml, which is created if needed: goal, status (in_progress, completed, " +
		"blocked), now, hypothesis, outcome, files, ... Other keys do not change.",
	params: []param{
		{
			name: "keys", kind: "object", doc: "values by key: a string, a list of strings, or null to remove the key",
			required: true, example: map[string]any{"now": "Debugging token expiry", "status": "in_progress"},
		},
		projectParam, dryParam,
	},
}

var ackTool = tool{
	name: "ack", title: "Acknowledge handoffs", effect: adds,
	call: (*server).ack, result: acked{},
	doc: "Record that a human has dealt with handoffs, which closes their escalations. Only if a human said so.",
	params: []param{
		{name: "ids", kind: "array", doc: "ids", required: true, example: []string{"h_785bd11e7439"}},
		{name: "note", doc: "what was done, in one line", example: "key rotated"},
	},
}

// written is the result of write and update.
type written struct {
	Path    string   `json:"path"`
	Written bool     `json:"written"`
	Diff    string   `json:"quote_diff,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Prompt  string   `json:"quote_prompt_for_receiver,omitempty"`
	page
}

// write creates a handoff in a format and saves it. A handoff that breaks a rule of the
// format is an error.
func (s *server) write(ctx context.Context, svc *service.Service, a args) (answer, error) {
	if err := service.MustBeOneOf("format", a.text("format"), author.WritableNames()); err != nil {
		return nil, err
	}
	draft := author.NewDraft(a.text("format"))
	if err := draft.ReadDocument(arg[json.RawMessage](a, "document")); err != nil {
		return nil, err
	}
	folder, err := s.folder(ctx, svc, cmp.Or(a.text("project"), draft.Hook.Cwd))
	if err != nil {
		return nil, err
	}
	var notes []string
	h, err := s.author(svc, &notes).Compose(ctx, draft, folder, author.Options{})
	if err != nil {
		return nil, err
	}
	if err := h.Check(); err != nil {
		return nil, err
	}
	dry := a.flag("dry_run")
	change, err := h.Save(ctx, dry)
	if err != nil {
		return nil, err
	}
	if dry {
		return s.change(change, dry, s.notes(svc, notes...)), nil
	}
	lost := render.Each(h.Lost, func(l write.Loss) string { return l.What + ": " + l.Kept })
	problems := render.Each(h.Doc.Problems, func(p parse.Problem) string { return p.Message })
	q := s.quoter()
	out := written{Path: q.line(h.Path, longestPath), Written: true, Prompt: q.text(h.Prompt())}
	out.Removed = q.lines(h.Removed, len(h.Removed), longestPath)
	return out.cutToSize(q, lost, problems, s.notes(svc, notes...)), nil
}

// update sets keys of the project's handoff in YAML.
func (s *server) update(ctx context.Context, svc *service.Service, a args) (answer, error) {
	var keys author.Keys
	hook, err := keys.ReadDocument(arg[json.RawMessage](a, "keys"))
	if err != nil {
		return nil, err
	}
	folder, err := s.folder(ctx, svc, cmp.Or(a.text("project"), hook.Cwd))
	if err != nil {
		return nil, err
	}
	var notes []string
	change, err := s.author(svc, &notes).Update(ctx, folder, keys, hook.Session, a.flag("dry_run"))
	if err != nil {
		return nil, err
	}
	return s.change(change, a.flag("dry_run"), s.notes(svc, notes...)), nil
}

// author returns what creates and changes handoffs. Its notes are appended to notes.
func (s *server) author(svc *service.Service, notes *[]string) author.Env {
	return s.opt.Author(svc, func(text string) {
		*notes = append(*notes, strings.TrimPrefix(render.Line(text), "note: "))
	})
}

// longestPath is the maximum length of a path in an answer, in characters.
const longestPath = 300

// change returns an answer with the diff of a file. With dry, the change was not written.
func (s *server) change(c save.Change, dry bool, notes []string) written {
	q := s.quoter()
	diff := render.Change(c.Path, c.Old, c.New)
	return written{Path: q.line(c.Path, longestPath), Written: !dry, Diff: q.text(diff)}.cutToSize(q, notes)
}

// cutToSize returns the answer with notes, and with its long texts cut until it fits
// smallAnswer.
func (o written) cutToSize(q *quoter, notes ...[]string) written {
	o.page = page{Masked: q.masked, Notes: q.notes(notes...)}
	for n := smallAnswer / 2; size(o) > smallAnswer && n > leastPage/2; n = n * 4 / 5 {
		o.Diff, o.Prompt = clip(o.Diff, n), clip(o.Prompt, n)
		o.Removed = o.Removed[:min(len(o.Removed), 3)]
		o.Cut = "this result is cut; the file has the whole text"
	}
	return o
}

// write writes the answer as text.
func (o written) write(b *strings.Builder) {
	if o.Written {
		b.WriteString("written " + bar + o.Path + "\n")
	} else {
		b.WriteString("would be written " + bar + o.Path + "\n")
	}
	for _, text := range compact(o.Diff, o.Prompt) {
		b.WriteString(barred(text))
	}
	for _, path := range o.Removed {
		b.WriteString("removed, to make room " + bar + path + "\n")
	}
}

// acked is the result of ack: a line for each handoff.
type acked struct {
	Done []string `json:"quote_done"`
	page
}

// ack acknowledges the handoffs with the ids.
func (s *server) ack(ctx context.Context, svc *service.Service, a args) (answer, error) {
	done, err := svc.Ack(ctx, arg[[]string](a, "ids"), a.text("note"), false)
	if err != nil {
		return nil, err
	}
	said := s.notes(svc, append(done.Held, done.Changed...)...)
	return acked{Done: append([]string{}, s.quoter().lines(said, fewHits, longestTitle)...)}, nil
}

// write writes the lines as text.
func (o acked) write(b *strings.Builder) { b.WriteString(barred(strings.Join(o.Done, "\n"))) }
