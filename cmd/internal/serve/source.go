package serve

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/cmd/internal/service"
	"handex/index"
	"handex/query"
)

// source is the Backend of an index that is kept current.
type source struct {
	*service.Live
	keepSecrets bool
	cache       *cache
	reporting   sync.Mutex // one report is made at a time: it takes the index for long
}

// NewBackend returns the Backend of an index. ctx ends what is made without anybody
// waiting for it.
func NewBackend(ctx context.Context, live *service.Live, keepSecrets bool) Backend {
	return &source{Live: live, keepSecrets: keepSecrets, cache: newCache(ctx, live.Now, live.Generation)}
}

// answer runs an operation on what is now known.
func (s *source) answer(ctx context.Context, operation func(*service.View) error) error {
	return asError(s.Do(ctx, operation))
}

// asError has an error told as the command line does.
func asError(err error) error {
	if err == nil {
		return nil
	}
	fault := &Error{Err: err, Code: service.Code(err), Text: service.Format(err), Wire: service.NewFailure(err)}
	if bad, ok := errors.AsType[*service.QueryError](err); ok {
		fault.Code, fault.Query, fault.Errors = bad.Faults[0].Code, bad.Text, bad.Faults
	}
	if many, ok := errors.AsType[*report.ManyProjectsError](err); ok {
		for _, project := range many.Projects {
			if value, ok := service.WriteValue("project", project); ok {
				fault.Choices = append(fault.Choices, "project:"+value)
			}
		}
	}
	return fault
}

// Search answers a query, with the facets and as many hits as are asked for.
func (s *source) Search(_ context.Context, question Question) (render.Answer, error) {
	found, err := s.cache.get(question, 0, func(ctx context.Context) (any, error) {
		var answer render.Answer
		err := s.answer(ctx, func(v *service.View) error {
			q, err := v.ParseQuery(question.Text, nil, query.Parse)
			if err != nil {
				return err
			}
			q.Offset += question.Offset
			if !q.HasLimit() && question.Most > 0 {
				q.Limit = question.Most
			}
			if q.CountBy == nil && q.Facets == nil && question.Facets != "" {
				q.Facets = strings.Split(question.Facets, ",")
			}
			if answer, err = v.Search(ctx, q, service.SearchOptions{}); err != nil {
				return err
			}
			return v.Fill(ctx, answer.Rows, append(answer.Select, answer.GroupBy...)...)
		})
		return answer, err
	})
	answer, _ := found.value.(render.Answer)
	return answer, err
}

// Values counts the values of a field.
func (s *source) Values(ctx context.Context, field, text string) (answer render.Answer, err error) {
	if err := service.CheckField(field); err != nil {
		return answer, &Error{Code: "usage", Text: service.Format(err), Wire: service.NewFailure(err), Err: err}
	}
	err = s.answer(ctx, func(v *service.View) error {
		q, err := v.ParseQuery(strings.TrimSpace(text+" count-by:"+field), nil, query.Parse)
		if err != nil {
			return err
		}
		if answer, err = v.Search(ctx, q, service.SearchOptions{}); err == nil {
			service.DropEmpty(&answer)
		}
		return err
	})
	return answer, err
}

// Handoff returns the handoff that a reference names: of a file of several the newest.
func (s *source) Handoff(ctx context.Context, ref string) (h *index.Handoff, stale string, err error) {
	err = s.answer(ctx, func(v *service.View) error {
		found, err := v.Newest(ctx, ref)
		if err == nil {
			h, stale, err = v.LoadFresh(ctx, found.ID)
		}
		return err
	})
	return h, stale, err
}

// Latest returns the newest handoff of a folder's project.
func (s *source) Latest(ctx context.Context, dir string) (h *index.Handoff, stale string, err error) {
	err = s.answer(ctx, func(v *service.View) error {
		folder, err := v.Folder(dir)
		if err != nil {
			return err
		}
		found, err := v.LatestIndexed(ctx, folder)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return &index.NotFoundError{Ref: folder}
		}
		h, stale, err = v.LoadFresh(ctx, found[0].ID)
		return err
	})
	return h, stale, err
}

// Status returns what is indexed.
func (s *source) Status(ctx context.Context) (status *index.Status, err error) {
	err = s.answer(ctx, func(v *service.View) (err error) {
		status, err = v.Status(ctx)
		return err
	})
	return status, err
}

// Around returns what stands beside a handoff.
func (s *source) Around(ctx context.Context, h *index.Handoff) (around Around, err error) {
	err = s.answer(ctx, func(v *service.View) error {
		var err error
		if around.Versions, err = v.Versions(ctx, h.ID); err != nil {
			return err
		}
		if around.Newer, around.Older, err = v.Neighbours(ctx, h.ID); err != nil {
			return err
		}
		ack, err := v.AckOf(h.Summary)
		if ack != nil {
			around.Acked, around.Note = ack.At, ack.Note
		}
		return err
	})
	return around, err
}

// Raw returns the beginning of a handoff's file, and how much follows.
func (*source) Raw(_ context.Context, h *index.Handoff, most int) (text string, left int, err error) {
	text, left, err = service.Beginning(h.Path, most)
	return text, left, asError(err)
}

// Ack acknowledges a handoff, or takes back what was acknowledged of it.
func (s *source) Ack(ctx context.Context, id, note string, undo bool) error {
	defer s.cache.forget()
	return asError(s.Live.Ack(ctx, id, note, undo))
}

// Reports returns the names of the reports there are, ours and then the user's.
func (s *source) Reports() []string {
	names, err := s.ReportNames()
	if err != nil {
		return service.OurReports() // what is wrong with the folder is told by the command line
	}
	return names
}

// reportAge is how long a report is shown that the index has gone on from: the time
// it was made is on it.
const reportAge = 5 * time.Minute

// Report returns a report, and what is told of the index beside it.
func (s *source) Report(_ context.Context, q ReportQuestion) (Made, error) {
	maxAge := reportAge
	if q.Fresh {
		maxAge = 0
	}
	q.Fresh = false
	found, err := s.cache.get(q, maxAge, func(ctx context.Context) (any, error) {
		s.reporting.Lock()
		defer s.reporting.Unlock()
		return s.makeReport(ctx, q)
	})
	made, _ := found.value.(Made)
	made.Generation, made.At = found.generation, found.at
	return made, err
}

func (s *source) makeReport(ctx context.Context, q ReportQuestion) (made Made, err error) {
	err = s.answer(ctx, func(v *service.View) error {
		if !slices.Contains(s.Reports(), q.Name) {
			return &index.NotFoundError{Ref: q.Name}
		}
		o, err := v.ReportOptions(service.ReportQuestion{Name: q.Name, Query: q.Text, Week: q.Week, KeepSecrets: s.keepSecrets})
		if err != nil {
			return err
		}
		if made.Report, err = v.Report(ctx, o); err != nil {
			return err
		}
		made.Beside, err = v.ReportAnswer(ctx, made.Report, o)
		return err
	})
	return made, err
}

// A completion is a query that completes a word.
type completion string

// Complete completes the last word of a query as the command line does.
func (s *source) Complete(ctx context.Context, before string) (word string, list []query.Candidate, err error) {
	word = lastWord(before)
	if word == "" {
		return word, nil, nil
	}
	err = s.Do(ctx, func(v *service.View) error {
		settings, err := v.Settings()
		if err != nil {
			return err
		}
		ask := func(q *query.Query) *index.Result {
			found, err := s.cache.get(completion(q.Canonical()), 0, func(context.Context) (any, error) { return v.Hits(ctx, q, nil, false) })
			result, ok := found.value.(*index.Result)
			if err != nil || !ok {
				return &index.Result{}
			}
			return result
		}
		list = service.Completer{Queries: settings.SavedQueries(), Ask: ask}.Word(word)
		return nil
	})
	return word, list, err
}

// lastWord is the word of a query at its end; a quoted text is one word with what
// stands before it.
func lastWord(before string) string {
	quoted, start := false, 0
	for i, c := range before {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '('):
			start = i + 1
		}
	}
	return before[start:]
}
