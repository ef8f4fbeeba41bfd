package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// writeCmd is the command that makes a handoff.
type writeCmd struct {
	As       string   `required:"" help:"The format: flow-guardian, company, claude-suite, act (as .act/config.yaml says), ..." placeholder:"FORMAT"`
	Document string   `arg:"" optional:"" help:"- reads a JSON document, or the input of a hook, from the standard input."`
	Set      []string `help:"A field: goal, status, branch, ... or any key of the format. Repeat it for a list." placeholder:"KEY=VALUE" sep:"none"`
	Section  []string `help:"A section: next, done, gotchas, ... The text @FILE is read from a file, - from the standard input. Repeatable." placeholder:"KIND=TEXT" sep:"none"`
	Item     []string `help:"The id of a work item. Repeatable." placeholder:"ID" sep:"none"`
	File     []string `help:"A file that was changed; 'src/a.go (created)' also says how. Repeatable." placeholder:"PATH" sep:"none"`
	To       string   `help:"The receiver." placeholder:"AGENT"`
	Dir      string   `help:"A folder of the project (default: the working folder)." placeholder:"DIR"`
	Bare     bool     `help:"Fill in only what the specification of the format fills in."`
	Hook     bool     `help:"For hooks of agents: read the input of the hook, copy the open steps of the newest handoff, add what git shows as done since, save only if there is something to save, and never fail."`
	Editor   bool     `help:"Edit the text before it is checked."`
	Save     bool     `help:"Save it where the specification says, instead of printing it."`
	DryRun   bool     `name:"dry-run" help:"Show what saving would change, and change nothing."`
}

// Run makes a handoff and prints or saves it. With --hook an error is only written in a
// line and not returned: an agent would take another exit status for a refusal.
func (c *writeCmd) Run(a *app) error {
	if !c.Hook {
		return c.write(a)
	}
	c.Document = "-"
	if c.Save && !a.flags.errorsJSON() {
		a.env.Stdout.Writer = io.Discard // agents read what a hook writes to standard output
	}
	if err := c.write(a); err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		a.say("not saved: " + line)
	}
	return nil
}

// write makes the text of a handoff, checks it, and prints or saves it.
func (c *writeCmd) write(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	if err := service.MustBeOneOf("--as", c.As, author.WritableNames()); err != nil {
		return err
	}
	draft, unread, err := c.draft(a)
	if err != nil {
		return err
	}
	dir, err := a.env.Folder(cmp.Or(c.Dir, draft.Hook.Cwd))
	if err != nil {
		return err
	}
	o := author.Options{Bare: c.Bare, ForHook: c.Hook}
	if c.Hook {
		if o.Before, err = a.earlierIn(dir); err != nil {
			return err
		}
	}
	h, err := a.author().Compose(a.ctx, draft, dir, o)
	if err != nil {
		return err
	}
	if err := c.check(a, h); err != nil {
		if _, ok := errors.AsType[*author.InvalidError](err); ok && unread && !c.Editor {
			err = render.WithHint(err, "the standard input was not read; to read a document from it, add the argument -")
		}
		return err
	}
	if c.Save || c.DryRun {
		change, err := h.Save(a.ctx, c.DryRun)
		if err != nil {
			return err
		}
		if c.DryRun {
			return a.showChange(change)
		}
	}
	return a.showWritten(h, form)
}

// check returns an error if the text breaks a rule of its format. With --editor the person
// edits it first.
func (c *writeCmd) check(a *app, h *author.Handoff) error {
	if !c.Editor {
		return h.Check()
	}
	return a.edited(h.Name(), h.Text, func(text []byte) error {
		h.Text = text
		return h.Check()
	})
}

// earlierIn returns the newest handoffs of the project of a folder and the latest of each
// format, the newest first.
func (a *app) earlierIn(dir string) (before []*index.Handoff, err error) {
	project := dir
	if tree := index.FindWorkTree(dir); tree != nil {
		project = tree.InMain(dir)
	}
	err = a.service.ReadProject(a.ctx, dir, func(s *index.Store) error {
		r, err := s.Recent(a.ctx, project, maxEarlier)
		if err == nil {
			before = r.Handoffs
		}
		return err
	})
	return before, err
}

// maxEarlier is how many earlier handoffs a hook looks at.
const maxEarlier = 10

// draft returns a draft of what the flags say, and of the document on the standard input if
// there is to be one. unread reports that there may be input that was not read.
func (c *writeCmd) draft(a *app) (d *author.Draft, unread bool, err error) {
	d = author.NewDraft(c.As)
	for _, pair := range c.Set {
		key, value, ok := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return nil, false, render.WithHint(fmt.Errorf("--set: %q is not KEY=VALUE", pair),
				"--set goal='Tell the shopper when a price changed'")
		}
		d.Set(key, value)
	}
	if c.To != "" {
		d.Set("to", c.To)
	}
	d.WorkItems = append(d.WorkItems, c.Item...)
	for _, file := range c.File {
		d.AddFile(file)
	}
	spent, err := c.sections(a, d)
	if err != nil {
		return nil, false, err
	}
	silent := len(c.Set)+len(c.Section)+len(c.Item)+len(c.File) == 0 && c.To == "" && !c.Editor
	switch {
	case c.Document != "" && c.Document != "-":
		return nil, false, render.WithHint(fmt.Errorf("unexpected argument %s", c.Document),
			"a document is read only from the standard input, with the argument -")
	case c.Document == "-" && spent:
		return nil, false, errTwice
	case c.Document == "" && (!silent || a.typed()):
		return d, a.piped() && !spent, nil
	}
	text, err := a.standardInput()
	if err == nil && strings.TrimSpace(string(text)) != "" {
		err = d.ReadDocument(text)
	}
	return d, false, err
}

// sections adds the sections of the flags to the draft. spent reports whether one of them
// was read from the standard input.
func (c *writeCmd) sections(a *app, d *author.Draft) (spent bool, err error) {
	for _, pair := range c.Section {
		name, text, ok := strings.Cut(pair, "=")
		kind, known := parse.KindOf(strings.TrimSpace(name))
		var read []byte
		switch {
		case !ok:
			return spent, render.WithHint(fmt.Errorf("--section: %q is not KIND=TEXT", pair), "--section next='- call the bank'")
		case !known:
			return spent, render.WithHint(fmt.Errorf("--section: unknown kind of section %q", name),
				"a document can have sections of any heading; kinds: handex help fields")
		case text == "-" && spent:
			return spent, errTwice
		case text == "-":
			spent = true
			read, err = a.standardInput()
			text = string(read)
		case strings.HasPrefix(text, "@"):
			read, err = readText(a.env.Absolute(text[1:]))
			text = string(read)
		}
		if err != nil {
			return spent, fmt.Errorf("--section %s: %w", name, err)
		}
		d.AddSection(write.DraftSection{Kind: kind, Body: text})
	}
	return spent, nil
}

// showWritten writes the result for a new handoff: its text, or if it was saved its path,
// or the message for its receiver.
func (a *app) showWritten(h *author.Handoff, form string) error {
	if form != "" {
		return render.WrittenJSON(a.out, render.Written{
			Format: h.At.Format, Path: h.Path, Text: h.Text, Prompt: h.Prompt(), Losses: h.Lost, Problems: h.Doc.Problems,
			Removed: h.Removed,
		})
	}
	for _, l := range h.Lost {
		a.note(l.String())
	}
	for _, p := range h.Doc.Problems {
		a.note(p.Message)
	}
	h.SayRemoved("removed")
	out := h.Path + "\n"
	switch {
	case h.Path == "":
		out = string(h.Text)
	case h.Prompt() != "":
		a.say("saved, not sent yet: " + h.Path)
		out = h.Prompt()
	}
	return a.writeText(out)
}

// author returns what package author needs to write handoffs in this run.
func (a *app) author() author.Env { return a.env.author(a.say, a.service) }

// author returns the environment of package author: it reports by say, and earlier versions
// go to the archive of s.
func (e Env) author(say func(string), s *service.Service) author.Env {
	return author.Env{
		Places: e.Places, Now: e.Now, Zone: e.Zone, Say: say, Archive: s.KeepOld,
	}
}

// showChange writes a diff of the old and new text of a file.
func (a *app) showChange(c save.Change) error {
	if a.flags.errorsJSON() {
		return render.ChangeJSON(a.out, c.Path, c.Old, c.New)
	}
	return render.ChangeText(a.out, c.Path, c.Old, c.New, a.options())
}

// errTwice: what was read once is gone.
var errTwice = errors.New("the standard input can be read only once")

// maxInput is how much of the standard input is read, in bytes.
const maxInput = 4 << 20

// standardInput reads all of the standard input. It returns an error if that is larger than
// 4 MiB.
func (a *app) standardInput() ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(a.env.Stdin, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("the standard input is larger than %d bytes", maxInput)
	}
	return text, err
}

// piped reports whether the standard input is a file or a pipe, where text may wait.
func (a *app) piped() bool {
	f, ok := a.env.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

// edited writes text to a temporary file with a name, opens it in the person's editor, and
// calls check with the result. If check returns an error, the file stays, and the error
// names it.
func (a *app) edited(name string, text []byte, check func([]byte) error) error {
	dir, err := os.MkdirTemp("", "handex-")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	if err := a.openInEditor(a.env.Stderr.Writer, file); err != nil {
		return render.WithHint(err, "the text is in "+file)
	}
	if text, err = readText(file); err != nil {
		return err
	}
	if strings.TrimSpace(string(text)) == "" {
		return errors.Join(errors.New("the text is empty; nothing is written"), os.RemoveAll(dir))
	}
	if err := check(text); err != nil {
		return render.WithHint(err, "the text is in "+file)
	}
	return os.RemoveAll(dir)
}

// openInEditor opens files in the person's editor and waits for it. Output of the editor
// goes to out.
func (a *app) openInEditor(out io.Writer, files ...string) error {
	return a.openWith(cmp.Or(a.env.Getenv("VISUAL"), a.env.Getenv("EDITOR"), "vi"), out, files...)
}

// openWith runs a command with files as its last arguments and waits for it. Output of the
// command goes to out.
func (a *app) openWith(command string, out io.Writer, files ...string) error {
	words, err := splitWords(command)
	if err != nil || len(words) == 0 {
		return fmt.Errorf("EDITOR: %w", errors.Join(err, errors.New("the command is empty")))
	}
	args := slices.Concat(words[1:], files)
	cmd := exec.CommandContext(a.ctx, words[0], args...) //nolint:gosec // the user's own editor
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.env.Stdin, out, a.env.Stderr.Writer
	err = cmd.Run()
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	return err
}

// table writes rows as an aligned table, or in the form plain with tabs between the
// columns.
func (a *app) table(rows [][]string, form string) error {
	if form == "plain" {
		return render.TSV(a.out, rows)
	}
	return render.Table(a.out, nil, rows, a.options())
}
