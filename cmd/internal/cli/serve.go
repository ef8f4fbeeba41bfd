package cli

import (
	"errors"
	"io"
	"net/url"

	"handex/cmd/internal/render"
	"handex/cmd/internal/serve"
	"handex/index"
)

// serveCmd shows handoffs in the browser.
type serveCmd struct {
	Addr     string `help:"Listen at HOST:PORT instead of at a free port of 127.0.0.1." placeholder:"HOST:PORT"`
	Expose   bool   `help:"Let others in the network reach HOST. Nothing is encrypted."`
	Open     bool   `help:"Open it in the browser."`
	NoRedact bool   `help:"Show credentials that handoffs hold."`
}

// Help tells who is let in.
func (*serveCmd) Help() string {
	return "The printed address holds a token, without which nothing is answered; programs send it as a bearer. " +
		"It is another with every run. While it runs the index is kept current, as by handex watch."
}

// Run serves until it is interrupted.
func (c *serveCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	address, err := serve.Listen(a.ctx, c.Addr, c.Expose)
	if errors.Is(err, serve.ErrExposed) {
		return hinted{err, "whoever knows the token could read every handoff, and nothing is encrypted; if that is meant: --expose"}
	}
	if err != nil {
		return err
	}
	progress, wipe := a.progress()
	defer wipe()
	b, err := a.newBackend(progress, c.NoRedact)
	if err != nil {
		return errors.Join(err, address.Close())
	}
	wipe()
	server := serve.New(address, b, masker(c.NoRedact))
	if err := a.tellAddress(server.URL(), form); err != nil {
		return errors.Join(err, address.Close())
	}
	if c.Open {
		if err := a.browse(server.Ticket()); err != nil {
			a.note("no browser could be started: " + err.Error())
		}
	}
	watched := b.follow()
	err = server.Serve(a.ctx)
	<-watched
	return errors.Join(err, a.ctx.Err())
}

// tellAddress writes the address that lets in.
func (a *app) tellAddress(address, form string) error {
	if form == "" {
		_, err := io.WriteString(a.env.Stdout, address+"\n")
		return err
	}
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	return render.JSON(a.env.Stdout, struct {
		Schema int    `json:"schema"`
		URL    string `json:"url"`
		API    string `json:"api"`
		Token  string `json:"token"`
	}{render.Schema, address, "http://" + u.Host + "/api/v1", u.Query().Get("token")})
}

// servedAtOnce is how many requests read the index at once, beside the watch and a
// report that is made.
const servedAtOnce = 16

// newBackend opens the index and brings it up to date once.
func (a *app) newBackend(progress func(index.Progress), keepSecrets bool) (*backend, error) {
	a.readers = servedAtOnce
	if _, err := a.openAsIs(); err != nil {
		return nil, err
	}
	if !a.flags.NoRefresh {
		if err := a.refresh(index.RefreshOptions{Progress: progress}); err != nil {
			return nil, err
		}
	}
	if err := a.mirrorAcks(); err != nil {
		return nil, err
	}
	if _, err := a.config(); err != nil {
		return nil, err
	}
	a.known()
	b := &backend{app: a, keepSecrets: keepSecrets}
	b.made.making = map[serve.ReportQuestion]bool{}
	b.made.forget()
	b.publish(a)
	return b, nil
}
