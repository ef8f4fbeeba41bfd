package cli

import (
	"errors"
	"io"
	"path/filepath"

	"handex/index"
)

// pathCmd prints where claude-suite keeps a project's handoffs.
type pathCmd struct {
	Dir string `arg:"" optional:"" help:"The project's folder; the working folder if left out."`
	V1  bool   `name:"v1" help:"By the first version of the contract, which replaces / and . only."`
}

// Run prints the folder, whether it exists or not.
func (c *pathCmd) Run(a *app) error {
	dir, err := a.env.folder(c.Dir)
	if err != nil {
		return err
	}
	if a.env.Home == "" {
		return errors.New("the home folder is not known: HOME is empty")
	}
	encode := index.EncodeV2
	if c.V1 {
		encode = index.EncodeV1
	}
	_, err = io.WriteString(a.out, filepath.Join(a.env.Home, ".claude", "handoffs", encode(dir))+"\n")
	return err
}

// realPath is where path leads.
func realPath(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(target)
}
