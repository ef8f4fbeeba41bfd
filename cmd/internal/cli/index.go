package cli

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"handex/cmd/internal/render"
	"handex/index"
)

// indexCmd brings the index up to date, as every search does, and tells what
// it found.
type indexCmd struct {
	Full  bool   `help:"Read every file anew."`
	Prune bool   `help:"Believe that folders which vanished or became empty are gone, and drop their handoffs."`
	Only  string `help:"Look only at the project whose root is DIR." placeholder:"DIR"`
}

// Run refreshes the index and writes the counts.
func (c *indexCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	s, err := a.openAsIs()
	if err != nil {
		return err
	}
	o := index.RefreshOptions{Full: c.Full, Prune: c.Prune, Known: a.known()}
	if c.Only != "" {
		if o.Only, err = a.env.folder(c.Only); err != nil {
			return err
		}
	}
	bar := a.progress(&o)
	report, err := s.Refresh(a.ctx, s.roots, o)
	bar()
	for _, notice := range s.Notices() {
		a.note(notice)
	}
	if err != nil {
		return err
	}
	if form != "" {
		return render.ReportJSON(a.out, report)
	}
	return render.Report(a.out, report, a.options())
}

// progress shows on a terminal how far a refresh is; what it returns removes
// it.
func (a *app) progress(o *index.RefreshOptions) (done func()) {
	if !a.env.Stderr.IsTerminal() || a.flags.Quiet {
		return func() {}
	}
	bar := a.bar("reading handoffs", -1)
	o.Progress = func(p index.Progress) {
		if p.Total > 0 && bar.GetMax() != p.Total {
			bar = a.bar("reading handoffs", p.Total)
		}
		_ = bar.Set(p.Done)
	}
	return func() {
		_ = bar.Finish()
		_, _ = io.WriteString(a.env.Stderr, "\r\x1b[K")
	}
}

// bar is a bar on the standard error; a total of -1 is not known yet.
func (a *app) bar(what string, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(a.env.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(min(40, max(a.env.Stderr.Width-40, 10))),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
	)
}
