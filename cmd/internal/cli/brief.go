package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/cmd/internal/hooks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
)

// briefCmd is the command that writes the briefing of a new session from the handoffs of
// earlier ones.
type briefCmd struct {
	Dir      string        `arg:"" optional:"" help:"A folder of the project (default: the folder in the input of the hook, or the working folder)."`
	For      string        `help:"Write the form for claude, codex, gemini, cursor, opencode or copilot, or plain, markdown, json or xml." placeholder:"AGENT" enum:"claude,codex,gemini,cursor,opencode,copilot,plain,markdown,json,xml" default:"plain"`
	To       string        `help:"Begin with handoffs addressed to NAME (default: the agent)." placeholder:"NAME"`
	Budget   string        `help:"Write at most N characters, bytes (Nb) or tokens (Nt); the default is 8000." placeholder:"N"`
	Timeout  time.Duration `help:"Give up after TIME." default:"1s" placeholder:"TIME"`
	Now      string        `help:"Show ages as of TIME, such as 2026-02-10T12:00:00Z." placeholder:"TIME"`
	Programs bool          `help:"Also brief Claude Code when a program runs it (claude -p)."`
	NoRedact bool          `name:"no-redact" help:"Do not mask text that looks like a credential."`
}

// stdinPatience is how long the JSON of a hook is waited for.
const stdinPatience = 300 * time.Millisecond

// errLate ends a briefing that took too long.
var errLate = errors.New("it took longer than --timeout allows")

// Run writes the briefing. All that can wait for a disk or another program is done by a
// goroutine of its own, so that Run can return after --timeout without it.
func (c *briefCmd) Run(a *app) error {
	if c.Timeout <= 0 {
		return errors.New("--timeout must be longer than 0")
	}
	if err := a.setNow(c.Now); err != nil {
		return fmt.Errorf("--now: %w", err)
	}
	type result struct {
		text  string
		notes []string
		err   error
	}
	done, closed := make(chan result, 1), make(chan bool)
	ctx, stop := context.WithTimeout(a.ctx, c.Timeout)
	s := service.New(a.serviceOptions(a.flags))
	go func() {
		text, err := c.text(ctx, a, s)
		done <- result{text, s.Notes(), err}
		_ = s.Close() // the session has its briefing; the next run reports an error
		close(closed)
	}()
	// Closing can wait for the disk too, and is waited for with all written.
	a.last = func() {
		defer stop()
		select {
		case <-closed:
		case <-ctx.Done():
			_ = s.RemoveTemp() // nobody else will
		}
	}
	select {
	case r := <-done:
		if r.err != nil && ctx.Err() != nil {
			return cmp.Or(a.ctx.Err(), errLate)
		}
		if r.err == nil {
			a.writeNotes(r.notes[:min(len(r.notes), 1)]...)
		}
		_, err := io.WriteString(a.out, r.text)
		return errors.Join(r.err, err)
	case <-ctx.Done():
		return cmp.Or(a.ctx.Err(), errLate)
	}
}

// briefExitCode returns the exit status of a briefing: 0 even after an error, which is
// written in a line, so that the session begins. Only a person who mistypes gets the
// status for wrong usage.
func (a *app) briefExitCode(err error, args []string) int {
	usage, isUsage := errors.AsType[usageError](err)
	forAgent := slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--for" || strings.HasPrefix(arg, "--for=")
	})
	switch {
	case isUsage && !forAgent:
		return a.exit(usage)
	case err != nil:
		line, _, _ := strings.Cut(err.Error(), "\n")
		a.say("no briefing: " + line)
	}
	return exitFound
}

// text returns the briefing in its output form, "" if there is nothing to write.
func (c *briefCmd) text(ctx context.Context, a *app, s *service.Service) (string, error) {
	asked, err := a.form("json")
	if err != nil {
		return "", err
	}
	form, _ := brief.FindAgent(cmp.Or(asked, c.For)) // kong knows the names
	budget := form.Default
	if c.Budget != "" {
		if budget, err = brief.ParseBudget(c.Budget); err != nil {
			return "", fmt.Errorf("--budget: %w", err)
		}
	}
	dir, wanted := c.session(a, form)
	if !wanted {
		return "", nil
	}
	to := c.To
	if to == "" && form.IsAgent() {
		to = form.Name
	}
	facts, err := s.Brief(ctx, dir, to, form.Name)
	if err != nil {
		return "", err
	}
	b := brief.Compose(facts, form.Shape, brief.ComposeOptions{Budget: budget, Now: a.env.Now(), KeepSecrets: c.NoRedact})
	if b == nil {
		return "", nil
	}
	return form.Write(b), nil
}

// session returns the folder in which the session begins, and whether the session is to be
// briefed. It reads the input of the agent's hook from the standard input.
func (c *briefCmd) session(a *app, form brief.Agent) (dir string, wanted bool) {
	if !form.Hook {
		return c.Dir, true
	}
	// Programs that run Claude Code say so.
	if !c.Programs && strings.HasPrefix(a.env.Getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk") {
		return "", false
	}
	if a.typed() {
		return c.Dir, true
	}
	hook, ok := brief.ReadHook(a.env.Stdin, min(stdinPatience, c.Timeout/2))
	has := form.Keeps && hook.HasBriefing()
	dir = cmp.Or(c.Dir, hook.Dir())
	return dir, (!ok || hook.Wanted()) && !has && !a.isSecondHook(dir)
}

// isSecondHook reports whether the plugin for Claude Code runs this command while the
// settings have the hook too: Claude Code runs both, and one briefing is enough.
func (a *app) isSecondHook(dir string) bool {
	if a.env.Getenv("CLAUDE_PLUGIN_ROOT") == "" {
		return false
	}
	status := hooksStatusCmd{hooksWhere: hooksWhere{Dir: dir}}
	states, _ := status.states(a, "claude") // an error is for handex hooks status
	return slices.ContainsFunc(states, func(s hooks.State) bool {
		return s.Event == "SessionStart" && s.State != "broken"
	})
}

// trustCmd is the command that makes briefings quote handoffs that came with a clone.
type trustCmd struct {
	Dir  string `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
	List bool   `help:"List the trusted folders."`
}

// Run adds a folder, and all below it, to the list of trusted folders; with --list, it
// writes the list.
func (c *trustCmd) Run(a *app) error {
	if !c.List {
		return a.setTrust(c.Dir, true)
	}
	o := a.serviceOptions(a.flags)
	list, err := o.Trust().List(a.ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		a.say("no folder is trusted; handex trust DIR trusts one")
		return errNone
	}
	for _, dir := range list {
		if _, err := io.WriteString(a.out, render.Path(dir)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// untrustCmd is the command that makes briefings no longer quote handoffs that came with a
// clone.
type untrustCmd struct {
	Dir string `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
}

// Run removes a folder from the list of trusted folders.
func (c *untrustCmd) Run(a *app) error { return a.setTrust(c.Dir, false) }

// setTrust adds a folder to the list of trusted folders, or removes it. It returns errNone
// if a folder to be removed was not in the list.
func (a *app) setTrust(name string, trusted bool) error {
	o := a.serviceOptions(a.flags)
	file := o.Trust()
	if file.File == "" {
		return errors.New("there is no folder for the list of trusted folders: neither HOME nor XDG_STATE_HOME is set")
	}
	dir, err := a.env.Folder(name)
	if err != nil && !trusted {
		dir, err = a.env.Absolute(name), nil // it may be gone
	}
	if err != nil {
		return err
	}
	isNew, err := file.Set(a.ctx, dir, trusted, a.env.Now())
	switch {
	case err != nil:
		return err
	case trusted && isNew:
		a.say("trusted: " + dir)
	case trusted:
		a.say("already trusted: " + dir)
	case isNew:
		a.say("no longer trusted: " + dir)
	default:
		a.say("not trusted: " + dir)
		return errNone
	}
	return nil
}
