package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// pager writes the answer to the standard output, on a terminal through the person's pager.
// The pager starts with the first write, so that an empty answer starts none.
type pager struct {
	app   *app
	out   io.Writer
	stdin io.WriteCloser
	cmd   *exec.Cmd

	direct  bool     // no pager is started
	written int      // bytes of the answer
	later   []func() // what waits until the person has read
}

// Write writes text to the pager, or to the standard output if there is none. With --quiet
// it discards the text.
func (p *pager) Write(text []byte) (int, error) {
	p.written += len(text)
	if p.app.flags.Quiet {
		return len(text), nil
	}
	if p.out == nil {
		p.out = p.app.env.Stdout
		if err := p.start(); err != nil {
			p.app.note("no pager: " + err.Error())
		}
	}
	return p.out.Write(text)
}

// start starts the pager if the output is a terminal and the pager is not turned off.
func (p *pager) start() error {
	a := p.app
	if p.direct || a.flags.NoPager || !a.env.Stdout.IsTerminal() || a.flags.machine() {
		return nil
	}
	command := a.pagerCommand()
	if command == "" || command == "cat" {
		return nil
	}
	// An interrupt is the pager's: killed, it would leave the terminal raw.
	cmd := exec.CommandContext(context.WithoutCancel(a.ctx), "sh", "-c", command)
	cmd.Stdout, cmd.Stderr = a.env.Stdout.Writer, os.Stderr
	if a.env.Getenv("LESS") == "" { // as git does: less alone shows escape sequences as text
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.stdin, p.out = cmd, stdin, stdin
	return nil
}

// pagerCommand returns the command of the person's pager, or else of less, "" if less is
// not installed.
func (a *app) pagerCommand() string {
	configured := ""
	if a.conf != nil {
		configured = a.conf.Pager
	}
	if command := cmp.Or(a.env.Getenv("HANDEX_PAGER"), configured, a.env.Getenv("PAGER")); command != "" {
		return command
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less -FIRX"
}

// afterwards calls say when the person has seen what was written: at once, or if a pager
// runs, when it has ended.
func (p *pager) afterwards(say func()) {
	if p.cmd == nil {
		say()
		return
	}
	p.later = append(p.later, say)
}

// Close waits until the person leaves the pager, then makes the calls of afterwards. That
// the pager fails or is left early is no error.
func (p *pager) Close() error {
	if p.cmd == nil {
		return nil
	}
	defer func() {
		for _, say := range p.later {
			say()
		}
	}()
	if err := p.stdin.Close(); err != nil && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
