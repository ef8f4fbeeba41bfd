package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/acks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// Acked is the result of Ack.
type Acked struct {
	Held, Changed []string // lines on those that were already acknowledged, and on those that changed
	Never         []string // ids of those that had none to take back
}

// Ack acknowledges all of the handoffs that refs name, with a note, or none if one is not
// found. A handoff with a valid acknowledgement gets a new one only for another note. With
// undo it removes the acknowledgements of all texts that the handoffs ever had.
func (s *Service) Ack(ctx context.Context, refs []string, note string, undo bool) (Acked, error) {
	if err := s.Open(ctx); err != nil {
		return Acked{}, err
	}
	done, err := s.writeAck(ctx, refs, note, undo)
	if err != nil {
		return done, err
	}
	return done, s.mirrorAcks(ctx)
}

// writeAck is like Ack, but needs an open index, into which it does not copy the
// acknowledgements.
func (v *View) writeAck(ctx context.Context, refs []string, note string, undo bool) (done Acked, err error) {
	note = strings.TrimSpace(note)
	if strings.ContainsAny(note, "\r\n") {
		return done, errors.New("a note must be one line")
	}
	known, _, err := v.readAcks()
	if err != nil {
		return done, err
	}
	held := acks.Holding(known)
	var ids []string
	var events []acks.Event
	for _, ref := range refs {
		found, err := v.Find(ctx, ref)
		if err != nil {
			return done, err
		}
		h, err := Single(found, ref)
		if err != nil {
			return done, err
		}
		if slices.Contains(ids, h.ID) {
			continue
		}
		ids = append(ids, h.ID)
		before, what := len(events), "acknowledged"
		ack := ackOf(held, h)
		holds := ack != nil && ack.Digest == h.Digest
		switch {
		case undo:
			what = "no longer acknowledged"
			for _, e := range held {
				if e.ID == h.ID || holds && e.Digest == h.Digest && !v.isPlaced(ctx, e) {
					events = append(events, acks.Event{Target: e.Target, At: v.opt.Now(), Undo: true})
				}
			}
		case holds && (note == "" || note == ack.Note):
			done.Held = append(done.Held, h.ID+" was acknowledged "+v.opt.FormatTime(ack.At))
			continue
		case holds:
			events = append(events, acks.Event{Target: ack.Target, At: v.opt.Now(), Note: note})
		default:
			events = append(events, acks.Event{Target: acks.Target{ID: h.ID, Digest: h.Digest}, At: v.opt.Now(), Note: note})
		}
		if len(events) == before {
			done.Never = append(done.Never, h.ID)
		} else {
			done.Changed = append(done.Changed, what+": "+h.ID+" "+h.Project+": "+render.Title(h))
		}
	}
	return done, v.writeAcks(ctx, known, events)
}

// writeAcks appends events to the file of acknowledgements. known are the events so far:
// new ones get a later time.
func (v *View) writeAcks(ctx context.Context, known, events []acks.Event) error {
	if len(events) == 0 {
		return nil
	}
	file, err := v.opt.stateFile("acks.jsonl", "acknowledgements")
	if err != nil {
		return err
	}
	for i := range events {
		events[i] = acks.After(known, events[i])
	}
	slices.SortFunc(events, func(x, y acks.Event) int {
		return cmp.Or(strings.Compare(x.ID, y.ID), cmp.Compare(x.Digest, y.Digest))
	})
	return acks.Append(ctx, file, events...)
}

// holdingAcks returns the valid acknowledgements, the newest first.
func (v *View) holdingAcks() ([]acks.Event, error) {
	events, _, err := v.readAcks()
	return acks.Holding(events), err
}

// readAcks returns all events of the files of acknowledgements: the user's and that of
// other members. The note, if not "", says which lines of the user's file cannot be read.
func (v *View) readAcks() (events []acks.Event, note string, err error) {
	file, err := v.opt.stateFile("acks.jsonl", "acknowledgements")
	if err != nil {
		return nil, "", nil //nolint:nilerr // without a folder there are none
	}
	events, bad, err := acks.Read(file)
	if shared := v.opt.TeamDir(); err == nil && shared != "" {
		others, _, failed := acks.Read(filepath.Join(shared, "acks.jsonl"))
		events, err = append(events, others...), failed
	}
	if len(bad) > 0 {
		note = fmt.Sprintf("%s:%d: not an acknowledgement: %s%s", file, bad[0].Line, bad[0].Reason, more(len(bad)-1))
	}
	return events, note, err
}

// more returns a remark that n more lines are invalid, "" if n is 0.
func more(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "; 1 more line is invalid"
	}
	return fmt.Sprintf("; %d more lines are invalid", n)
}

// AckOf returns the acknowledgement of the present text of a handoff, or else the last one
// of an earlier text; nil if there is none.
func (v *View) AckOf(h index.Summary) (*acks.Event, error) {
	held, err := v.holdingAcks()
	return ackOf(held, h), err
}

// ackOf is like AckOf, but searches held, the valid acknowledgements, the newest first. If
// the file of a handoff was moved, its acknowledgement has another id.
func ackOf(held []acks.Event, h index.Summary) (found *acks.Event) {
	acked := slices.Contains(h.States, "acked")
	for i, e := range held {
		switch {
		case e.ID == h.ID && e.Digest == h.Digest:
			return &held[i]
		case acked && e.Digest == h.Digest, e.ID == h.ID && found == nil:
			found = &held[i]
		}
	}
	return found
}

// isPlaced reports whether the index has the acknowledged handoff, with the same id and
// text.
func (v *View) isPlaced(ctx context.Context, e acks.Event) bool {
	found, err := v.Find(ctx, e.ID)
	return err == nil && found[0].Digest == e.Digest
}

// Acks returns the valid acknowledgements with their handoffs, and whether each handoff
// still has the acknowledged text.
func (v *View) Acks(ctx context.Context) ([]render.Ack, error) {
	events, err := v.holdingAcks()
	if err != nil {
		return nil, err
	}
	acked, err := v.store.Search(ctx, &query.Query{Expr: query.Is{State: "acked"}}, index.SearchOptions{NoSnippets: true})
	if err != nil {
		return nil, err
	}
	list := make([]render.Ack, len(events))
	for i, e := range events {
		list[i] = render.Ack{ID: e.ID, At: e.At, Note: e.Note, State: "unknown"}
		found, err := v.Find(ctx, e.ID)
		var missing *index.NotFoundError
		switch {
		case err != nil && !errors.As(err, &missing):
			return nil, err
		case err == nil && found[0].Digest == e.Digest:
			list[i].Handoff, list[i].State = &found[0], "holds"
			continue
		case err == nil:
			list[i].Handoff, list[i].State = &found[0], "changed"
		}
		if at := slices.IndexFunc(acked.Hits, func(h index.Hit) bool { return h.Digest == e.Digest }); at >= 0 {
			list[i].Handoff, list[i].State = &acked.Hits[at].Summary, "holds"
		}
	}
	return list, nil
}

// mirrorAcks copies the acknowledgements into the index. If some cannot be read or written,
// that is only noted: an answer without them is still an answer.
func (s *Service) mirrorAcks(ctx context.Context) error {
	note, err := s.copyAcks(ctx)
	if note != s.notedAcks { // a watch copies them often
		s.notedAcks = note
		if note != "" {
			s.note("%s", note)
		}
	}
	return err
}

// copyAcks writes the valid acknowledgements into the index. The note, if not "", says
// which are missing there, and why.
func (v *View) copyAcks(ctx context.Context) (note string, err error) {
	events, note, err := v.readAcks()
	if err != nil {
		return "acknowledgements cannot be read: " + err.Error(), nil //nolint:nilerr // it is a note
	}
	var list []index.Ack
	for _, e := range acks.Holding(events) {
		list = append(list, index.Ack{ID: e.ID, Digest: e.Digest, At: e.At})
	}
	if err = v.store.SetAcks(ctx, list); recoverable(err) {
		return "the latest acknowledgements are not in the index: " + err.Error(), nil
	}
	return note, err
}
