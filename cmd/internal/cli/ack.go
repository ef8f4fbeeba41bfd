package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"handex/cmd/internal/acks"
	"handex/cmd/internal/render"
	"handex/index"
)

// ackCmd says that a person has seen to handoffs.
type ackCmd struct {
	Refs []string `arg:"" name:"id|path" help:"Id, session or the beginning of one, or a path."`
	Note string   `short:"m" help:"What was done, or why nothing need be." placeholder:"NOTE"`
}

// Help tells what becomes of it.
func (*ackCmd) Help() string {
	return "An acknowledged handoff is closed: open escalations leaves it out, is:acked finds it. It is of the text as it is now; " +
		"when the handoff says something else, it is open again. Nothing is written to the handoff itself."
}

// Run acknowledges them all, or none.
func (c *ackCmd) Run(a *app) error {
	note := strings.TrimSpace(c.Note)
	if strings.ContainsAny(note, "\r\n") {
		return errors.New("a note is one line")
	}
	found, held, err := a.acknowledged(c.Refs)
	if err != nil {
		return err
	}
	var events []acks.Event
	for _, h := range found {
		if was, ok := held[target(h)]; ok && (note == "" || note == was.Note) {
			a.say(h.ID + " was acknowledged " + a.options().Date(was.At, "minute"))
			continue
		}
		events = append(events, acks.Event{Target: target(h), At: a.env.Now(), Note: note})
	}
	return a.putAcks(events, found, "acknowledged")
}

// unackCmd takes acknowledgements back.
type unackCmd struct {
	Refs []string `arg:"" name:"id|path" help:"Id, session or the beginning of one, or a path."`
}

// Run takes back those of all texts the handoffs ever had.
func (c *unackCmd) Run(a *app) error {
	found, held, err := a.acknowledged(c.Refs)
	if err != nil {
		return err
	}
	var events []acks.Event
	var open []string
	for _, h := range found {
		before := len(events)
		for t := range held {
			if t.ID == h.ID {
				events = append(events, acks.Event{Target: t, At: a.env.Now(), Undo: true})
			}
		}
		if len(events) == before {
			open = append(open, h.ID)
		}
	}
	if err := a.putAcks(events, found, "no longer acknowledged"); err != nil || len(open) == 0 {
		return err
	}
	a.say(strings.Join(open, ", ") + ": not acknowledged")
	return errNone
}

func target(h index.Summary) acks.Target { return acks.Target{ID: h.ID, Digest: h.Digest} }

// acknowledged finds the handoffs that are named, and which acknowledgements
// hold.
func (a *app) acknowledged(refs []string) ([]index.Summary, map[acks.Target]acks.Event, error) {
	if _, err := a.form("json", "jsonl"); err != nil {
		return nil, nil, err
	}
	if _, err := a.open(); err != nil {
		return nil, nil, err
	}
	var list []index.Summary
	for _, ref := range refs {
		one, err := a.single(ref)
		if err != nil {
			return nil, nil, err
		}
		if !slices.ContainsFunc(list, func(h index.Summary) bool { return h.ID == one.ID }) {
			list = append(list, one)
		}
	}
	holding, err := a.holdingAcks()
	held := map[acks.Target]acks.Event{}
	for _, e := range holding {
		held[e.Target] = e
	}
	return list, held, err
}

// single is the handoff a person named. A file of several does not name one.
func (a *app) single(ref string) (index.Summary, error) {
	found, err := a.store.Find(a.ctx, ref, a.env.WorkDir)
	if err != nil {
		return index.Summary{}, err
	}
	if len(found) > 1 {
		return index.Summary{}, hinted{fmt.Errorf("%d handoffs are in %s", len(found), ref), "name one by its id: handex search path:" + filepath.Base(found[0].Path)}
	}
	return found[0], nil
}

// putAcks writes events down and tells of which handoffs they are.
func (a *app) putAcks(events []acks.Event, of []index.Summary, what string) error {
	if len(events) == 0 {
		return nil
	}
	file, err := a.env.acksFile()
	if err != nil {
		return err
	}
	known, err := a.ackEvents()
	if err != nil {
		return err
	}
	for i := range events {
		events[i] = acks.After(known, events[i])
	}
	slices.SortFunc(events, func(x, y acks.Event) int {
		return cmp.Or(strings.Compare(x.ID, y.ID), cmp.Compare(x.Digest, y.Digest))
	})
	if err := acks.Append(a.ctx, file, events...); err != nil {
		return err
	}
	changed := slices.DeleteFunc(slices.Clone(of), func(h index.Summary) bool {
		return !slices.ContainsFunc(events, func(e acks.Event) bool { return e.ID == h.ID })
	})
	if a.flags.JSON || a.flags.JSONL {
		err = a.listAcks("json")
	} else {
		for _, h := range changed {
			a.say(what + ": " + h.ID + " " + h.Project + ": " + render.Title(h))
		}
	}
	return errors.Join(err, a.mirrorAcks())
}
