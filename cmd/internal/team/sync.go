package team

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A Report says what a sync did, a line for each, and what went wrong.
type Report struct {
	Lines    []string
	Problems []string
	Received bool // the mirror changed
	Failed   bool // a problem is no other member's: something was not sent, or not fetched
}

func (r *Report) line(format string, args ...any) {
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}
func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// fail reports a problem that is no other member's.
func (s *session) fail(format string, args ...any) {
	s.report.problem(format, args...)
	s.report.Failed = true
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A session is one run of Sync.
type session struct {
	*Team
	doubt   bool // git failed where nobody else had a part in it
	self    string
	choices Choices
	state   *state
	clones  []*Clone
	refs    map[string]map[string]string // by address; an address that could not be reached is missing
	report  *Report
}

// Sync sends what is shared and fetches what is followed. A remote that cannot be
// reached, and a member whose handoffs cannot be accepted, are problems of the report;
// the error is about this machine.
func (t *Team) Sync(ctx context.Context, push, pull bool) (*Report, error) {
	s := &session{Team: t, state: nil, refs: map[string]map[string]string{}, report: &Report{}}
	var err error
	if s.choices, err = t.Choices(); err != nil {
		return s.report, err
	}
	if len(s.choices.Shares)+len(s.choices.Follows) == 0 && len(t.readState().Members) == 0 {
		return s.report, nil
	}
	if s.self, err = t.Self(ctx); err != nil {
		return s.report, err
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return s.report, err
	}
	defer unlock()
	s.state = t.readState()
	if err := t.repo().Prepare(ctx); err != nil {
		return s.report, err
	}
	err = s.run(ctx, push, pull)
	s.keepHouse(ctx)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return s.report, errors.Join(err, t.store(context.WithoutCancel(ctx), stateFile, s.state))
}

func (s *session) run(ctx context.Context, push, pull bool) error {
	if err := s.findClones(ctx); err != nil {
		return err
	}
	s.contact(ctx)
	if push {
		if err := s.sendAll(ctx); err != nil {
			return err
		}
	}
	if !pull || ctx.Err() != nil {
		return ctx.Err()
	}
	err := s.receiveAll(ctx)
	if err == nil {
		err = s.linkClones(ctx)
	}
	if err == nil && s.report.Received {
		err = s.Index.Refresh(ctx)
	}
	if err == nil {
		err = s.importAcks(ctx, s.choices, s.state)
	}
	return err
}

// keepHouse packs what has become many small files, and has a damaged repository of
// handex made anew: all it has is here or at the remotes.
func (s *session) keepHouse(ctx context.Context) {
	repo := s.repo()
	if s.doubt && repo.Run(ctx, nil, nil, "fsck", "--connectivity-only", "--no-dangling", "--no-progress") != nil && ctx.Err() == nil {
		if os.RemoveAll(repo.Dir) == nil {
			s.report.line("the repository of handex was damaged; the next sync makes it anew")
		}
		return
	}
	if len(s.report.Lines) > 0 {
		_ = repo.Run(ctx, nil, nil, "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet") // the next one can do it, too
	}
}

// findClones finds the projects of this machine and their remotes.
func (s *session) findClones(ctx context.Context) error {
	roots, err := s.Index.ProjectRoots(ctx)
	if err != nil {
		return err
	}
	for _, share := range s.choices.Shares {
		roots = append(roots, share.Root)
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	found := make([]*Clone, len(roots))
	each(len(roots), func(i int) { found[i], _ = s.CloneAt(ctx, roots[i], "") }) // a project without a remote has no part in it
	for _, c := range found {
		if c != nil {
			s.clones = append(s.clones, c)
		}
	}
	return nil
}

// linkClones notes which folders of this machine are clones of what is mirrored.
func (s *session) linkClones(ctx context.Context) error {
	linked := map[string]bool{}
	for _, c := range s.clones {
		if _, err := os.Stat(s.mirror(filepath.FromSlash(c.Key))); err != nil || linked[c.Key] {
			continue
		}
		linked[c.Key] = true
		text, _ := os.ReadFile(s.mirror(filepath.FromSlash(c.Key), "clone"))
		now := strings.TrimSuffix(string(text), "\n")
		if slices.ContainsFunc(s.clones, func(other *Clone) bool { return other.Key == c.Key && other.Root == now }) {
			continue
		}
		if known, err := s.CloneAt(ctx, now, ""); now != "" && err == nil && known.Key == c.Key {
			continue // it has no handoffs of its own
		}
		if err := s.linkClone(c.Key, c.Root); err != nil {
			return err
		}
	}
	return nil
}

// each calls do for all numbers below n, a few at a time.
func each(n int, do func(int)) {
	var wg sync.WaitGroup
	turns := make(chan struct{}, 8)
	for i := range n {
		turns <- struct{}{}
		wg.Go(func() {
			do(i)
			<-turns
		})
	}
	wg.Wait()
}

// addresses returns the remotes that a sync talks to.
func (s *session) addresses() []string {
	set := map[string]bool{}
	for _, share := range s.choices.Shares {
		set[share.URL] = true
	}
	for _, f := range s.choices.Follows {
		if f.URL != "" {
			set[f.URL] = true
			continue
		}
		for _, c := range s.clones {
			if matches(f.Key, c.Key) {
				set[c.URL] = true
			}
		}
	}
	return sortedKeys(set)
}

// contact lists the refs of all remotes.
func (s *session) contact(ctx context.Context) {
	list := s.addresses()
	refs, errs := make([]map[string]string, len(list)), make([]error, len(list))
	each(len(list), func(i int) { refs[i], errs[i] = s.listRefs(ctx, list[i]) })
	for i, address := range list {
		c := s.state.Contacts[address]
		if c == nil {
			c = &Contact{}
			s.state.Contacts[address] = c
		}
		if errs[i] != nil {
			c.Problem = errs[i].Error()
			s.fail("%s: %v", Shown(address), errs[i])
			continue
		}
		c.At, c.Problem = s.Now(), ""
		s.refs[address] = refs[i]
	}
	maps.DeleteFunc(s.state.Contacts, func(address string, _ *Contact) bool { return !slices.Contains(list, address) })
}

// listRefs asks a remote for the commits of its members, by ref.
func (t *Team) listRefs(ctx context.Context, address string) (map[string]string, error) {
	refs := map[string]string{}
	err := t.repo().Network(ctx, 0, func(out io.Reader) error {
		in := bufio.NewScanner(out)
		for in.Scan() {
			id, ref, ok := strings.Cut(in.Text(), "\t")
			if !ok || !hashForm.MatchString(id) {
				continue
			}
			if len(refs) == maxMembers {
				return fmt.Errorf("it has more than %d members", maxMembers)
			}
			refs[ref] = id
		}
		return in.Err()
	}, "ls-remote", address, "--quiet", "--refs", address, "refs/handex/*", "refs/heads/handex/*")
	return refs, err
}

// sendAll sends each share whose remote can be reached. One that fails does not prevent
// the others.
func (s *session) sendAll(ctx context.Context) error {
	own, err := s.ownAcks(ctx)
	if err != nil {
		return err
	}
	for _, share := range s.choices.Shares {
		if _, ok := s.refs[share.URL]; !ok {
			continue
		}
		c := &Contact{At: s.Now()}
		if last := s.state.Sends[share.Root]; last != nil {
			c.At = last.At
		}
		if err := s.sendOne(ctx, share, own); err != nil {
			c.Problem = err.Error()
			s.fail("%s: %v", share.Key, err)
		} else {
			c.At = s.Now()
		}
		s.state.Sends[share.Root] = c
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func (s *session) sendOne(ctx context.Context, share Share, own []acked) error {
	if share.member() != s.self {
		return fmt.Errorf("it is shared as %s, and the configuration names this machine %s: unshare it, and share it again", share.member(), s.self)
	}
	out, err := s.collect(ctx, share)
	if err != nil {
		return err
	}
	for _, problem := range out.Problems {
		s.report.problem("%s: %s", share.Key, problem)
	}
	if err := s.recover(ctx, share); err != nil {
		return err
	}
	tip, what, err := s.send(ctx, share, out, s.linesOf(share, out, own))
	s.doubt = s.doubt || err != nil
	if err != nil || s.refs[share.URL][share.Ref] == tip {
		return err
	}
	if err := s.push(ctx, share, share.own()+":"+share.Ref); err != nil {
		return err
	}
	s.state.Pushed[share.pushed()] = tip
	s.report.line("sent %s to %s: %s (files: %d; credentials masked: %d)", share.Key, Shown(share.URL), cmp.Or(what, "all"), len(out.Files), out.Masked)
	return nil
}

// recover fetches the commits of a share from its remote if the repository of handex was
// lost.
func (s *session) recover(ctx context.Context, share Share) error {
	last := s.refs[share.URL][share.Ref]
	if last == "" || s.resolve(ctx, share.own()) != "" {
		return nil
	}
	if last != s.state.Pushed[share.pushed()] {
		return fmt.Errorf("%w: %s has %s already", ErrTaken, Shown(share.URL), share.Ref)
	}
	return s.fetch(ctx, share.URL, "+"+share.Ref+":"+share.own())
}

func (t *Team) fetch(ctx context.Context, address string, refspecs ...string) error {
	args := append([]string{"--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance", address}, refspecs...)
	return t.repo().Network(ctx, maxTransfer, nil, "fetch", address, args...)
}
