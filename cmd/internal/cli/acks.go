package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"handex/cmd/internal/acks"
	"handex/cmd/internal/render"
	"handex/index"
)

// acksCmd lists what was acknowledged.
type acksCmd struct{}

// Help tells where they are kept.
func (*acksCmd) Help() string {
	return "Acknowledgements are kept in $XDG_STATE_HOME/handex/acks.jsonl, the only thing handex knows that is nowhere else. " +
		"Lines are only ever added to it: to merge the files of two machines put their lines together, in any order."
}

// Run lists the acknowledgements that hold, and what is wrong with their file.
func (*acksCmd) Run(a *app) error {
	form, err := a.form("plain", "json", "jsonl")
	if err != nil {
		return err
	}
	if _, err := a.open(); err != nil {
		return err
	}
	return a.listAcks(form)
}

func (a *app) listAcks(form string) error {
	events, err := a.holdingAcks()
	if err != nil {
		return err
	}
	list := make([]render.Ack, len(events))
	for i, e := range events {
		if list[i], err = a.ackNow(e); err != nil {
			return err
		}
	}
	switch {
	case form == "json" || form == "jsonl":
		err = render.AcksJSON(a.out, list)
	case len(list) == 0:
		a.say("nothing is acknowledged; handex ack ID closes an escalation")
	case form == "plain":
		err = render.AcksPlain(a.out, list, a.options())
	default:
		err = render.Acks(a.out, list, a.options())
	}
	if err == nil && len(list) == 0 {
		return errNone
	}
	return err
}

// ackNow is an acknowledgement and the handoff it is of.
func (a *app) ackNow(e acks.Event) (render.Ack, error) {
	out := render.Ack{ID: e.ID, At: e.At, Note: e.Note, State: "unknown"}
	found, err := a.store.Find(a.ctx, e.ID, a.env.WorkDir)
	var missing *index.NotFoundError
	switch {
	case errors.As(err, &missing):
		return out, nil
	case err != nil:
		return out, err
	}
	out.Handoff, out.State = &found[0], "changed"
	if found[0].Digest == e.Digest {
		out.State = "holds"
	}
	return out, nil
}

// acksFile is where acknowledgements are kept.
func (e Env) acksFile() (string, error) {
	if e.StateHome == "" {
		return "", errors.New("there is no folder for acknowledgements: neither HOME nor XDG_STATE_HOME is set")
	}
	return filepath.Join(e.StateHome, "handex", "acks.jsonl"), nil
}

// holdingAcks reads which acknowledgements hold.
func (a *app) holdingAcks() ([]acks.Event, error) {
	events, err := a.ackEvents()
	return acks.Holding(events), err
}

// ackEvents reads all that is written of acknowledgements, and tells of lines
// that cannot be read.
func (a *app) ackEvents() ([]acks.Event, error) {
	file, err := a.env.acksFile()
	if err != nil {
		return nil, nil //nolint:nilerr // without a folder there are none
	}
	events, bad, err := acks.Read(file)
	if len(bad) > 0 && !a.toldAcks {
		a.toldAcks = true
		a.note(fmt.Sprintf("%s:%d: no acknowledgement: %s%s", file, bad[0].Line, bad[0].Reason, more(len(bad)-1, "line")))
	}
	return events, err
}

// more says of how many the first was told.
func more(n int, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "; so is 1 more " + what
	}
	return fmt.Sprintf("; so are %d more %ss", n, what)
}

// mirrorAcks has the index know the acknowledgements. An answer that lacks them
// is still an answer, with a note.
func (a *app) mirrorAcks() error {
	events, err := a.holdingAcks()
	if err != nil {
		a.note("acknowledgements are not known: " + err.Error())
		return nil //nolint:nilerr // told
	}
	list := make([]index.Ack, len(events))
	for i, e := range events {
		list[i] = index.Ack{ID: e.ID, Digest: e.Digest}
	}
	err = a.store.SetAcks(a.ctx, list)
	if recoverable(err) || errors.Is(err, index.ErrReadOnly) {
		a.note("the latest acknowledgements are not counted: " + err.Error())
		return nil
	}
	return err
}
