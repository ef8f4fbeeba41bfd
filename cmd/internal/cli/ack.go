package cli

import (
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
)

// ackCmd is the command that acknowledges handoffs: a human has looked at them.
type ackCmd struct {
	Refs []string `arg:"" name:"id|path" help:"The id or session of a handoff, or its beginning; a path; or the number of a hit in the last list."`
	Note string   `short:"m" help:"What was done, or why nothing needs to be done." placeholder:"NOTE"`
}

// Run acknowledges all of the handoffs, or none if one of them cannot be found.
func (c *ackCmd) Run(a *app) error { return a.ack(c.Refs, c.Note, false) }

// ack acknowledges the handoffs that refs name by ids, paths or numbers of the last list;
// with undo, it removes their acknowledgements. It writes what changed; with --json, all
// valid acknowledgements.
func (a *app) ack(refs []string, note string, undo bool) (err error) {
	ids := make([]string, len(refs))
	for i, ref := range refs {
		if ids[i], err = a.idOf(ref); err != nil {
			return err
		}
	}
	done, err := a.service.Ack(a.ctx, ids, note, undo)
	if err != nil {
		return err
	}
	for _, line := range done.Held {
		a.say(line)
	}
	if len(done.Changed) > 0 && (a.flags.JSON || a.flags.JSONL) {
		err = a.listAcks("json")
	} else {
		for _, line := range done.Changed {
			a.say(line)
		}
	}
	if err == nil && len(done.Never) > 0 {
		a.say(strings.Join(done.Never, ", ") + ": not acknowledged")
		return errNone
	}
	return err
}

// unackCmd is the command that removes acknowledgements.
type unackCmd struct {
	Refs []string `arg:"" name:"id|path" help:"The id or session of a handoff, or its beginning; a path; or the number of a hit in the last list."`
}

// Run removes the acknowledgements of the handoffs, for all texts that they ever had.
func (c *unackCmd) Run(a *app) error { return a.ack(c.Refs, "", true) }

// acksCmd is the command that lists the valid acknowledgements.
type acksCmd struct{}

// Run updates the index and lists the valid acknowledgements.
func (*acksCmd) Run(a *app) error {
	form := a.flags.asked()
	if err := a.open(); err != nil {
		return err
	}
	return a.listAcks(form)
}

// listAcks writes the valid acknowledgements in an output form. It returns errNone if there
// are none.
func (a *app) listAcks(form string) error {
	list, err := a.service.Acks(a.ctx)
	if err != nil {
		return err
	}
	switch {
	case form == "json" || form == "jsonl":
		err = render.AcksJSON(a.out, list)
	case len(list) == 0:
		a.say("no handoff is acknowledged; handex ack ID closes an escalation")
	default:
		err = render.Acks(a.out, list, form == "plain", a.options())
	}
	return orNone(err, len(list) > 0)
}
