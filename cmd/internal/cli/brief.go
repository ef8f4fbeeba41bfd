package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/brief"
	"handex/index"
)

// briefCmd tells a session that begins what the ones before it left.
type briefCmd struct {
	Dir      string        `arg:"" optional:"" help:"A folder of the project; the hook's, or else the working folder, if left out."`
	For      string        `help:"Write for claude, codex, gemini, cursor, opencode or copilot, or as plain, markdown, json or xml." placeholder:"AGENT" enum:"claude,codex,gemini,cursor,opencode,copilot,plain,markdown,json,xml" default:"plain"`
	To       string        `help:"Begin with what is addressed to NAME; the agent, if left out." placeholder:"NAME"`
	Budget   string        `help:"Write at most N characters, bytes (Nb) or tokens (Nt); 8000 if left out." placeholder:"N"`
	Timeout  time.Duration `help:"Give up after that long." default:"1s" placeholder:"TIME"`
	Now      string        `help:"Count ages to TIME, as 2026-02-10T12:00:00Z." placeholder:"TIME"`
	NoRedact bool          `name:"no-redact" help:"Leave what looks like a credential as it is."`
}

// Help tells what a hook has to know.
func (*briefCmd) Help() string {
	return "Nothing is written where there is nothing to tell, for agents that an agent started, and where an agent runs for a program. " +
		"Whatever goes wrong is one line on standard error and exit status 0: a session is never held up. docs/briefing.md tells all of it."
}

// stdinPatience is how long the JSON of a hook is waited for.
const stdinPatience = 300 * time.Millisecond

// briefMemory is from where on garbage is collected.
const briefMemory = 128 << 20

// errLate ends a briefing that took too long.
var errLate = errors.New("it took longer than --timeout allows")

// Run writes the briefing. All that can wait for a disk or another program is done
// aside, so that it can be left behind.
func (c *briefCmd) Run(a *app) error {
	if c.Timeout <= 0 {
		return errors.New("--timeout must be longer than 0")
	}
	type result struct {
		text, notes string
		err         error
	}
	// It is over before collecting garbage is worth its while, or having threads look
	// for work.
	debug.SetMemoryLimit(briefMemory)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	done, closed := make(chan result, 1), make(chan bool)
	ctx, stop := context.WithTimeout(a.ctx, c.Timeout)
	aside := *a
	aside.ctx, aside.scratches = ctx, make(chan string, 2)
	var notes bytes.Buffer
	aside.env.Stderr = Stream{Writer: &notes}
	go func() {
		text, err := c.text(&aside)
		done <- result{text, notes.String(), err}
		if aside.store != nil {
			_ = aside.store.Close() // the session has its briefing: the next run tells
		}
		close(closed)
	}()
	// Closing can wait for the disk too, and is waited for with all written.
	a.last = func() {
		defer stop()
		select {
		case <-closed:
		case <-ctx.Done():
			for len(aside.scratches) > 0 { // nobody else will
				_ = os.RemoveAll(<-aside.scratches)
			}
		}
	}
	select {
	case r := <-done:
		if r.err != nil && ctx.Err() != nil {
			return cmp.Or(a.ctx.Err(), errLate)
		}
		if line, _, told := strings.Cut(r.notes, "\n"); told && r.err == nil {
			_, _ = io.WriteString(a.env.Stderr, line+"\n")
		}
		_, err := io.WriteString(a.out, r.text)
		return errors.Join(r.err, err)
	case <-ctx.Done():
		return cmp.Or(a.ctx.Err(), errLate)
	}
}

// excused is the exit status of a briefing: a session begins whatever is wrong,
// which is told in a line. A person who mistypes is told so.
func (a *app) excused(err error, args []string) int {
	usage, isUsage := errors.AsType[*kong.ParseError](err)
	forAgent := slices.ContainsFunc(args, func(arg string) bool { return arg == "--for" || strings.HasPrefix(arg, "--for=") })
	switch {
	case isUsage && !forAgent:
		return a.exit(usage)
	case err != nil:
		line, _, _ := strings.Cut(err.Error(), "\n")
		a.say("no briefing: " + line)
	}
	return exitFound
}

// text is what there is to write, "" for nothing.
func (c *briefCmd) text(a *app) (string, error) {
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
	now, err := clock(a.env.Now, c.Now)
	if err != nil {
		return "", fmt.Errorf("--now: %w", err)
	}
	a.env.Now = now
	dir, wanted := c.session(a, form)
	if !wanted {
		return "", nil
	}
	facts, err := c.gather(a, form, dir)
	if err != nil {
		return "", err
	}
	b := brief.Compose(facts, form.Shape, brief.ComposeOptions{Budget: budget, Now: now(), KeepSecrets: c.NoRedact})
	if b == nil {
		return "", nil
	}
	return form.Write(b), nil
}

// session is the folder the session begins in, and whether it is one to brief.
func (c *briefCmd) session(a *app, form brief.Agent) (dir string, wanted bool) {
	if !form.Hook {
		return c.Dir, true
	}
	// Programs that run Claude Code say so.
	if strings.HasPrefix(a.env.Getenv("CLAUDE_CODE_ENTRYPOINT"), "sdk") {
		return "", false
	}
	if a.typed() {
		return c.Dir, true
	}
	hook, ok := brief.ReadHook(a.env.Stdin, min(stdinPatience, c.Timeout/2))
	return cmp.Or(c.Dir, hook.Dir()), !ok || hook.Wanted()
}

// gather brings the index up to date for the project of a folder, and reads what
// there is to tell.
func (c *briefCmd) gather(a *app, form brief.Agent, dir string) (*brief.Facts, error) {
	dir, err := a.env.folder(cmp.Or(dir, a.env.WorkDir))
	if err != nil {
		return nil, err
	}
	trusted, err := a.trusts(dir)
	if err != nil {
		return nil, err
	}
	to := c.To
	if to == "" && form.IsAgent() {
		to = form.Name
	}
	o := brief.Options{Agent: strings.ToLower(to), Trusted: trusted, Getenv: a.env.Getenv}
	var facts *brief.Facts
	err = newHurry(a, dir).gather(func(s *index.Store) (found bool, err error) {
		facts, err = brief.Gather(a.ctx, s, dir, o)
		return err == nil && facts.Total > 0, err
	})
	return facts, err
}

// trusts reports whether a folder is trusted, in its own work tree or in the main
// one.
func (a *app) trusts(dir string) (bool, error) {
	held, err := a.env.trust().Holds(dir)
	if w := index.FindWorkTree(dir); err == nil && !held && w != nil {
		held, err = a.env.trust().Holds(w.InMain(dir))
	}
	return held, err
}

// trust is where trusted projects are kept.
func (e Env) trust() brief.Trust {
	if e.StateHome == "" {
		return brief.Trust{}
	}
	return brief.Trust{File: filepath.Join(e.StateHome, "handex", "trust.jsonl")}
}
