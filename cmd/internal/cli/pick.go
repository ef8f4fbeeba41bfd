package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	fzf "github.com/junegunn/fzf/src"

	"github.com/OWNER/handex/cmd/internal/hooks"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// pickCmd is the command that lets a person choose among hits.
type pickCmd struct {
	narrowing
	Query []string `arg:"" optional:"" help:"The query, as in search (default: all handoffs)."`
	Edit  bool     `short:"e" help:"Open the chosen handoffs in $EDITOR instead of printing their ids."`
}

const (
	// mostPicked is how many hits are listed if --limit does not say.
	mostPicked = 2000
	// projectWidth is how much of a project's name a line has.
	projectWidth = 20
	// editKey opens what is chosen.
	editKey = "ctrl-o"
)

// Run shows the list and prints the ids of the chosen handoffs, or opens them in the
// editor.
func (c *pickCmd) Run(a *app) error {
	form := a.flags.asked()
	text, err := c.add(a, strings.Join(c.Query, " "))
	if err != nil {
		return err
	}
	q, err := a.openQuery(text, cmp.Or(a.flags.Limit, new(mostPicked)), query.Parse)
	if err != nil {
		return err
	}
	answer, err := a.service.Search(a.ctx, q, service.SearchOptions{NoSnippets: true, NoDiagnosis: a.flags.Quiet})
	if err != nil {
		return err
	}
	if answer.Result.Buckets != nil {
		return errors.New("pick lists handoffs; remove what counts or groups them")
	}
	if len(answer.Result.Hits) == 0 {
		return a.answer(answer)
	}
	a.writeAnswerNotes(answer)
	chosen, edit, err := a.choose(answer.Result.Hits, answer.Result.Total)
	if err != nil {
		return err
	}
	if c.Edit || edit {
		return a.openInEditor(a.env.Stdout.Writer, filesOf(chosen)...)
	}
	return a.records(rowsOf(chosen...), cmp.Or(form, "ids"), nil)
}

// filesOf returns the paths of the handoffs' files, each once.
func filesOf(list []index.Summary) (files []string) {
	for _, h := range list {
		if !slices.Contains(files, h.Path) {
			files = append(files, h.Path)
		}
	}
	return files
}

// openCmd is the command that opens handoffs in the person's editor or, if none is set, in
// the program of the desktop.
type openCmd struct {
	Refs []string `arg:"" name:"id|path" help:"The handoffs, as in show."`
}

// editCmd is the command that opens handoffs in the person's editor, vi if none is set.
type editCmd struct{ openCmd }

// Run opens the files of the handoffs in the editor.
func (c *editCmd) Run(a *app) error { return c.run(a, "vi") }

// Run opens the files of the handoffs in the editor, or if none is set, in the program of
// the desktop.
func (c *openCmd) Run(a *app) error {
	return c.run(a, cmp.Or(map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS], "xdg-open"))
}

// run opens the handoffs with $VISUAL or $EDITOR, or if neither is set, with the program
// other.
func (c *openCmd) run(a *app, other string) error {
	var list []index.Summary
	for _, ref := range c.Refs {
		h, err := a.findOne(ref)
		if err != nil {
			return err
		}
		list = append(list, h)
	}
	command := cmp.Or(a.env.Getenv("VISUAL"), a.env.Getenv("EDITOR"))
	if command != "" || other == "vi" {
		return a.openWith(cmp.Or(command, other), a.env.Stdout.Writer, filesOf(list)...)
	}
	for _, file := range filesOf(list) { // such programs take one
		if err := a.openWith(other, a.env.Stdout.Writer, file); err != nil {
			return err
		}
	}
	return nil
}

// choose shows hits in a list with a preview and returns those that the person chose. edit
// reports whether they asked to open them in an editor. total is how many hits there are.
func (a *app) choose(hits []index.Hit, total int) (chosen []index.Summary, edit bool, err error) {
	preview, err := a.previewCommand()
	if err != nil {
		return nil, false, err
	}
	header := "Enter: print its id   Tab: several   Ctrl-O: open   Esc: leave"
	if total > len(hits) {
		header = fmt.Sprintf("the newest %d of %d   %s", len(hits), total, header)
	}
	options, err := fzf.ParseOptions(false, []string{
		"--delimiter=\t", "--with-nth=2", "--multi", "--exact", "--no-sort", "--layout=reverse", "--info=inline-right",
		"--prompt=handoffs> ", "--header=" + header,
		"--preview=" + preview, "--preview-window=right,55%,wrap,border-left,<50(down,55%,wrap,border-top)", "--expect=" +
			editKey,
		"--bind=ctrl-d:preview-half-page-down,ctrl-u:preview-half-page-up",
	})
	if err != nil {
		return nil, false, err
	}
	input := make(chan string)
	go func() {
		defer close(input)
		for _, h := range hits {
			select {
			case input <- h.ID + "\t" + pickLine(h):
			case <-a.ctx.Done():
				return
			}
		}
	}()
	var lines []string
	options.Input, options.Printer = input, func(line string) { lines = append(lines, line) }
	switch code, err := fzf.Run(options); {
	case err != nil:
		err = fmt.Errorf("pick cannot use the terminal: %w", err)
		return nil, false, render.WithHint(err, "without a terminal, use: handex search --ids")
	case code == fzf.ExitInterrupt:
		return nil, false, errLeft
	case code != fzf.ExitOk || len(lines) < 2:
		return nil, false, errNone
	}
	for _, line := range lines[1:] {
		id, _, _ := strings.Cut(line, "\t")
		if i := slices.IndexFunc(hits, func(h index.Hit) bool { return h.ID == id }); i >= 0 {
			chosen = append(chosen, hits[i].Summary)
		}
	}
	return chosen, lines[0] == editKey, nil
}

// errLeft ends a run that the person left.
var errLeft = errors.New("nothing was chosen")

// pickLine returns the line of a hit in the list: date, project, title and states.
func pickLine(h index.Hit) string {
	project := render.Line(h.Project)
	if utf8.RuneCountInString(project) > projectWidth {
		project = string([]rune(project)[:projectWidth-1]) + "…"
	}
	words := []string{
		fmt.Sprintf("%s  %-*s", h.Date.Format(time.DateOnly), projectWidth, project),
		render.Title(h.Summary),
	}
	for _, state := range []string{"escalated", "blocked", "open"} {
		if slices.Contains(h.States, state) && !render.Quiet(state, h.States) {
			words = append(words, "["+render.StateWord(state)+"]")
		}
	}
	return strings.Join(words, "  ")
}

// previewCommand returns the shell command that shows the handoff of a line of the list,
// from the same index.
func (a *app) previewCommand() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	shell := hooks.POSIX
	if runtime.GOOS == "windows" {
		shell, self = hooks.CommandPrompt, filepath.ToSlash(self)
	}
	words := []string{shell.Quote(self), "show", "{1}", "--color=always", "--no-pager", "--no-refresh"}
	add := func(flag string, values ...string) {
		for _, v := range values {
			words = append(words, flag, shell.Quote(v))
		}
	}
	add("--root", a.flags.Root...)
	add("--include", a.flags.Include...)
	add("--exclude", a.flags.Exclude...)
	if a.flags.Index != "" {
		add("--index", a.flags.Index)
	}
	return strings.Join(words, " "), nil
}
