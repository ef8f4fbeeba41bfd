package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/author"
	"github.com/OWNER/handex/cmd/internal/render"
)

// updateCmd is the command that changes keys of the project's flow-guardian handoff.
type updateCmd struct {
	Pairs  []string `arg:"" optional:"" name:"key=value" help:"A key and its value; an empty value or null empties the key, a repeated key makes a list. - reads a JSON object, or the input of a hook."`
	Dir    string   `help:"A folder of the project (default: the working folder)." placeholder:"DIR"`
	DryRun bool     `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Run changes keys of the handoff and prints the path of its file; with --dry-run it shows
// the change.
func (c *updateCmd) Run(a *app) error {
	keys, hook, err := c.keys(a)
	if err != nil {
		return err
	}
	dir, err := a.env.Folder(cmp.Or(c.Dir, hook.Cwd))
	if err != nil {
		return err
	}
	change, err := a.author().Update(a.ctx, dir, keys, hook.Session, c.DryRun)
	switch {
	case err != nil:
		return err
	case c.DryRun || a.flags.errorsJSON():
		return a.showChange(change)
	}
	return a.writeText(change.Path + "\n")
}

// keys returns the keys and values of the arguments, in their order, and the input of a
// hook if the standard input has one.
func (c *updateCmd) keys(a *app) (keys author.Keys, hook author.Hook, err error) {
	for i, pair := range c.Pairs {
		if pair == "-" {
			if slices.Contains(c.Pairs[:i], "-") {
				return nil, hook, errTwice
			}
			text, err := a.standardInput()
			if err != nil {
				return nil, hook, fmt.Errorf("the document: %w", err)
			}
			if hook, err = keys.ReadDocument(text); err != nil {
				return nil, hook, err
			}
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return nil, hook, render.WithHint(fmt.Errorf("%q is not key=value", pair),
				"handex update now='Debugging token expiry' status=blocked")
		}
		if value == "" || value == "null" {
			keys.Add(key)
		} else {
			keys.Add(key, value)
		}
	}
	return keys, hook, nil
}

// clearCmd is the command that removes the project's flow-guardian handoff.
type clearCmd struct {
	Dir    string `help:"A folder of the project (default: the working folder)." placeholder:"DIR"`
	DryRun bool   `name:"dry-run" help:"Show what would be removed, and remove nothing."`
}

// Run removes the file of the handoff, or with --dry-run shows that. It returns errNone if
// there is none.
func (c *clearCmd) Run(a *app) error {
	dir, err := a.env.Folder(c.Dir)
	if err != nil {
		return err
	}
	change, err := a.author().Clear(a.ctx, dir, c.DryRun)
	switch {
	case err == nil && change.Old == nil:
		a.say("no such file: " + change.Path)
		return errNone
	case err == nil && c.DryRun:
		return a.showChange(change)
	}
	return err
}
