package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"handex/cmd/internal/render"
	"handex/cmd/internal/serve"
	"handex/index"
	"handex/query"
)

// Search answers a query, with the facets and as many hits as are asked for.
func (b *backend) Search(ctx context.Context, question serve.Question) (render.Answer, error) {
	generation, now := b.Generation(), b.Now()
	if answer, ok := b.found.find(generation, now, question); ok {
		return answer, nil
	}
	// Who asks the same meanwhile waits for the one answer, which outlives who asked first.
	found, err, _ := b.asked.Do(fmt.Sprintf("%d %+v", generation, question), func() (any, error) {
		answer, err := b.search(context.WithoutCancel(ctx), question)
		if err == nil {
			b.found.put(generation, now, question, answer)
		}
		return answer, err
	})
	answer, _ := found.(render.Answer)
	return answer, err
}

func (b *backend) search(ctx context.Context, question serve.Question) (answer render.Answer, err error) {
	err = b.answer(ctx, func(a *app) error {
		q, err := a.read(question.Text, query.Parse)
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
		if answer, err = a.found(q); err != nil {
			return err
		}
		return a.fill(answer.Rows, append(answer.Select, answer.GroupBy...)...)
	})
	return answer, err
}

// Values counts the values of a field.
func (b *backend) Values(ctx context.Context, field, text string) (render.Answer, error) {
	var answer render.Answer
	if err := checkField(field); err != nil {
		return answer, &serve.Error{Code: "usage", Text: told(err), Wire: failure{report(err)}, Err: err}
	}
	err := b.answer(ctx, func(a *app) (err error) {
		answer, err = a.valuesOf(field, text)
		return err
	})
	return answer, err
}

// Handoff answers the handoff that a reference names: of a file of several the
// newest.
func (b *backend) Handoff(ctx context.Context, ref string) (h *index.Handoff, stale string, err error) {
	err = b.answer(ctx, func(a *app) error {
		found, err := a.store.Find(ctx, ref, a.env.WorkDir)
		if err != nil {
			return err
		}
		h, stale, err = a.readWhole(newest(found).ID)
		return err
	})
	return h, stale, err
}

// readWhole reads a handoff, and why what is known of it is from before.
func (a *app) readWhole(id string) (*index.Handoff, string, error) {
	h, err := a.store.Load(a.ctx, id)
	if err != nil {
		return nil, "", err
	}
	stale, err := a.staleness(h.Path)
	return h, stale, err
}

// Latest answers the newest handoff of a folder's project.
func (b *backend) Latest(ctx context.Context, dir string) (h *index.Handoff, stale string, err error) {
	err = b.answer(ctx, func(a *app) error {
		folder, err := a.env.folder(dir)
		if err != nil {
			return err
		}
		found, err := a.store.Latest(ctx, folder)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return &index.NotFoundError{Ref: folder}
		}
		h, stale, err = a.readWhole(found[0].ID)
		return err
	})
	return h, stale, err
}

// Status answers what is indexed.
func (b *backend) Status(ctx context.Context) (status *index.Status, err error) {
	err = b.answer(ctx, func(a *app) (err error) {
		status, err = a.status()
		return err
	})
	return status, err
}

// Around answers what stands beside a handoff.
func (b *backend) Around(ctx context.Context, h *index.Handoff) (around serve.Around, err error) {
	err = b.answer(ctx, func(a *app) (err error) {
		if around.Versions, err = a.store.Versions(ctx, h.ID); err != nil {
			return err
		}
		if around.Newer, around.Older, err = a.store.Neighbours(ctx, h.ID); err != nil {
			return err
		}
		held, err := a.holdingAcks()
		for _, e := range held {
			if e.Target == target(h.Summary) {
				around.Acked, around.Note = e.At, e.Note
			}
		}
		return err
	})
	return around, err
}

// Raw answers the begin of a handoff's file, and how much follows.
func (b *backend) Raw(ctx context.Context, h *index.Handoff, most int) (text string, left int, err error) {
	err = b.answer(ctx, func(*app) error {
		text, left, err = beginningOf(h.Path, most)
		return err
	})
	return text, left, err
}

func beginningOf(path string, most int) (text string, left int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s is not a regular file any more", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	raw, err := io.ReadAll(io.LimitReader(f, int64(most)))
	return string(raw), max(int(info.Size())-len(raw), 0), errors.Join(err, f.Close())
}

// Ack acknowledges a handoff, or takes back what was acknowledged of it.
func (b *backend) Ack(ctx context.Context, id, note string, undo bool) error {
	b.acking.Lock()
	defer b.acking.Unlock()
	defer func() {
		b.generation.Add(1)
		b.made.forget()
	}()
	return b.answer(ctx, func(a *app) error {
		if undo {
			err := (&unackCmd{Refs: []string{id}}).Run(a)
			if errors.Is(err, errNone) {
				return nil // somebody else has taken it back
			}
			return err
		}
		return (&ackCmd{Refs: []string{id}, Note: note}).Run(a)
	})
}
