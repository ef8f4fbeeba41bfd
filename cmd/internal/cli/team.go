package cli

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/cmd/internal/team"
	"github.com/OWNER/handex/index"
)

// teamCmd is the group of commands that share handoffs with other machines and people.
type teamCmd struct {
	Share    teamShareCmd    `cmd:"" help:"Send the handoffs of a project to its git remote, from now on."`
	Unshare  teamUnshareCmd  `cmd:"" help:"Stop sending them, and delete what was sent."`
	Follow   teamFollowCmd   `cmd:"" help:"Fetch the handoffs that others share."`
	Unfollow teamUnfollowCmd `cmd:"" help:"Stop fetching them, and remove them from this machine."`
	Members  teamMembersCmd  `cmd:"" forms:"plain,json,jsonl" help:"List the members whose handoffs are on this machine."`
	Status   teamStatusCmd   `cmd:"" forms:"plain,json,jsonl" help:"Show what is shared and followed, and what went wrong."`
	Sync     teamSyncCmd     `cmd:"" help:"Send and fetch now."`
}

// team returns the Team of this machine, and the Service that it uses, which the caller
// closes. It is another Service than that of the run, so that a sync can run beside it.
func (a *app) team() (*team.Team, *service.Service, error) {
	o := a.serviceOptions(a.flags)
	dir := o.TeamDir()
	if dir == "" {
		return nil, nil, errors.New("there is no folder for shared handoffs: neither HOME nor XDG_DATA_HOME is set")
	}
	conf, err := a.env.Load()
	if err != nil {
		return nil, nil, err
	}
	s := service.New(o)
	return &team.Team{
		Dir: dir, Home: a.env.Home, Name: conf.Team.Member, Machine: conf.Team.Machine,
		Getenv: a.env.Getenv, Now: a.env.Clock, Index: s,
	}, s, nil
}

// withTeam calls run with the Team of this machine, and closes its Service afterwards.
func (a *app) withTeam(run func(*team.Team) error) error {
	t, s, err := a.team()
	if err != nil {
		return err
	}
	err = run(t)
	a.writeNotes(s.Notes()...)
	return errors.Join(err, s.Close())
}

// projectAt returns the root of the project that a folder is in. It returns an error if
// there is none.
func (a *app) projectAt(name string) (string, error) {
	dir, err := a.env.Folder(name)
	if err != nil {
		return "", err
	}
	root := a.service.Project(dir)
	if !filepath.IsAbs(root) {
		return "", fmt.Errorf("%s is not in a project", dir)
	}
	return root, nil
}

// teamShareCmd is the command that shares the handoffs of a project.
type teamShareCmd struct {
	Dir      string `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
	Remote   string `help:"Send to this remote, for example a repository for all projects." placeholder:"NAME|URL"`
	Branches bool   `help:"Use refs/heads/handex, for hosts that refuse refs/handex."`
	Adopt    bool   `help:"Continue from what this name sent before, if this machine lost its data folder."`
	Yes      bool   `short:"y" help:"Do not ask for confirmation."`
}

// Run shows what would leave this machine, asks for confirmation, and shares the project.
func (c *teamShareCmd) Run(a *app) error {
	root, err := a.projectAt(c.Dir)
	if err != nil {
		return err
	}
	return a.withTeam(func(t *team.Team) error {
		share, out, err := t.Plan(a.ctx, root, c.Remote, c.Branches)
		if err != nil {
			return err
		}
		if err := a.showOutgoing(share, out); err != nil {
			return err
		}
		if !c.Yes {
			if err := a.confirm("Share them from now on?"); err != nil {
				return err
			}
		}
		err = t.Share(a.ctx, share, c.Adopt)
		if errors.Is(err, team.ErrTaken) {
			return render.WithHint(err,
				"set another machine in [team] of the config file, or continue from these: handex team share --adopt")
		}
		if err != nil {
			return err
		}
		a.say("shared from now on: " + root)
		return a.sync(t, true, true)
	})
}

// shownPaths is how many paths of what would leave are listed.
const shownPaths = 20

// showOutgoing writes which files of a share would leave this machine, and to where.
func (a *app) showOutgoing(share team.Share, out *team.Outgoing) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, to %s as %s\n",
		render.Several(len(out.Files), "file"), share.Root, team.Shown(share.URL), share.Ref)
	paths := out.Paths()
	for _, path := range paths[:min(len(paths), shownPaths)] {
		b.WriteString("  " + render.Line(path) + "\n")
	}
	if more := len(paths) - shownPaths; more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	if out.Masked > 0 {
		fmt.Fprintf(&b, "%s masked\n", render.Several(out.Masked, "credential"))
	}
	if out.Others > 0 {
		fmt.Fprintf(&b, "%s not sent: written by others and committed to git\n", render.Several(out.Others, "file"))
	}
	for _, problem := range out.Problems {
		a.say("warning: " + problem)
	}
	return a.writeText(b.String())
}

// confirm asks a question at the terminal. It returns an error if there is no terminal or
// the answer is not yes.
func (a *app) confirm(question string) error {
	if !a.env.Stdout.IsTerminal() {
		return render.WithHint(errors.New("sharing needs confirmation, and there is no terminal"),
			"to share without confirmation, add --yes")
	}
	if err := a.writeText(question + " [y/N] "); err != nil {
		return err
	}
	answer, _ := bufio.NewReader(a.env.Stdin).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing was done")
	}
	return nil
}

// teamUnshareCmd is the command that stops sharing a project.
type teamUnshareCmd struct {
	Dir string `arg:"" optional:"" help:"A folder of the project (default: the working folder)."`
}

// Run stops sharing the project and deletes what was sent. It returns errNone if the
// project is not shared.
func (c *teamUnshareCmd) Run(a *app) error {
	root, err := a.projectAt(c.Dir)
	if err != nil {
		root = c.Dir
	}
	return a.withTeam(func(t *team.Team) error {
		share, err := t.Unshare(a.ctx, root)
		if err != nil {
			return err
		}
		if share == nil {
			a.say(root + " is not shared")
			return errNone
		}
		a.say("no longer shared: " + share.Root + "; " + share.Ref + " is deleted at " + team.Shown(share.URL))
		return a.sync(t, false, true)
	})
}

// teamFollowCmd is the command that fetches the handoffs that others share.
type teamFollowCmd struct {
	What string `arg:"" optional:"" name:"project|url" help:"A project, address or 'github.com/acme/*' (default: this project)."`
}

// Run adds the named project, address or pattern to what is followed, and fetches its
// handoffs.
func (c *teamFollowCmd) Run(a *app) error {
	return a.withTeam(func(t *team.Team) error {
		f, err := c.follow(a, t)
		if err != nil {
			return err
		}
		err = t.Change(a.ctx, func(c *team.Choices) error {
			if !slices.Contains(c.Follows, f) {
				c.Follows = append(c.Follows, f)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return a.sync(t, false, true)
	})
}

// follow returns what the argument of the command names: a pattern of keys, a folder, an
// address, or a project.
func (c *teamFollowCmd) follow(a *app, t *team.Team) (team.Follow, error) {
	if strings.HasSuffix(c.What, "*") {
		return team.Follow{Name: c.What, Key: strings.ToLower(c.What)}, nil
	}
	dir := c.What
	if _, err := a.env.Folder(dir); err != nil && !strings.Contains(c.What, ":") {
		if err := a.service.OpenAsIs(a.ctx); err != nil {
			return team.Follow{}, err
		}
		if found, err := a.service.LatestOf(a.ctx, c.What); err == nil && len(found) > 0 {
			dir = found[0].Root
		}
	}
	root, err := a.projectAt(dir)
	if err == nil && (dir == "" || index.FindWorkTree(root) != nil) { // a bare repository is an address
		clone, err := t.CloneAt(a.ctx, root, "")
		if err != nil {
			return team.Follow{}, err
		}
		return team.Follow{Name: root, URL: clone.URL, Key: clone.Key}, t.Link(a.ctx, clone.Key, clone.Root)
	}
	address, err := team.Address(c.What, a.env.WorkDir)
	if err == nil && !strings.Contains(c.What, ":") && !filepath.IsAbs(c.What) {
		err = fmt.Errorf("%q is not a project of this machine, an address, or a pattern such as 'github.com/acme/*'", c.What)
	}
	return team.Follow{Name: c.What, URL: address, Key: "*"}, err
}

// teamUnfollowCmd is the command that stops fetching the handoffs that others share.
type teamUnfollowCmd struct {
	What string `arg:"" optional:"" name:"project|url" help:"What status lists as followed (default: this project)."`
}

// Run removes the named project, address or pattern from what is followed, and its handoffs
// from this machine. It returns errNone if it is not followed.
func (c *teamUnfollowCmd) Run(a *app) error {
	root, _ := a.projectAt(c.What)
	return a.withTeam(func(t *team.Team) error {
		before, err := t.Choices()
		if err != nil {
			return err
		}
		is := func(f team.Follow) bool {
			return f.Name == root && root != "" || c.What != "" && (f.Name == c.What || f.URL == c.What)
		}
		if !slices.ContainsFunc(before.Follows, is) {
			a.say("it is not followed; handex team status lists what is followed")
			return errNone
		}
		err = t.Change(a.ctx, func(c *team.Choices) error {
			c.Follows = slices.DeleteFunc(c.Follows, is)
			return nil
		})
		if err != nil {
			return err
		}
		return a.sync(t, false, true)
	})
}
