package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/cmd/internal/team"
)

// teamSyncCmd is the command that sends and fetches handoffs once.
type teamSyncCmd struct {
	Push bool `xor:"way" help:"Send only."`
	Pull bool `xor:"way" help:"Fetch only."`
}

// Run sends what is shared and fetches what is followed, or with a flag does only one of
// them.
func (c *teamSyncCmd) Run(a *app) error {
	return a.withTeam(func(t *team.Team) error { return a.sync(t, !c.Pull, !c.Push) })
}

// errSync says that a part of a sync failed, which was told.
var errSync = errors.New("not everything could be sent and fetched")

// sync sends what is shared if push is set, fetches what is followed if pull is set, and
// writes what it did. It returns errSync if a part failed.
func (a *app) sync(t *team.Team, push, pull bool) error {
	report, err := t.Sync(a.ctx, push, pull)
	if s, ok := t.Index.(*service.Service); ok && err == nil {
		err = s.MirrorAcks(a.ctx)
	}
	for _, line := range report.Lines {
		a.say(line)
	}
	for _, problem := range report.Problems {
		a.say("warning: " + problem)
	}
	if err == nil && report.Failed {
		err = errSync
	}
	return err
}

// soon is how often a background sync looks whether something is to be sent.
const soon = 250 * time.Millisecond

// syncBeside syncs in the background of a watch; the function that it returns ends that. It
// sends as soon as the generation of the index or the acknowledgements change, and fetches
// once in the configured interval. received, if not nil, is called when handoffs or
// acknowledgements came.
func (a *app) syncBeside(generation func() uint64, received func()) (stop func()) {
	conf, err := a.env.Load()
	if err != nil || conf.Team.Interval == 0 || a.flags.NoRefresh {
		return func() {}
	}
	ctx, cancel := context.WithCancel(a.ctx)
	done := make(chan struct{})
	state := func() string {
		info, err := os.Stat(filepath.Join(a.env.StateDir(), "acks.jsonl"))
		if err != nil {
			return fmt.Sprint(generation())
		}
		return fmt.Sprint(generation(), info.Size(), info.ModTime())
	}
	go func() {
		defer close(done)
		tick := time.NewTicker(soon)
		defer tick.Stop()
		var told []string
		pulse := time.NewTicker(conf.Team.Interval)
		defer pulse.Stop()
		for sent, due := "", true; ; due = false {
			select {
			case <-pulse.C:
				due = true
			default:
			}
			if now := state(); due || now != sent {
				report := a.syncOnce(ctx, due)
				for _, problem := range report.Problems {
					if !slices.Contains(told, problem) && ctx.Err() == nil {
						a.line("warning: team: " + problem)
					}
				}
				told = report.Problems
				if report.Received && received != nil {
					received()
				}
				sent = now
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// syncOnce runs one sync in the background and returns its report. An error becomes a
// problem of the report.
func (a *app) syncOnce(ctx context.Context, pull bool) *team.Report {
	report := &team.Report{}
	t, s, err := a.team()
	if err == nil {
		if report, err = t.Sync(ctx, true, pull); err == nil {
			err = s.MirrorAcks(ctx)
		}
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		report.Problems = append(report.Problems, err.Error())
	}
	return report
}

// teamMembersCmd is the command that lists the other members.
type teamMembersCmd struct{}

// Run lists the members with their projects, number of files, remotes, and when their files
// last changed here.
func (teamMembersCmd) Run(a *app) error {
	return a.showTeam(func(s *teamState) [][]string {
		var rows [][]string
		for _, m := range s.members() {
			rows = append(rows, []string{
				m.Name, m.Key, render.Several(m.Files, "file"), a.formatTime(m.Written), team.Shown(m.URL),
			})
		}
		return rows
	})
}

// teamStatusCmd is the command that shows what is shared and followed.
type teamStatusCmd struct{}

// Run lists shares, follows and problems, and how the last attempt with each remote went.
func (teamStatusCmd) Run(a *app) error {
	return a.showTeam(func(s *teamState) [][]string {
		how := func(names ...string) (text string) {
			for _, name := range names {
				c := s.Contacts[name]
				switch {
				case c == nil:
					text = "not yet"
				case c.Problem != "":
					return c.Problem
				default:
					text = a.formatTime(c.At)
				}
			}
			return text
		}
		rows := [][]string{{"member", s.Self, "", ""}}
		for _, x := range s.Shares {
			rows = append(rows, []string{"shared", x.Root, team.Shown(x.URL) + " " + x.Ref, how(x.URL, x.Root)})
		}
		for _, f := range s.Follows {
			rows = append(rows, []string{"followed", f.Name, f.Key, how(f.URL)})
		}
		for _, m := range s.members() {
			for _, problem := range m.Problems {
				rows = append(rows, []string{"problem", m.Key + "/" + m.Name, "", problem})
			}
		}
		return rows
	})
}

// A teamState is the JSON of what is shared, followed and known of other members.
type teamState struct {
	Schema int    `json:"schema"`
	Self   string `json:"self"`
	team.Choices
	*team.State
}

// members returns the other members, sorted by project and name.
func (s *teamState) members() (list []*team.Member) {
	for _, id := range slices.Sorted(maps.Keys(s.Members)) {
		list = append(list, s.Members[id])
	}
	return list
}

// showTeam writes the state as of the last sync: as JSON, or else the rows that table makes
// of it. It returns errNone if there are no rows.
func (a *app) showTeam(table func(*teamState) [][]string) error {
	form := a.flags.asked()
	return a.withTeam(func(t *team.Team) (err error) {
		s := &teamState{Schema: render.Schema, State: t.State()}
		if s.Self, err = t.Self(a.ctx); err != nil {
			return err
		}
		if s.Choices, err = t.Choices(); err != nil {
			return err
		}
		if form == "json" || form == "jsonl" {
			return render.JSON(a.out, s)
		}
		rows := table(s)
		if len(rows) == 0 {
			a.say("there are no other members; handex team follow fetches what others share")
			return errNone
		}
		return a.table(rows, form)
	})
}
