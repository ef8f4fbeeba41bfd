package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/relay"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/parse/write"
)

// sendCmd is the command that sends the project's manifest to its receiver.
type sendCmd struct {
	Dir        string        `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
	Via        string        `help:"Run CMD with the prompt on its standard input, without a shell. CMD is split at blanks; quotes keep words together." placeholder:"CMD" xor:"how"`
	Gateway    string        `help:"Post the prompt to URL as JSON. The token is HANDEX_GATEWAY_TOKEN or OPENCLAW_GATEWAY_TOKEN." placeholder:"URL" xor:"how"`
	SessionKey string        `help:"The session of the receiver, if the response names none." placeholder:"KEY"`
	Timeout    time.Duration `help:"Give up after TIME." default:"30s" placeholder:"TIME"`
	Again      bool          `help:"Send a manifest again that was already sent."`
	DryRun     bool          `help:"Only print the prompt."`
}

// Run sends the manifest. It returns errNone if the manifest is not valid, so that the exit
// status is 1, and other errors if it could not be sent.
func (c *sendCmd) Run(a *app) error {
	form := a.flags.asked()
	if c.Timeout <= 0 {
		return errors.New("--timeout must be longer than 0")
	}
	m, err := a.manifest(c.Dir)
	if err != nil {
		return err
	}
	if c.DryRun {
		return a.writeText(m.Prompt())
	}
	send, err := c.way(a, m)
	if err != nil {
		return err
	}
	if m.Field("status") == "sent" && !c.Again {
		return render.WithHint(fmt.Errorf("%s was sent %s", m.At.Path(), m.Field("sent")), "--again sends it again")
	}
	done, err := m.Send(a.ctx, c.SessionKey, send)
	if err != nil {
		return err
	}
	return a.showSent(m, done, form)
}

// way returns the function that sends the prompt of the manifest: to a command or to a
// gateway, as the flags say.
func (c *sendCmd) way(a *app, m *author.Manifest) (author.Sender, error) {
	message := relay.Message{
		From: m.Field("from"), To: m.Field("to"), Source: m.Field("source"), Session: c.SessionKey,
		Prompt: m.Prompt(),
	}
	switch {
	case c.Via != "":
		words, err := splitWords(c.Via)
		if err == nil && len(words) == 0 {
			err = errors.New("the command is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("--via: %w", err)
		}
		return func(ctx context.Context) (string, error) {
			return relay.Command(ctx, words, message, a.env.Stderr, c.Timeout)
		}, nil
	case c.Gateway != "":
		token := cmp.Or(a.env.Getenv("HANDEX_GATEWAY_TOKEN"), a.env.Getenv("OPENCLAW_GATEWAY_TOKEN"))
		gateway := relay.Gateway{URL: c.Gateway, Token: token, Limit: c.Timeout}
		return func(ctx context.Context) (string, error) {
			return gateway.Post(ctx, message, rand.Text())
		}, gateway.Check()
	}
	return nil, render.WithHint(errors.New("choose how to send the manifest"),
		"--via 'CMD' runs a command, --gateway URL posts it; --dry-run prints the prompt")
}

// receiveCmd is the command that records that the project's manifest was received.
type receiveCmd struct {
	Dir    string `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
	DryRun bool   `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Run adds an entry to the log that the manifest was received, unless it has one, and
// prints the message for the receiver.
func (c *receiveCmd) Run(a *app) error {
	form := a.flags.asked()
	m, err := a.manifest(c.Dir)
	if err != nil {
		return err
	}
	done := write.Relay{Status: "received", At: a.env.Now()}
	change, known, err := m.Receive(a.ctx, done, c.DryRun)
	switch {
	case err != nil:
		return err
	case known:
		a.note(m.At.Path() + " was already received")
	case c.DryRun:
		return a.showChange(change)
	}
	if form != "" {
		return a.showSent(m, done, form)
	}
	return a.writeText(m.Prompt())
}

// manifest reads the manifest of the project that a folder is in, and writes its problems.
// It returns errNone if the manifest is not valid.
func (a *app) manifest(name string) (*author.Manifest, error) {
	dir, err := a.env.Folder(name)
	if err != nil {
		return nil, err
	}
	m, err := a.author().ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	for _, p := range m.Doc.Problems {
		a.say(fmt.Sprintf("%s: %s:%d: %s (%s)", p.Severity, m.At.Path(), p.Line, render.Line(p.Message), p.Rule))
	}
	if author.Validate(m.At.Format, m.Doc) != nil {
		return nil, errNone
	}
	return m, nil
}

// showSent writes what became of the manifest: as a line, or as JSON if form is not "".
func (a *app) showSent(m *author.Manifest, r write.Relay, form string) error {
	if form == "" {
		session := ""
		if r.Session != "" {
			session = ", session " + r.Session
		}
		a.say(r.Status + ": " + m.At.Path() + " to " + m.Field("to") + session)
		return nil
	}
	return render.JSON(a.out, struct {
		Schema  int       `json:"schema"`
		Path    string    `json:"path"`
		Status  string    `json:"status"`
		From    string    `json:"from"`
		To      string    `json:"to"`
		At      time.Time `json:"at"`
		Session string    `json:"session_key,omitempty"`
	}{render.Schema, m.At.Path(), r.Status, m.Field("from"), m.Field("to"), r.At.UTC(), r.Session})
}
