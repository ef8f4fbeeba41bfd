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

// teamSyncCmd sends and fetches.
type teamSyncCmd struct {
	Push bool `xor:"way" help:"Send only."`
	Pull bool `xor:"way" help:"Fetch only."`
}

// Run syncs once.
func (c *teamSyncCmd) Run(a *app) error {
	return a.withTeam(func(t *team.Team) error { return a.sync(t, !c.Pull, !c.Push) })
}

// errSync says that a part of a sync failed, which was told.
var errSync = errors.New("not everything could be sent and fetched")

// sync runs a sync and writes what it did.
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

// syncBeside syncs in the background of a watch, and returns what ends that. It sends as
// soon as the generation of the index or the acknowledgements change, and does all else
// once in an interval. received, if not nil, is called when something came.
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

// syncOnce runs one sync in the background. What it cannot do is a problem of its report.
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

// teamMembersCmd lists the other members.
type teamMembersCmd struct{}

// Run lists them.
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

// teamStatusCmd shows the state of the sharing.
type teamStatusCmd struct{}

// Run shows it.
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

// A teamState is the state of the sharing, for programs.
type teamState struct {
	Schema int    `json:"schema"`
	Self   string `json:"self"`
	team.Choices
	*team.State
}

// members returns the other members, by project and name.
func (s *teamState) members() (list []*team.Member) {
	for _, id := range slices.Sorted(maps.Keys(s.Members)) {
		list = append(list, s.Members[id])
	}
	return list
}

// showTeam writes the state as of the last sync, as a table or whole for programs.
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
