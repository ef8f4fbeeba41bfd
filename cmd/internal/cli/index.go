package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"handex/cmd/internal/render"
	"handex/index"
)

// indexCmd brings the index up to date, as every search does, and tells what
// it found.
type indexCmd struct {
	Full  bool   `help:"Read every file anew."`
	Prune bool   `help:"Believe that folders which vanished or became empty are gone, and drop their handoffs."`
	Git   bool   `help:"Find also what handoffs said in earlier commits of git."`
	Only  string `help:"Look only at the project whose root is DIR." placeholder:"DIR"`
}

// Run refreshes the index and writes the counts.
func (c *indexCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	o := index.RefreshOptions{Full: c.Full, Prune: c.Prune, Home: a.env.Home}
	if c.Only != "" {
		if o.Only, err = a.env.folder(c.Only); err != nil {
			return err
		}
		a.folders = index.KnownFoldersOf(a.rootEnv(), o.Only)
	}
	s, err := a.openAsIs()
	if err != nil {
		return err
	}
	o.Known = a.known()
	var taken *index.GitReport
	if c.Git {
		if taken, err = a.takeGit(o); err != nil {
			return err
		}
	}
	progress, wipe := a.progress()
	o.Progress = progress
	report, err := s.Refresh(a.ctx, s.roots, o)
	wipe()
	for _, notice := range s.Notices() {
		a.note(notice)
	}
	if err != nil {
		return err
	}
	if form != "" {
		return render.ReportJSON(a.out, report, taken)
	}
	return errors.Join(render.GitReport(a.out, taken), render.Report(a.out, report, a.options()))
}

// takeGit has the archive take what it lacks of the history of repositories.
func (a *app) takeGit(o index.RefreshOptions) (*index.GitReport, error) {
	report, err := a.store.TakeGit(a.ctx, a.store.roots, index.GitOptions{Getenv: a.env.Getenv, Known: o.Known, Home: o.Home})
	if errors.Is(err, index.ErrNoArchive) {
		return nil, hinted{err, "the archive is off: see [archive] in the config file, --no-archive and HANDEX_NO_ARCHIVE"}
	}
	return &report, err
}

// progress shows on a terminal how far a refresh is; wipe removes what it wrote.
// It is nil where nobody would see it.
func (a *app) progress() (show func(index.Progress), wipe func()) {
	if !a.env.Stderr.IsTerminal() || a.flags.Quiet {
		return nil, func() {}
	}
	width, shown := min(40, max(a.env.Stderr.Width-40, 10)), false
	show = func(p index.Progress) {
		shown = true
		_, _ = io.WriteString(a.env.Stderr, "\r\x1b[K"+bar(p, width))
	}
	return show, func() {
		if shown {
			shown = false
			_, _ = io.WriteString(a.env.Stderr, "\r\x1b[K")
		}
	}
}

// bar draws how far a refresh is. Kept libraries for it bring net/http along,
// which every start of the program would pay for.
func bar(p index.Progress, width int) string {
	if p.Total == 0 {
		return fmt.Sprintf("looking for handoffs: %d", p.Done)
	}
	full := min(p.Done, p.Total) * width / p.Total
	return fmt.Sprintf("reading handoffs [%s%s] %d of %d", strings.Repeat("=", full), strings.Repeat(" ", width-full), p.Done, p.Total)
}
