package service

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/acks"
	"handex/cmd/internal/brief"
	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/index"
	"handex/parse"
	"handex/query"
)

// Calls answers the calls of a server for agents, one after the other, each by a
// Service of its own: that opens the index, brings it up to date, repairs it where it
// is damaged and closes it, so that nothing has to outlive what becomes of the index
// between calls. Each returns notes, a line each, of what the caller should
// know beside the answer. The text of an error says what to do about it, and can have
// several lines.
type Calls struct {
	Options
	keepSecrets bool
	log         func(note string)
	turn        chan struct{} // one at a time: they would wait for each other at the index
}

// NewCalls returns the Calls of a server. log gets all notes, too.
func NewCalls(o Options, keepSecrets bool, log func(note string)) *Calls {
	return &Calls{o, keepSecrets, log, make(chan struct{}, 1)}
}

// Run answers a call.
func (c *Calls) Run(ctx context.Context, operation func(*Service) (notes []string, err error)) ([]string, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s := New(c.Options)
	var notes []string
	err := s.Do(ctx, func() bool { return true }, func() error {
		var err error
		notes, err = operation(s)
		return err
	})
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, errors.New(Plainly(err))
	}
	notes = append(s.Notes(), notes...)
	for _, note := range notes {
		c.log(note)
	}
	return notes, nil
}

// Plainly returns an error as people are told it, without the program's name. Of
// handoffs that it names, what they say is marked.
func Plainly(err error) string {
	if several, ok := errors.AsType[*index.AmbiguousError](err); ok {
		lines := []string{err.Error()}
		for _, c := range first(several.Candidates, maxCandidates) {
			lines = append(lines, "  "+c.ID+" "+c.Date.Format(time.DateOnly)+" │ "+c.Project+": "+render.Title(c))
		}
		return strings.Join(lines, "\n")
	}
	// A flag that is named is a parameter here.
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(Format(err), "\n"), "handex: "), "--")
}

// A SearchCall is what to search for. Exact reads Text by the query language, as
// search does; else it is half-remembered words, as find reads them.
type SearchCall struct {
	Text          string
	Exact         bool
	Limit, Offset int
}

// parse reads a query whose paging and form are decided elsewhere.
func (q SearchCall) parse(text string, env query.Env) (*query.Query, error) {
	parse := query.Find
	if q.Exact {
		parse = query.Parse
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
	parsed, err := parse(text, env)
	if err == nil && parsed.CountBy == nil {
		parsed.Limit, parsed.Offset = q.Limit, q.Offset
	} else if err == nil {
		parsed.Limit, parsed.Offset = 0, 0
	}
	return parsed, err
}

func (s *Service) searchCall(ctx context.Context, q SearchCall, o SearchOptions) (render.Answer, error) {
	parsed, err := s.ParseQuery(q.Text, nil, q.parse)
	if err != nil {
		return render.Answer{}, err
	}
	if err := s.Open(ctx); err != nil {
		return render.Answer{}, err
	}
	return s.Search(ctx, parsed, o)
}

// Search answers a query. Directives of paging and form are refused.
func (c *Calls) Search(ctx context.Context, q SearchCall) (answer *render.Answer, notes []string, err error) {
	notes, err = c.Run(ctx, func(s *Service) ([]string, error) {
		found, err := s.searchCall(ctx, q, SearchOptions{})
		if err != nil {
			return nil, err
		}
		answer = &found
		return s.Warnings(found.Result.Stale), nil
	})
	return answer, notes, err
}

// Shown is a handoff. Sections, if not nil, are those that were asked for.
type Shown struct {
	*index.Handoff
	Sections []parse.Section
	Foreign  bool // it came with a clone and is not trusted
}

// Show returns the handoff that ref names: an id or session, the beginning of one, or
// a path. section, if given, restricts what is returned of it.
func (c *Calls) Show(ctx context.Context, ref, section string) (shown *Shown, notes []string, err error) {
	notes, err = c.Run(ctx, func(s *Service) ([]string, error) {
		if err := s.Open(ctx); err != nil {
			return nil, err
		}
		found, err := s.Find(ctx, ref)
		if err != nil {
			return nil, err
		}
		notes, err := s.StaleWarnings(ctx)
		if err != nil {
			return nil, err
		}
		one := Newest(found)
		if len(found) > 1 {
			notes = append(notes, fmt.Sprintf("%d handoffs are in that file; this is the newest; search path:%s finds all", len(found), filepath.Base(one.Path)))
		}
		shown, err = s.shown(ctx, one.ID, section)
		return notes, err
	})
	return shown, notes, err
}

func (v *View) shown(ctx context.Context, id, section string) (*Shown, error) {
	h, err := v.store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &Shown{Handoff: h}
	if section != "" {
		if out.Sections = render.Sections(h, section); len(out.Sections) == 0 {
			return nil, WithHint(fmt.Errorf("%s has no section %q", h.ID, section), "its sections: "+strings.Join(render.SectionNames(h), ", "))
		}
	}
	if index.Foreign(ctx, []index.Summary{h.Summary}, v.opt.Getenv)[h.ID] {
		trusted := false
		if filepath.IsAbs(h.Root) {
			trusted, err = v.trusts(h.Root)
		}
		out.Foreign = !trusted
	}
	return out, err
}

// Latest returns the newest handoff of each format of the project that a folder is in,
// newest first.
func (c *Calls) Latest(ctx context.Context, dir string) (list []index.Summary, notes []string, err error) {
	notes, err = c.Run(ctx, func(s *Service) ([]string, error) {
		folder, err := s.opt.Folder(dir)
		if err != nil {
			return nil, err
		}
		if list, err = s.Latest(ctx, folder); err != nil {
			return nil, err
		}
		var notes []string
		if len(list) == 0 {
			notes = append(notes, "no handoff of the project of "+folder+" is known; without dir all projects are listed")
		}
		warnings, err := s.StaleWarnings(ctx)
		return append(notes, warnings...), err
	})
	return list, notes, err
}

// Brief returns what there is to tell of the project that a folder is in, the working
// folder if dir is empty.
func (c *Calls) Brief(ctx context.Context, dir string) (facts *brief.Facts, notes []string, err error) {
	notes, err = c.Run(ctx, func(s *Service) ([]string, error) {
		facts, err = s.Brief(ctx, dir, "")
		return nil, err
	})
	return facts, notes, err
}

// Escalations are some of Total handoffs, in the order of the query. Acks are the
// acknowledgements by the ids of handoffs: of several that of the present text, or else
// the last.
type Escalations struct {
	Total    int
	Handoffs []*index.Handoff
	Acks     map[string]acks.Event
}

// Escalations returns the handoffs that a query finds, with what was acknowledged of
// them.
func (c *Calls) Escalations(ctx context.Context, q SearchCall) (found *Escalations, notes []string, err error) {
	notes, err = c.Run(ctx, func(s *Service) ([]string, error) {
		answer, err := s.searchCall(ctx, q, SearchOptions{NoSnippets: true})
		if err != nil {
			return nil, err
		}
		found = &Escalations{Total: answer.Result.Total, Acks: map[string]acks.Event{}}
		for _, hit := range answer.Result.Hits {
			h, err := s.Load(ctx, hit.ID)
			if err != nil {
				return nil, err
			}
			found.Handoffs = append(found.Handoffs, h)
		}
		notes := slices.Concat(answer.Notes, s.Warnings(answer.Result.Stale))
		for _, suggestion := range answer.Suggestions {
			if suggestion.Replace != "" {
				notes = append(notes, suggestion.Text)
			}
		}
		return notes, s.addAcks(found)
	})
	return found, notes, err
}

func (v *View) addAcks(found *Escalations) error {
	held, err := v.holdingAcks()
	if err != nil {
		return err
	}
	for _, h := range found.Handoffs {
		for _, e := range held {
			if was, ok := found.Acks[h.ID]; e.ID == h.ID && (!ok || was.Digest != h.Digest) {
				if !ok || e.Digest == h.Digest {
					found.Acks[h.ID] = e
				}
			}
		}
	}
	return nil
}

// Report makes a report. Its texts are as package report has them.
func (c *Calls) Report(ctx context.Context, q ReportQuestion) (made *report.Report, notes []string, err error) {
	q.KeepSecrets, q.Here = c.keepSecrets, true
	notes, err = c.Run(ctx, func(s *Service) ([]string, error) {
		names, err := c.ReportNames()
		if err != nil {
			return nil, err
		}
		if q.Name == "" {
			q.Name = names[0]
		}
		if err := MustBeOneOf("name", q.Name, names); err != nil {
			return nil, err
		}
		o, err := s.ReportOptions(q)
		if err != nil {
			return nil, err
		}
		if err := s.Open(ctx); err != nil {
			return nil, err
		}
		if made, err = s.Report(ctx, o); err != nil {
			return nil, err
		}
		warnings, err := s.StaleWarnings(ctx)
		return slices.Concat(o.Query.Notes, warnings), err
	})
	return made, notes, err
}

// Ack acknowledges all of the handoffs, or none. The notes say what was done.
func (c *Calls) Ack(ctx context.Context, refs []string, note string) ([]string, error) {
	return c.Run(ctx, func(s *Service) ([]string, error) {
		done, err := s.Ack(ctx, refs, note)
		held, changed := AckLines(done, "acknowledged", c.FormatTime)
		return append(held, changed...), err
	})
}

// MustBeOneOf refuses a name that is not among some. what is what the name is given
// for.
func MustBeOneOf(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	err := fmt.Errorf("%s: %q is none of %s", what, name, strings.Join(names, ", "))
	if near := query.Suggest(name, names); len(near) > 0 {
		return WithHint(err, "did you mean "+strings.Join(near, ", ")+"?")
	}
	return err
}
