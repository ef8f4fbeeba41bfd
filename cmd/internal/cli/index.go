package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// indexCmd is the command that refreshes the index, as every search does, and reports what
// it found.
type indexCmd struct {
	Full  bool   `help:"Read every file again."`
	Prune bool   `help:"Treat missing or empty folders as deleted, and remove their handoffs from the index."`
	Git   bool   `help:"Also index earlier versions of handoffs in git commits."`
	Only  string `help:"Update only the project whose root is DIR." placeholder:"DIR"`
}

// Run refreshes the index and writes how many files and handoffs it found.
func (c *indexCmd) Run(a *app) (err error) {
	o := index.RefreshOptions{Full: c.Full, Prune: c.Prune}
	if c.Only != "" {
		if o.Only, err = a.env.Folder(c.Only); err != nil {
			return err
		}
		a.service.RestrictTo(o.Only)
	}
	var taken *index.GitReport
	if c.Git {
		if taken, err = a.service.ImportGit(a.ctx); err != nil {
			return err
		}
	}
	progress, wipe := a.progress()
	o.Progress = progress
	report, err := a.service.Update(a.ctx, o)
	wipe()
	a.writeNotes()
	if err != nil {
		return err
	}
	if a.flags.asked() != "" {
		return render.ReportJSON(a.out, report, taken)
	}
	return errors.Join(render.GitReport(a.out, taken), render.Report(a.out, report, a.options()))
}

// progress returns a function that shows on the terminal how far a refresh is, and one that
// removes this line. show is nil if nobody would see it.
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

// bar returns a line that shows how far a refresh is, with a bar of the given width.
// Maintained libraries for it bring net/http along, which would slow every start of the
// program.
func bar(p index.Progress, width int) string {
	if p.Total == 0 {
		return fmt.Sprintf("looking for handoffs: %d", p.Done)
	}
	full := min(p.Done, p.Total) * width / p.Total
	return fmt.Sprintf("reading handoffs [%s%s] %d of %d", strings.Repeat("=", full), strings.Repeat(" ", width-full),
		p.Done, p.Total)
}

// statusCmd is the command that shows the state of the index.
type statusCmd struct{}

// Run shows what is indexed and which files could not be. Having no index is not an error.
func (statusCmd) Run(a *app) error {
	form := a.flags.asked()
	// Having none is a state of the index.
	if err := a.open(); err != nil && !errors.Is(err, index.ErrNoIndex) {
		return err
	}
	status, err := a.service.Status(a.ctx)
	if err != nil {
		return err
	}
	if form != "" {
		return render.StatusJSON(a.out, status)
	}
	return render.Status(a.out, status, a.options())
}

// doctorCmd is the command that looks for everything that can be wrong with the index.
type doctorCmd struct {
	Fix     bool `help:"Repair what can be repaired, and report it."`
	Deep    bool `help:"Read every handoff again, not only a sample."`
	Verbose bool `short:"v" help:"Also show what was examined."`
}

// Run examines the index and, with --fix, repairs it. It returns errNone if findings
// remain.
func (c *doctorCmd) Run(a *app) error {
	form := a.flags.asked()
	checkup, err := a.service.Examine(a.ctx, c.Deep, c.Fix)
	if err != nil {
		return err
	}
	if form != "" {
		err = render.CheckupJSON(a.out, checkup)
	} else {
		err = render.Checkup(a.out, checkup, c.Verbose, a.options())
	}
	return orNone(err, len(checkup.Findings) == 0)
}
