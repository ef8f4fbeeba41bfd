package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"handex/cmd/internal/relay"
	"handex/cmd/internal/render"
	"handex/parse"
)

// sendCmd relays the project's manifest to its receiver.
type sendCmd struct {
	Dir        string        `arg:"" optional:"" help:"Whose project; the working folder if left out."`
	Via        string        `help:"Run CMD with the prompt on its standard input. It is split at blanks, quotes hold words together; no shell is asked." placeholder:"CMD" xor:"how"`
	Gateway    string        `help:"Post the prompt to URL as JSON. The token is HANDEX_GATEWAY_TOKEN or OPENCLAW_GATEWAY_TOKEN." placeholder:"URL" xor:"how"`
	SessionKey string        `help:"The receiver's session, where the answer names none." placeholder:"KEY"`
	Timeout    time.Duration `help:"How long the receiver may take." default:"30s" placeholder:"TIME"`
	Again      bool          `help:"Send what was sent already."`
	DryRun     bool          `help:"Only print the prompt."`
}

// Help tells what is written.
func (*sendCmd) Help() string {
	return "The manifest, meta/handoff.yaml, is checked first. When the receiver has the prompt, its sent_at, session_key and status: sent are written; when not, status: failed. " +
		"Either is added to meta/handoff-log.yaml. CMD finds the agents in HANDEX_FROM and HANDEX_TO; the last line of its output, if it is one word, or the session_key of a JSON object is the session's key."
}

// Run sends it. The exit status is 1 where the manifest is not valid, 2 where it
// could not be sent.
func (c *sendCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	if c.Timeout <= 0 {
		return fmt.Errorf("--timeout: %v is not longer than no time", c.Timeout)
	}
	m, err := a.manifest(c.Dir)
	if err != nil {
		return err
	}
	prompt := relayPrompt(m.doc, filepath.ToSlash(m.file()))
	if c.DryRun {
		_, err := io.WriteString(a.out, prompt)
		return err
	}
	send, err := c.way(a, m, prompt)
	if err != nil {
		return err
	}
	if m.value("status") == "sent" && !c.Again { // or received, which comes after
		return hinted{fmt.Errorf("%s was sent %s", m.home(), m.value("sent")), "--again sends it once more"}
	}
	session, sendErr := send(a.ctx)
	done := parse.Relay{Status: "sent", At: a.env.Now(), Session: session}
	if sendErr != nil {
		done.Status = "failed"
	} else if session == "" {
		done.Session = c.SessionKey
	}
	// Also when the person has lost patience: the manifest must not go on to say
	// that it waits to be sent.
	if err := m.record(context.WithoutCancel(a.ctx), done); err != nil {
		return errors.Join(sendErr, fmt.Errorf("status %s is not written down: %w", done.Status, err))
	}
	if sendErr != nil {
		return fmt.Errorf("%s is not sent: %w", m.home(), sendErr)
	}
	return m.told(done, form)
}

// way is how the prompt is sent.
func (c *sendCmd) way(a *app, m *manifest, prompt string) (func(context.Context) (string, error), error) {
	message := relay.Message{From: m.value("from"), To: m.value("to"), Source: m.value("source"), Session: c.SessionKey, Prompt: prompt}
	switch {
	case c.Via != "":
		words, err := splitWords(c.Via)
		if err == nil && len(words) == 0 {
			err = errors.New("there is no command")
		}
		if err != nil {
			return nil, fmt.Errorf("--via: %w", err)
		}
		return func(ctx context.Context) (string, error) {
			return relay.Command(ctx, words, message, a.env.Stderr, c.Timeout)
		}, nil
	case c.Gateway != "":
		gateway := relay.Gateway{URL: c.Gateway, Token: a.env.Getenv("HANDEX_GATEWAY_TOKEN"), Limit: c.Timeout}
		if gateway.Token == "" {
			gateway.Token = a.env.Getenv("OPENCLAW_GATEWAY_TOKEN")
		}
		return func(ctx context.Context) (string, error) {
			return gateway.Post(ctx, message, rand.Text())
		}, gateway.Check()
	}
	return nil, hinted{errors.New("it is not said how to send it"), "--via 'CMD' runs a command, --gateway URL posts it; --dry-run prints the prompt"}
}

// receiveCmd marks the project's manifest as received.
type receiveCmd struct {
	Dir    string `arg:"" optional:"" help:"Whose project; the working folder if left out."`
	DryRun bool   `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Help tells what is written.
func (*receiveCmd) Help() string {
	return "The status of meta/handoff.yaml becomes received, meta/handoff-log.yaml gains an entry, and the prompt is printed. A manifest that is not valid is not received: the exit status is 1."
}

// Run marks it and prints what the receiver is to do.
func (c *receiveCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	m, err := a.manifest(c.Dir)
	if err != nil {
		return err
	}
	done := parse.Relay{Status: "received", At: a.env.Now()}
	if c.DryRun {
		text, err := done.Mark(m.text)
		if err != nil {
			return err
		}
		return a.showChange(m.home(), m.text, true, text)
	}
	if m.status() == "received" {
		a.note(m.home() + " was received already")
	} else if err := m.record(a.ctx, done); err != nil {
		return err
	}
	if form != "" {
		return m.told(done, form)
	}
	_, err = io.WriteString(a.out, relayPrompt(m.doc, filepath.ToSlash(m.file())))
	return err
}

// A manifest is a handoff that is sent by a step of its own.
type manifest struct {
	*app
	spot
	text []byte
	doc  *parse.Document
}

// manifest reads the one of a folder's project. One that is not valid is told,
// fault by fault.
func (a *app) manifest(dir string) (*manifest, error) {
	s, err := a.relayed(dir)
	if err != nil {
		return nil, err
	}
	text, exists, err := s.read(s.file())
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, hinted{fmt.Errorf("there is no %s", s.home()), "handex write --as " + s.format + " makes one"}
	}
	m := &manifest{app: a, spot: s, text: text}
	m.doc = m.parse(text)
	for _, p := range m.doc.Problems {
		a.say(fmt.Sprintf("%s: %s:%d: %s (%s)", p.Severity, m.home(), p.Line, render.Line(p.Message), p.Rule))
	}
	if len(faultsOf(m.doc)) > 0 {
		return nil, errNone
	}
	return m, nil
}

// relayed is the spot of the format whose handoffs are sent by a step of their own.
func (a *app) relayed(dir string) (spot, error) {
	for _, format := range parse.Placed() {
		if place, _ := parse.PlaceOf(format); place.Unsent != "" {
			return a.spot(format, dir)
		}
	}
	return spot{}, errors.New("no format has handoffs that are sent")
}

func (m *manifest) parse(text []byte) *parse.Document {
	return parse.Parse(parse.Source{
		Path: filepath.ToSlash(m.home()), Bytes: text, ModTime: m.env.Now(), Zone: m.env.Zone,
		Neighbour: func(rel string) ([]byte, error) {
			text, exists, err := m.read(filepath.Join(m.folder, filepath.FromSlash(rel)))
			if err == nil && !exists {
				err = fs.ErrNotExist
			}
			return text, err
		},
	})[0]
}

// value is a field of the manifest.
func (m *manifest) value(name string) string { return fieldOf(m.doc, name) }

// status is the word of the manifest itself.
func (m *manifest) status() string {
	if word := m.value("meta.status"); word != "" {
		return word
	}
	return m.value("status")
}

// record writes down what became of the manifest. That the log cannot be kept is
// told and no more: the manifest holds what counts.
func (m *manifest) record(ctx context.Context, r parse.Relay) error {
	f, err := m.openSpot(m.spot)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	err = f.Edit(ctx, m.file(), func(old []byte, exists bool) ([]byte, error) {
		if !exists {
			return nil, fmt.Errorf("%s is gone", m.home())
		}
		if !m.same(m.parse(old)) {
			return nil, fmt.Errorf("%s is another than was sent", m.home())
		}
		text, err := r.Mark(old)
		if err == nil {
			m.keepOld(m.spot, m.home())
		}
		return text, err
	})
	if err != nil {
		return err
	}
	if err := f.Edit(ctx, filepath.Join(m.folder, m.Log), func(old []byte, _ bool) ([]byte, error) {
		return r.Log(old, m.doc)
	}); err != nil {
		m.note("the log is not kept: " + err.Error())
	}
	return nil
}

// same reports whether another reading is of the same handoff: another one may
// have been written while this was on its way.
func (m *manifest) same(other *parse.Document) bool {
	return !slices.ContainsFunc([]string{"source", "from", "to", "date", "branch"}, func(name string) bool {
		return fieldOf(other, name) != m.value(name)
	})
}

// told tells what was done.
func (m *manifest) told(r parse.Relay, form string) error {
	if form == "" {
		session := ""
		if r.Session != "" {
			session = ", session " + r.Session
		}
		m.say(r.Status + ": " + m.home() + " to " + m.value("to") + session)
		return nil
	}
	return render.JSON(m.out, struct {
		Schema  int       `json:"schema"`
		Path    string    `json:"path"`
		Status  string    `json:"status"`
		From    string    `json:"from"`
		To      string    `json:"to"`
		At      time.Time `json:"at"`
		Session string    `json:"session_key,omitempty"`
	}{render.Schema, m.home(), r.Status, m.value("from"), m.value("to"), r.At.UTC(), r.Session})
}
