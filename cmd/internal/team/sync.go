package team

import (
	"bufio"
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
	if what == "" {
		what = "as before"
	}
	if out.Masked > 0 {
		what += fmt.Sprintf(", %d credentials masked", out.Masked)
	}
	s.report.line("sent %s to %s: %d handoffs, %s", share.Key, Shown(share.URL), len(out.Files), what)
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

// wants reports whether handoffs of a key are followed at a remote.
func (s *session) wants(address, key string) bool {
	for _, share := range s.choices.Shares {
		if share.Key == key && share.URL == address {
			return true
		}
	}
	return slices.ContainsFunc(s.choices.Follows, func(f Follow) bool {
		return (f.URL == "" || f.URL == address) && matches(f.Key, key)
	})
}

// tips returns what the remotes offer and the user follows, at most one for a member of a
// project: that of the project's own remote goes before others.
func (s *session) tips() []tip {
	chosen := map[string]tip{}
	for _, address := range sortedKeys(s.refs) {
		own, _ := Key(address)
		for _, ref := range sortedKeys(s.refs[address]) { // refs/handex is after refs/heads
			name, ok := strings.CutPrefix(ref, "refs/handex/")
			if !ok {
				name, ok = strings.CutPrefix(ref, "refs/heads/handex/")
			}
			p := tip{url: address, ref: ref, key: own, member: name, commit: s.refs[address][ref], own: true}
			if at := strings.LastIndex(name, "/"); at >= 0 {
				p.key, p.member, p.own = name[:at], name[at+1:], name[:at] == own
			}
			if !ok || !isMember(p.member) || !isKey(p.key) || p.member == s.self || !s.wants(address, p.key) {
				continue
			}
			before, taken := chosen[p.id()]
			if last := s.state.Members[p.id()]; !taken && last != nil && last.URL != address && !p.own && s.isSilent(last.URL) {
				continue // the remote that it is from cannot be reached now
			}
			if taken && before.url != address && (before.own || !p.own) {
				s.report.problem("%s is ignored at %s: %s has it, too", p.id(), Shown(address), Shown(before.url))
				continue
			}
			chosen[p.id()] = p
		}
	}
	list := make([]tip, 0, len(chosen))
	for _, id := range sortedKeys(chosen) {
		list = append(list, chosen[id])
	}
	return list
}

// isSilent reports whether a remote is talked to and could not be reached.
func (s *session) isSilent(address string) bool {
	_, ok := s.refs[address]
	return !ok && s.state.Contacts[address] != nil
}

// receiveAll brings the mirror up to date.
func (s *session) receiveAll(ctx context.Context) error {
	offered := map[string]bool{}
	var stale []tip
	for _, p := range s.tips() {
		offered[p.id()] = true
		m := s.state.Members[p.id()]
		if m != nil && m.Seen == p.commit && m.URL == p.url && m.Settled && s.isThere(m) {
			continue
		}
		stale = append(stale, p)
	}
	for _, id := range sortedKeys(s.state.Members) {
		m := s.state.Members[id]
		if offered[id] || s.isSilent(m.URL) && s.wants(m.URL, m.Key) {
			continue
		}
		if err := s.forget(ctx, m); err != nil {
			return err
		}
		delete(s.state.Members, id)
		s.report.Received = true
		s.report.line("%s is removed: %s no longer shares it, or you no longer follow it", m.Key, m.Name)
	}
	s.fetchAll(ctx, stale)
	for _, p := range stale {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.receiveOne(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// isThere reports whether the mirror of a member was not removed.
func (s *session) isThere(m *Member) bool {
	if m.Tip == "" {
		return true // nothing was accepted yet
	}
	_, err := os.Lstat(filepath.Join(s.mirror(filepath.FromSlash(m.Key), m.Name), manifestFile))
	return err == nil
}

// fetchAll fetches commits, those of a remote at once. Where that fails each is fetched
// alone, so that a member whose commit cannot be had prevents no other.
func (s *session) fetchAll(ctx context.Context, list []tip) {
	for _, address := range sortedKeys(s.refs) {
		var specs []string
		for _, p := range list {
			if p.url == address && !s.hasCommit(ctx, p) {
				specs = append(specs, "+"+p.ref+":"+p.fetched())
			}
		}
		if len(specs) == 0 || s.fetch(ctx, address, specs...) == nil || len(specs) == 1 {
			continue
		}
		for _, spec := range specs {
			if ctx.Err() == nil {
				_ = s.fetch(ctx, address, spec) // receiveOne finds out what is missing
			}
		}
	}
}

func (s *session) hasCommit(ctx context.Context, p tip) bool {
	return s.resolve(ctx, p.fetched()) == p.commit
}

// receiveOne brings the mirror of one member up to date with what was fetched.
func (s *session) receiveOne(ctx context.Context, p tip) error {
	m := s.state.Members[p.id()]
	if m == nil {
		m = &Member{Name: p.member, Key: p.key, URL: p.url}
		s.state.Members[p.id()] = m
	}
	if now := s.resolve(ctx, p.fetched()); now != p.commit {
		if now == "" || now == m.Tip {
			m.Problems = []string{"its commit could not be fetched"}
			s.doubt = true
			s.report.problem("%s: its commit %.12s could not be fetched from %s", p.id(), p.commit, Shown(p.url))
			return nil
		}
		p.commit = now // it has moved on meanwhile
	}
	isNew := m.Seen != p.commit
	if m.Tip != "" && isNew && s.repo().Run(ctx, nil, nil, "merge-base", "--is-ancestor", m.Tip, p.commit) != nil && ctx.Err() == nil {
		s.report.line("%s has rewritten its history", p.id())
	}
	err := s.receive(ctx, p, m)
	s.report.Received = s.report.Received || isNew
	for _, problem := range m.Problems {
		if isNew {
			s.report.problem("%s: %s", p.id(), problem)
		}
	}
	if err == nil && isNew && m.Seen == m.Tip {
		s.report.line("received %s: %d handoffs", p.id(), m.Files)
	}
	if err != nil && ctx.Err() == nil {
		m.Problems = append(m.Problems, err.Error())
		s.fail("%v", err)
		return nil
	}
	return err
}
