package author

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// A Manifest is a handoff that is sent to its receiver in a separate step.
type Manifest struct {
	At  Location
	Doc *parse.Document

	env Env
}

// ReadManifest reads the manifest of a folder's project. It does not check that the
// manifest is valid; it returns an error if there is none.
func (e Env) ReadManifest(dir string) (*Manifest, error) {
	at, err := e.LocateFirst(dir, func(p parse.Place) bool { return p.Unsent != "" })
	if err != nil {
		return nil, err
	}
	text, err := at.read(at.rel())
	if err != nil {
		return nil, err
	}
	if text == nil {
		return nil, render.WithHint(fmt.Errorf("there is no %s", at.Path()),
			"to create it, run: handex write --as "+at.Format)
	}
	return &Manifest{at, e.parse(at, at.File, text, false)[0], e}, nil
}

// Field returns the value of a field, "" if there is none.
func (m *Manifest) Field(name string) string { return fieldOf(m.Doc, name) }

// Prompt returns the message for the receiver.
func (m *Manifest) Prompt() string { return prompt(m.Doc, filepath.ToSlash(m.At.rel())) }

// A Sender sends a message and returns the key of the receiver's session, "" if the reply
// does not name it.
type Sender func(context.Context) (session string, err error)

// Send calls send and records in the manifest whether it was sent, even if ctx has ended
// meanwhile, as the manifest must not go on to say that it waits to be sent. session is the
// key of the receiver's session to record if the reply does not name it.
func (m *Manifest) Send(ctx context.Context, session string, send Sender) (write.Relay, error) {
	replied, sendErr := send(ctx)
	done := write.Relay{Status: "sent", At: m.env.Now(), Session: replied}
	if sendErr != nil {
		done.Status = "failed"
	} else if replied == "" {
		done.Session = session
	}
	if _, err := m.Record(context.WithoutCancel(ctx), done, false); err != nil {
		return done, errors.Join(sendErr, fmt.Errorf("status %s could not be written: %w", done.Status, err))
	}
	if sendErr != nil {
		return done, fmt.Errorf("%s was not sent: %w", m.At.Path(), sendErr)
	}
	return done, nil
}

// Record writes the result of sending into the manifest and the log. If the log cannot be
// written, that is only noted, as the manifest has the important facts. A dry run only
// returns what would change in the manifest.
func (m *Manifest) Record(ctx context.Context, r write.Relay, dryRun bool) (save.Change, error) {
	c, err := m.env.edit(ctx, m.At, m.At.rel(), dryRun, func(old []byte) ([]byte, bool, error) {
		if old == nil {
			return nil, false, fmt.Errorf("%s no longer exists", m.At.Path())
		}
		if !m.same(m.env.parse(m.At, m.At.File, old, false)[0]) {
			return nil, false, fmt.Errorf("%s is not the manifest that was sent", m.At.Path())
		}
		text, err := r.Mark(old)
		return text, true, err
	})
	if err != nil || dryRun {
		return c, err
	}
	if _, err := m.log(ctx, r, false); err != nil {
		m.env.note("the log could not be written: " + err.Error())
	}
	return c, nil
}

// Receive adds to the log that the receiver has the manifest. The manifest itself stays as
// it is, as its format has no status for that. known reports that the log already says so.
// A dry run only returns what would change.
func (m *Manifest) Receive(ctx context.Context, r write.Relay, dryRun bool) (c save.Change, known bool, err error) {
	text, err := m.At.read(m.logPath())
	if err != nil {
		return c, false, err
	}
	// Without neighbours: an entry that the manifest repeats counts, too.
	path := filepath.ToSlash(filepath.Join(m.At.Root, m.logPath()))
	for _, d := range parse.Parse(parse.Source{Path: path, Bytes: text, ModTime: m.env.Now(), Zone: m.env.Zone}) {
		if m.same(d) {
			known = statusOf(d) == r.Status // the last one counts
		}
	}
	if known {
		return c, true, nil
	}
	c, err = m.log(ctx, r, dryRun)
	return c, false, err
}

// logPath returns the path of the log, relative to the root.
func (m *Manifest) logPath() string { return filepath.Join(m.At.Folder, m.At.Log) }

// log adds an entry about the manifest to the log.
func (m *Manifest) log(ctx context.Context, r write.Relay, dryRun bool) (save.Change, error) {
	return m.env.edit(ctx, m.At, m.logPath(), dryRun, func(old []byte) ([]byte, bool, error) {
		text, err := r.Log(old, m.Doc)
		return text, false, err
	})
}

// same reports whether other is the same handoff, by its fields: another one may have been
// written while this one was being sent.
func (m *Manifest) same(other *parse.Document) bool {
	return !slices.ContainsFunc([]string{"source", "from", "to", "date", "branch"}, func(name string) bool {
		return fieldOf(other, name) != m.Field(name)
	})
}

// statusOf returns the status as it is written in a manifest.
func statusOf(d *parse.Document) string {
	return cmp.Or(fieldOf(d, "meta.status"), fieldOf(d, "status"))
}

// fieldOf returns the value of a document's field, "" if it has none.
func fieldOf(d *parse.Document, name string) string {
	f, _ := d.Field(name)
	return f.Value
}

// prompt returns the message for the receiver of a handoff: who hands it over, what to
// read, and the branch, work items and files. file is the path of the handoff, relative to
// the project's folder.
func prompt(d *parse.Document, file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, you are taking over work from %s.\n\n", fieldOf(d, "to"), fieldOf(d, "from"))
	fmt.Fprintf(&b, "Read %s", file)
	if source := fieldOf(d, "source"); source != "" {
		fmt.Fprintf(&b, " and %s", source)
	}
	b.WriteString(", then go on from there.\n")
	if branch := fieldOf(d, "branch"); branch != "" {
		fmt.Fprintf(&b, "\nBranch: %s\n", branch)
	}
	if len(d.WorkItems) > 0 {
		fmt.Fprintf(&b, "\nWork queue items:\n- %s\n", strings.Join(d.WorkItems, "\n- "))
	}
	if len(d.Files) > 0 {
		b.WriteString("\nFiles changed:\n")
		for _, f := range d.Files {
			b.WriteString("- " + f.Path + "\n")
		}
	}
	return b.String()
}
