package cli

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os/exec"
	"runtime"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/serve"
)

// serveCmd is the command that shows handoffs in the browser.
type serveCmd struct {
	Addr     string `help:"Listen on HOST:PORT, or on PORT of 127.0.0.1, instead of on a free port." placeholder:"[HOST:]PORT"`
	Expose   bool   `help:"Allow a HOST that other machines can reach. Nothing is encrypted."`
	Open     bool   `help:"Open the page in the browser."`
	NoRedact bool   `help:"Do not mask text that looks like a credential."`
}

// servedAtOnce is how many requests read the index at once, beside the watch and a
// report that is made.
const servedAtOnce = 16

// Run serves the pages and keeps the index current until the person interrupts.
func (c *serveCmd) Run(a *app) error {
	form := a.flags.asked()
	address, err := serve.Listen(a.ctx, c.Addr, c.Expose)
	if errors.Is(err, serve.ErrExposed) {
		return render.WithHint(err,
			"anyone who knows the token can read every handoff, and nothing is encrypted; --expose allows this")
	}
	if err != nil {
		return err
	}
	progress, wipe := a.progress()
	defer wipe()
	live, err := a.service.GoLive(a.ctx, servedAtOnce, progress)
	a.writeNotes()
	if err != nil {
		return errors.Join(err, address.Close())
	}
	wipe()
	server := serve.New(a.ctx, address, live, masker(c.NoRedact))
	if err := a.writeAddress(server.URL(), form); err != nil {
		return errors.Join(err, address.Close())
	}
	if c.Open {
		if err := a.browse(server.Ticket()); err != nil {
			a.note("cannot start a browser: " + err.Error())
		}
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		live.Follow(a.ctx, func(note string) { a.writeNotes(note) })
	}()
	defer a.syncBeside(live.Generation, live.Changed)()
	err = server.Serve(a.ctx)
	<-watched
	return errors.Join(err, a.ctx.Err())
}

// writeAddress writes the address of the server, which contains the token that admits a
// browser.
func (a *app) writeAddress(address, form string) error {
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

// browse opens an address in the person's browser and does not wait for it.
func (a *app) browse(address string) error {
	name, args := browserCommand(runtime.GOOS, a.env.Getenv("BROWSER"))
	cmd := exec.CommandContext(context.WithoutCancel(a.ctx), name, append(args, address)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // the browser reports its errors itself
	return nil
}

// browserCommand returns the command that opens an address, which is to be its last
// argument: the program in BROWSER if that is set, else the one of the operating system.
func browserCommand(system, browser string) (name string, args []string) {
	if browser != "" {
		return browser, nil
	}
	switch system {
	case "darwin":
		return "open", nil
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}
	}
	return "xdg-open", nil
}
