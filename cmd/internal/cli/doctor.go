package cli

import (
	"errors"
	"fmt"
	"slices"

	"handex/cmd/internal/render"
	"handex/index"
)

// doctorCmd looks for everything that can be wrong with the index.
type doctorCmd struct {
	Fix  bool `help:"Put right what can be put right, and tell what was done."`
	Deep bool `help:"Read every handoff again, and not a sample."`
}

// Run examines the index. Findings that are left are exit status 1.
func (c *doctorCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	checkup, err := c.examine(a)
	if err != nil {
		return err
	}
	if form != "" {
		err = render.CheckupJSON(a.out, checkup)
	} else {
		err = render.Checkup(a.out, checkup, a.options())
	}
	if err == nil && len(checkup.Findings) > 0 {
		return errNone
	}
	return err
}

// examine examines, and with Fix once more after what was found is put right.
func (c *doctorCmd) examine(a *app) (*render.Examined, error) {
	checkup := &render.Examined{}
	if err := c.outside(a, checkup); err != nil || len(checkup.Findings) > 0 {
		return checkup, err
	}
	s, err := a.openAsIs()
	if err != nil {
		return nil, err
	}
	o := index.RefreshOptions{Known: a.known(), Home: a.env.Home}
	found, err := s.Examine(a.ctx, s.roots, o, c.Deep)
	if err != nil {
		return nil, err
	}
	if c.Fix && slices.ContainsFunc(found.Findings, func(f index.Finding) bool { return f.Remedy != "" }) {
		if err := c.remedy(a, found.Findings, checkup); err != nil {
			return nil, err
		}
		if found, err = s.Examine(a.ctx, s.roots, o, c.Deep); err != nil {
			return nil, err
		}
	}
	checkup.Facts = append(found.Facts, checkup.Facts...)
	checkup.Findings = append(found.Findings, checkup.Findings...)
	return checkup, nil
}

// outside looks at what has to be right before the index can be opened: the
// config file, and who may write to the folder.
func (c *doctorCmd) outside(a *app, checkup *render.Examined) error {
	if checkup.Findings = a.configFindings(); checkup.Findings != nil {
		return nil
	}
	options, err := a.indexOptions()
	if err != nil || options.Dir == "" {
		return err
	}
	if c.Fix {
		narrowed, err := index.NarrowRights(options.Dir)
		for _, path := range narrowed {
			checkup.Done = append(checkup.Done, "took the rights of others to "+path)
		}
		return err
	}
	exposed := index.Exposed(options.Dir)
	if !slices.Contains(exposed, options.Dir) {
		return nil
	}
	checkup.Findings = append(checkup.Findings, index.Finding{Code: "rights", Text: "others can write to " + options.Dir, Remedy: index.Narrow})
	return nil
}

// configFindings is what is wrong with the config file.
func (a *app) configFindings() []index.Finding {
	if _, err := a.config(); err != nil {
		return []index.Finding{{Code: "config", Text: err.Error()}}
	}
	return nil
}

// remedy puts findings right, each kind once.
func (c *doctorCmd) remedy(a *app, findings []index.Finding, checkup *render.Examined) error {
	s := a.store
	o := index.RefreshOptions{Known: a.known(), Home: a.env.Home}
	wanted := map[index.Remedy]string{}
	for _, f := range slices.Backward(findings) {
		wanted[f.Remedy] = f.Text
	}
	did := func(format string, args ...any) { checkup.Done = append(checkup.Done, fmt.Sprintf(format, args...)) }
	if cause, ok := wanted[index.Rebuild]; ok {
		report, err := s.Mend(a.ctx, s.roots, o, errors.New(cause))
		if err != nil {
			return err
		}
		did("built the index anew: %s", render.Indexed(report))
	} else if _, ok := wanted[index.Refresh]; ok {
		report, err := s.Refresh(a.ctx, s.roots, o)
		if err != nil {
			return err
		}
		did("brought the index up to date: %d added, %d updated, %d removed", report.Added, report.Updated, report.Removed)
	}
	s.Notices() // what they say is told here
	swept, err := s.Sweep(a.ctx)
	for _, path := range swept {
		did("removed %s", path)
	}
	return err
}
