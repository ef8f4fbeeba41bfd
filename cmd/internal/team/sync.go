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

	"golang.org/x/sync/errgroup"
)

// A Report is what a sync did, a line for each change, and what went wrong.
type Report struct {
	Lines    []string
	Problems []string
	Received bool // the mirror changed
	Failed   bool // a problem is no other member's: something was not sent, or not fetched
}

// line adds a formatted line on what the sync did.
func (r *Report) line(format string, args ...any) {
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}

// problem adds a formatted problem.
func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// fail adds a formatted problem that is not caused by another member, and marks the sync as
// failed.
func (r *Report) fail(format string, args ...any) {
	r.problem(format, args...)
	r.Failed = true
}

// A session is one run of Sync.
type session struct {
	*Team
	Choices
	*State
	*Report
	self   string
	doubt  bool // git failed where nobody else had a part in it
	clones []*Clone
	refs   map[string]map[string]string // by address; one that could not be reached is missing
}

// Sync sends what is shared if push is set, and fetches what is followed if pull is set. A
// remote that cannot be reached, and a member whose handoffs cannot be accepted, are
// problems of the report; an error means that something failed on this machine.
func (t *Team) Sync(ctx context.Context, push, pull bool) (*Report, error) {
	s := &session{Team: t, refs: map[string]map[string]string{}, Report: &Report{}}
	var err error
	if s.Choices, err = t.Choices(); err != nil {
		return s.Report, err
	}
	if len(s.Shares)+len(s.Follows)+len(t.State().Members) == 0 {
		return s.Report, nil
	}
	if s.self, err = t.Self(ctx); err != nil {
		return s.Report, err
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return s.Report, err
	}
	defer unlock()
	s.State = t.State()
	if err := t.repo().Prepare(ctx); err != nil {
		return s.Report, err
	}
	err = cmp.Or(s.run(ctx, push, pull), ctx.Err())
	s.keepHouse(ctx)
	return s.Report, errors.Join(err, t.store(context.WithoutCancel(ctx), stateFile, s.State))
}

// run does the work of a sync, once its state is read and the repository of handex is
// prepared.
func (s *session) run(ctx context.Context, push, pull bool) error {
	if err := s.findClones(ctx); err != nil {
		return err
	}
	if pull {
		s.askRemotes(ctx)
	}
	if push {
		if err := s.sendAll(ctx, pull); err != nil {
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
	if err == nil && s.Received {
		err = s.Index.Refresh(ctx)
	}
	if err == nil {
		err = s.importAcks(ctx, s.Shares, s.Members)
	}
	return err
}

// keepHouse lets git pack the repository of handex if much was added. If the repository
// turns out to be damaged it removes it, so that the next sync makes it anew: all in it is
// on this machine or at the remotes.
func (s *session) keepHouse(ctx context.Context) {
	repo := s.repo()
	check := []string{"fsck", "--connectivity-only", "--no-dangling", "--no-progress"}
	if s.doubt && repo.Run(ctx, nil, nil, check...) != nil && ctx.Err() == nil && os.RemoveAll(repo.Dir) == nil {
		s.line("the repository of handex was damaged; the next sync creates it again")
	} else if len(s.Lines) > 0 {
		// What it does not do now, the next one does.
		_ = repo.Run(ctx, nil, nil, "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet")
	}
}

// findClones stores in s.clones the projects of this machine that have a remote.
func (s *session) findClones(ctx context.Context) error {
	roots, err := s.Index.ProjectRoots(ctx)
	if err != nil {
		return err
	}
	for _, share := range s.Shares {
		roots = append(roots, share.Root)
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	s.clones = make([]*Clone, len(roots))
	// A project without a remote has no part in this.
	each(len(roots), func(i int) { s.clones[i], _ = s.CloneAt(ctx, roots[i], "") })
	s.clones = slices.DeleteFunc(s.clones, func(c *Clone) bool { return c == nil })
	return nil
}

// linkClones records, for each key in the mirror, which folder of this machine is its
// clone.
func (s *session) linkClones(ctx context.Context) error {
	for _, c := range s.clones {
		text, err := os.ReadFile(s.mirror(filepath.FromSlash(c.Key), "clone"))
		if err != nil {
			if _, err := os.Stat(s.mirror(filepath.FromSlash(c.Key))); err != nil {
				continue
			}
		}
		linked, err := s.CloneAt(ctx, strings.TrimSuffix(string(text), "\n"), "")
		if err == nil && linked.Key == c.Key {
			continue
		}
		if err := s.Link(ctx, c.Key, c.Root); err != nil {
			return err
		}
	}
	return nil
}

// each calls do with the numbers from 0 to n-1, up to eight at a time.
func each(n int, do func(int)) {
	var group errgroup.Group
	group.SetLimit(8)
	for i := range n {
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = group.Wait()
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// askRemotes stores in s.refs the refs of all remotes that are shared with or followed. A
// remote that cannot be reached is reported.
func (s *session) askRemotes(ctx context.Context) {
	var list []string
	for _, share := range s.Shares {
		list = append(list, share.URL)
	}
	for _, f := range s.Follows {
		for _, c := range s.clones {
			if f.URL == "" && matches(f.Key, c.Key) {
				list = append(list, c.URL)
			}
		}
		if f.URL != "" {
			list = append(list, f.URL)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	refs, errs := make([]map[string]string, len(list)), make([]error, len(list))
	each(len(list), func(i int) { refs[i], errs[i] = s.listRefs(ctx, list[i]) })
	for i, address := range list {
		if s.note(address, errs[i]) {
			s.refs[address] = refs[i]
		}
	}
	for _, share := range s.Shares {
		list = append(list, share.Root)
	}
	maps.DeleteFunc(s.Contacts, func(name string, _ *Contact) bool { return !slices.Contains(list, name) })
}

// tipOf returns the commit that the remote has at the ref of a share, "" if it has none.
func (s *session) tipOf(ctx context.Context, share Share) (string, error) {
	if s.refs[share.URL] == nil {
		refs, err := s.listRefs(ctx, share.URL)
		if err != nil {
			return "", err
		}
		s.refs[share.URL] = refs
	}
	return s.refs[share.URL][share.Ref], nil
}

// note stores the result of an attempt with a remote or a share, and reports whether it
// succeeded, that is, err is nil.
func (s *session) note(name string, err error) bool {
	c := s.contact(name)
	if err != nil {
		c.Problem = err.Error()
		s.fail("%s: %v", Shown(name), err)
		return false
	}
	c.At, c.Problem = s.Now(), ""
	return true
}

// listRefs returns the refs of members on a remote with the commits at them.
func (t *Team) listRefs(ctx context.Context, address string) (map[string]string, error) {
	refs := map[string]string{}
	err := t.repo().Network(ctx, 0, func(out io.Reader) error {
		in := bufio.NewScanner(out)
		for in.Scan() {
			id, ref, ok := strings.Cut(in.Text(), "\t")
			if ok && isHash(id) {
				refs[ref] = id
			}
			if len(refs) > maxMembers {
				return fmt.Errorf("it has more than %d members", maxMembers)
			}
		}
		return in.Err()
	}, "ls-remote", address, "--quiet", "--refs", address, "refs/handex/*", "refs/heads/handex/*")
	return refs, err
}

// fetch fetches refspecs from a remote into the repository of handex.
func (t *Team) fetch(ctx context.Context, address string, refspecs ...string) error {
	args := []string{"--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", address}
	return t.repo().Network(ctx, maxTransfer, nil, "fetch", address, append(args, refspecs...)...)
}

// sendAll sends each share whose remote can be reached. The failure of one is reported and
// does not keep the others from being sent.
func (s *session) sendAll(ctx context.Context, pull bool) error {
	own, err := s.ownAcks(ctx)
	if err != nil {
		return err
	}
	for _, share := range s.Shares {
		// It was tried already, or is asked only if something is to be sent.
		if _, ok := s.refs[share.URL]; ok || !pull {
			s.note(share.Root, s.sendOne(ctx, share, own))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// sendOne commits what a share has now and pushes it, unless the remote already has it. own
// are the acknowledgements of this machine.
func (s *session) sendOne(ctx context.Context, share Share, own []acked) error {
	if share.member() != s.self {
		return fmt.Errorf("it is shared as %s, and this machine is now %s: unshare it, and share it again",
			share.member(), s.self)
	}
	if s.resolve(ctx, share.own()) == "" {
		there, err := s.tipOf(ctx, share)
		if err == nil {
			err = s.recover(ctx, share, there, false)
		}
		if err != nil {
			return err
		}
	}
	last, err := s.lastSent(ctx, share)
	if err != nil {
		s.doubt = true
		return err
	}
	out, err := s.collect(ctx, share)
	if err != nil {
		return err
	}
	for _, problem := range out.Problems {
		s.problem("%s: %s", share.Key, problem)
	}
	tip, what, err := s.send(ctx, share, last, out, s.linesOf(share, out, own))
	if err != nil {
		s.doubt = true
		return err
	}
	if s.refs[share.URL] == nil && s.contact(share.Root).Pushed == tip {
		return nil
	}
	if there, err := s.tipOf(ctx, share); err != nil || there == tip {
		return err
	}
	if err := s.push(ctx, share, "--no-signed", share.own()+":"+share.Ref); err != nil {
		return err
	}
	s.contact(share.Root).Pushed = tip
	s.line("sent %s to %s: %s (files: %d; credentials masked: %d)",
		share.Key, Shown(share.URL), cmp.Or(what, "all"), len(out.Files), out.Masked)
	return nil
}
