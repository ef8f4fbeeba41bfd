package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/author"
	"handex/cmd/internal/brief"
	"handex/cmd/internal/mcp"
	"handex/cmd/internal/render"
	reports "handex/cmd/internal/report"
	"handex/index"
	"handex/query"
)

// serving answers the calls of a server, each by a run of its own: that opens the
// index, brings it up to date, mends it where it is damaged and closes it, so
// that nothing has to outlive whatever becomes of the index between calls.
type serving struct {
	*app
	keepSecrets bool
	turn        chan struct{} // one run at a time: they would wait for each other at the index
}

func newServing(a *app, keepSecrets bool) *serving {
	return &serving{a, keepSecrets, make(chan struct{}, 1)}
}

// run does one thing as a run of the command line would. What that would say on
// the standard error are the notes.
func (s *serving) run(ctx context.Context, do func(*app) error) (notes []string, err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	flags := *s.flags
	flags.Quiet, flags.NoPager = false, true
	var said bytes.Buffer
	r := &app{ctx: ctx, env: s.env, flags: &flags}
	r.env.Stdin, r.env.Stdout, r.env.Stderr = strings.NewReader(""), Stream{Writer: io.Discard}, Stream{Writer: &said}
	r.out = r.newPager()
	err = r.whole(func() error { return do(r) })
	if err = errors.Join(err, r.close()); err != nil {
		return nil, errors.New(plainly(err))
	}
	for line := range strings.Lines(said.String()) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "handex: ")
		s.say(line)
		notes = append(notes, strings.TrimPrefix(line, "note: "))
	}
	return notes, nil
}

// plainly is an error as people are told it, without who tells it. Of handoffs it
// names, what they say is marked.
func plainly(err error) string {
	if several, ok := errors.AsType[*index.AmbiguousError](err); ok {
		lines := []string{err.Error()}
		for _, c := range several.Candidates[:min(len(several.Candidates), 5)] {
			lines = append(lines, "  "+c.ID+" "+c.Date.Format(time.DateOnly)+" │ "+c.Project+": "+render.Title(c))
		}
		return strings.Join(lines, "\n")
	}
	// A flag that is named is a parameter here.
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(told(err), "\n"), "handex: "), "--")
}

// Search answers a query.
func (s *serving) Search(ctx context.Context, q mcp.Query) (answer *render.Answer, notes []string, err error) {
	notes, err = s.run(ctx, func(r *app) error {
		r.flags.JSON = true // which has snippets
		found, err := r.ask(q.Text, paged(q))
		if err == nil {
			answer = &found
			r.warn(found.Result.Stale)
		}
		return err
	})
	return answer, notes, err
}

// paged reads a query whose paging and form are decided elsewhere.
func paged(q mcp.Query) reader {
	return func(text string, env query.Env) (*query.Query, error) {
		read := query.Find
		if q.Exact {
			read = query.Parse
		}
		env.Refuse = func(directive string) string {
			switch directive {
			case "limit":
				return "has no place here: give the parameter limit"
			case "offset":
				return "has no place here: give the parameter cursor"
			case "select", "group-by", "facets":
				return "has no place here, where each answer has one form; count-by: counts"
			}
			return ""
		}
		parsed, err := read(text, env)
		if err == nil {
			parsed.Limit, parsed.Offset = q.Limit, q.Offset
			if parsed.CountBy != nil {
				parsed.Limit, parsed.Offset = 0, 0
			}
		}
		return parsed, err
	}
}

// Show answers a handoff.
func (s *serving) Show(ctx context.Context, ref, section string) (shown *mcp.Shown, notes []string, err error) {
	notes, err = s.run(ctx, func(r *app) error {
		st, err := r.open()
		if err != nil {
			return err
		}
		found, err := st.Find(ctx, ref, r.env.WorkDir)
		if err != nil {
			return err
		}
		if err := r.warnStale(); err != nil {
			return err
		}
		one := newest(found)
		if len(found) > 1 {
			r.note(fmt.Sprintf("%d handoffs are in that file; this is the newest; search path:%s finds all", len(found), filepath.Base(one.Path)))
		}
		shown, err = r.handed(one, section)
		return err
	})
	return shown, notes, err
}

func (a *app) handed(one index.Summary, section string) (*mcp.Shown, error) {
	h, err := a.store.Load(a.ctx, one.ID)
	if err != nil {
		return nil, err
	}
	out := &mcp.Shown{Handoff: h}
	if section != "" {
		if out.Sections = render.Sections(h, section); len(out.Sections) == 0 {
			return nil, hinted{fmt.Errorf("%s has no section %q", h.ID, section), "its sections: " + strings.Join(render.SectionNames(h), ", ")}
		}
	}
	if index.Foreign(a.ctx, []index.Summary{h.Summary}, a.env.Getenv)[h.ID] {
		trusted := false
		if filepath.IsAbs(h.Root) {
			trusted, err = a.trusts(h.Root)
		}
		out.Foreign = !trusted
	}
	return out, err
}

// Latest answers the latest handoffs of a project.
func (s *serving) Latest(ctx context.Context, dir string) (list []index.Summary, notes []string, err error) {
	notes, err = s.run(ctx, func(r *app) error {
		folder, err := r.env.folder(dir)
		if err != nil {
			return err
		}
		if list, err = r.latest(folder); err != nil {
			return err
		}
		if len(list) == 0 {
			r.note("no handoff of the project of " + folder + " is known; without dir all projects are listed")
		}
		return r.warnStale()
	})
	return list, notes, err
}

// Brief answers what a briefing can tell.
func (s *serving) Brief(ctx context.Context, dir string) (facts *brief.Facts, notes []string, err error) {
	notes, err = s.run(ctx, func(r *app) error { //nolint:contextcheck // a run holds its context
		form, _ := brief.FindAgent("plain")
		facts, err = (&briefCmd{}).gather(r, form, dir)
		return err
	})
	return facts, notes, err
}

// Escalations answers handoffs with their acknowledgements.
func (s *serving) Escalations(ctx context.Context, q mcp.Query) (found *mcp.Escalations, notes []string, err error) {
	notes, err = s.run(ctx, func(r *app) error {
		r.flags.IDs = true // which has no snippets
		answer, err := r.ask(q.Text, paged(q))
		if err != nil {
			return err
		}
		found = &mcp.Escalations{Total: answer.Result.Total, Acks: map[string]mcp.Ack{}}
		for _, hit := range answer.Result.Hits {
			h, err := r.store.Load(ctx, hit.ID)
			if err != nil {
				return err
			}
			found.Handoffs = append(found.Handoffs, h)
		}
		r.tell(answer)
		for _, s := range answer.Suggestions {
			if s.Replace != "" {
				r.note(s.Text)
			}
		}
		return r.addAcks(found)
	})
	return found, notes, err
}

// addAcks adds what was acknowledged of the handoffs: of several times that of the
// present text, or else the last.
func (a *app) addAcks(found *mcp.Escalations) error {
	held, err := a.holdingAcks()
	if err != nil {
		return err
	}
	for _, h := range found.Handoffs {
		for _, e := range held {
			if was, ok := found.Acks[h.ID]; e.ID == h.ID && (!ok || was.Void) {
				if void := e.Digest != h.Digest; !ok || !void {
					found.Acks[h.ID] = mcp.Ack{At: e.At, Note: e.Note, Void: void}
				}
			}
		}
	}
	return nil
}

// Report answers a report.
func (s *serving) Report(ctx context.Context, ask mcp.ReportAsk) (made *reports.Report, notes []string, err error) {
	notes, err = s.run(ctx, func(r *app) error {
		own, err := r.env.ownReports()
		if err != nil {
			return err
		}
		name := cmp.Or(ask.Name, kindNames()[0])
		if known := append(kindNames(), own...); !slices.Contains(known, name) {
			return mustKnow("name", name, known)
		}
		c := &reportCmd{Words: []string{name, ask.Query}, Since: ask.Since, Until: ask.Until, By: ask.By, NoRedact: s.keepSecrets}
		o, err := c.options(r)
		if err != nil {
			return err
		}
		if made, err = r.buildReport(o); err != nil {
			return err
		}
		return r.warnStale()
	})
	return made, notes, err
}

// Write saves a handoff.
func (s *serving) Write(ctx context.Context, format, dir string, document json.RawMessage, dryRun bool) (*mcp.Change, []string, error) {
	if err := mustKnow("format", format, author.WritableNames()); err != nil {
		return nil, nil, errors.New(plainly(err))
	}
	return s.change(ctx, document, (&writeCmd{As: format, Document: "-", Dir: dir, Save: true, DryRun: dryRun}).Run)
}

// Update sets keys.
func (s *serving) Update(ctx context.Context, dir string, keys json.RawMessage, dryRun bool) (*mcp.Change, []string, error) {
	return s.change(ctx, keys, (&updateCmd{Pairs: []string{"-"}, Dir: dir, DryRun: dryRun}).Run)
}

// change runs a command that writes a handoff from a document.
func (s *serving) change(ctx context.Context, document json.RawMessage, command func(*app) error) (*mcp.Change, []string, error) {
	var said struct {
		Path, Diff, Prompt string
		Removed            []string
		Losses             []struct{ What, Kept string }
		Problems           []struct{ Message string }
	}
	notes, err := s.run(ctx, func(r *app) error {
		var answer bytes.Buffer
		r.flags.JSON = true
		r.env.Stdin, r.env.Stdout.Writer = bytes.NewReader(document), &answer
		if err := command(r); err != nil {
			return err
		}
		return json.Unmarshal(answer.Bytes(), &said)
	})
	if err != nil {
		return nil, nil, err
	}
	done := &mcp.Change{Path: said.Path, Diff: said.Diff, Removed: said.Removed, Prompt: said.Prompt}
	for _, l := range said.Losses {
		done.Notes = append(done.Notes, l.What+": "+l.Kept)
	}
	for _, p := range said.Problems {
		done.Notes = append(done.Notes, p.Message)
	}
	return done, notes, nil
}

// Ack acknowledges handoffs. What was done is in the notes.
func (s *serving) Ack(ctx context.Context, refs []string, note string) ([]string, error) {
	return s.run(ctx, (&ackCmd{Refs: refs, Note: note}).Run)
}
