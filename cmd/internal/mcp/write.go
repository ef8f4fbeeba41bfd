package mcp

import (
	"context"
	"encoding/json"
	"strings"
)

var (
	dirParam = param{name: "dir", kind: "string", doc: "a folder of the project; left out: the one this server runs in", example: "/home/me/shop"}
	dryParam = param{name: "dry_run", kind: "boolean", doc: "show what would change, and change nothing", example: true}
)

var writeTool = tool{
	name: "write", title: "Write a handoff", effect: changes,
	doc: "Save a valid handoff where its format wants it. One that breaks a rule of the format is refused, and nothing is changed. " +
		"What is not given (project, branch, commit, changed files, time) is filled in.",
	params: []param{
		{name: "format", kind: "string", doc: "flow-guardian, company, claude-suite, act, ...", required: true, example: "act"},
		{
			name: "document", kind: "object", doc: "title, sections (texts by kind: goal, done, next, gotchas, decisions, ...), files, work_items, and any field: status, branch, to, session, ...", required: true,
			example: map[string]any{"title": "Login repaired", "sections": map[string]string{"done": "- the test passes", "next": "- release it"}},
		},
		dirParam, dryParam,
	},
}

var updateTool = tool{
	name: "update", title: "Update the project's handoff", effect: changes,
	doc: "Set keys of .flow-guardian/handoff.yaml, which is made if need be: goal, status (in_progress, completed, blocked), now, hypothesis, outcome, files, ... Its other keys stay.",
	params: []param{
		{name: "keys", kind: "object", doc: "values by key: a text, a list of texts, or null to remove", required: true, example: map[string]any{"now": "Debugging token expiry", "status": "in_progress"}},
		dirParam, dryParam,
	},
}

var ackTool = tool{
	name: "ack", title: "Acknowledge handoffs", effect: adds,
	doc: "Say that a human has seen to handoffs, which closes their escalations. Only when a human said so.",
	params: []param{
		{name: "ids", kind: "array", doc: "ids", required: true, example: []string{"h_785bd11e7439"}},
		{name: "note", kind: "string", doc: "what was done, in one line", example: "key rotated"},
	},
}

// written is the answer of write and update.
type written struct {
	Path    string   `json:"path"`
	Written bool     `json:"written"`
	Diff    string   `json:"quote_diff,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Prompt  string   `json:"quote_prompt_for_receiver,omitempty"`
	page
}

func (s *server) write(ctx context.Context, a args) (written, error) {
	done, notes, err := s.source.Write(ctx, a.text("format"), a.text("dir"), arg[json.RawMessage](a, "document"), a.flag("dry_run"))
	if err != nil {
		return written{}, err
	}
	return s.written(done, a.flag("dry_run"), notes), nil
}

func (s *server) update(ctx context.Context, a args) (written, error) {
	done, notes, err := s.source.Update(ctx, a.text("dir"), arg[json.RawMessage](a, "keys"), a.flag("dry_run"))
	if err != nil {
		return written{}, err
	}
	return s.written(done, a.flag("dry_run"), notes), nil
}

// written tells of a change; of long texts the beginning.
func (s *server) written(done *Change, dry bool, notes []string) written {
	q := s.quoter()
	const longestPath = 300
	out := written{Path: q.line(done.Path, longestPath), Written: !dry, Diff: q.text(done.Diff), Prompt: q.text(done.Prompt)}
	for _, path := range done.Removed {
		out.Removed = append(out.Removed, q.line(path, longestPath))
	}
	out.page = page{Masked: q.masked, Notes: q.notes(done.Notes, notes)}
	for n := usualPage; size(out) > smallAnswer && n > leastPage/2; n = n * 4 / 5 {
		out.Diff, out.Prompt = clip(out.Diff, n), clip(out.Prompt, n)
		out.Removed = out.Removed[:min(len(out.Removed), 3)]
		out.Cut = "this answer is cut; the file has the whole text"
	}
	return out
}

func (o written) text() string {
	var b strings.Builder
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
	o.page.text(&b)
	return b.String()
}

// acked is the answer of ack: what became of each.
type acked struct {
	Done []string `json:"quote_done"`
}

func (s *server) ack(ctx context.Context, a args) (acked, error) {
	said, err := s.source.Ack(ctx, arg[[]string](a, "ids"), a.text("note"))
	if err != nil {
		return acked{}, err
	}
	out, q := acked{[]string{}}, s.quoter()
	for _, line := range said[:min(len(said), fewHits)] {
		out.Done = append(out.Done, q.line(line, longestTitle))
	}
	return out, nil
}

func (o acked) text() string { return barred(strings.Join(o.Done, "\n")) }
