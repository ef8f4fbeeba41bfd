package cli

import "handex/cmd/internal/render"

// whyCmd tells what becomes of a file.
type whyCmd struct {
	File string `arg:"" name:"path" help:"The file. One that does not exist is judged by its name."`
}

// Run tells whether the file is indexed, as what, and by which rule or not.
func (c *whyCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	roots, err := a.roots()
	if err != nil {
		return err
	}
	path := a.env.abs(c.File)
	verdict := judge(path, roots)
	if verdict.Indexed && verdict.Exists {
		if err := a.lookUp(&verdict); err != nil {
			return err
		}
	}
	if form != "" {
		err = render.JSON(a.out, verdict)
	} else {
		err = render.Why(a.out, verdict, a.options())
	}
	if err == nil && !verdict.Indexed {
		return errNone
	}
	return err
}
