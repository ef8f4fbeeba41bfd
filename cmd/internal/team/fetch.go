package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index"
)

// A tip is the latest commit of a member that a remote has.
type tip struct {
	url, ref, key, member, commit string
	own                           bool // the remote is that of the project itself
}

// id returns the name of the tip in maps: the key of the project and the member.
func (p tip) id() string { return p.key + "/" + p.member }

// fetched returns the ref under which the repository of handex keeps the commit.
func (p tip) fetched() string { return "refs/team/" + short(p.url) + "/" + p.id() }

// wants reports whether the handoffs of a key are shared with, or followed at, the remote
// with an address.
func (s *session) wants(address, key string) bool {
	shares := func(x Share) bool { return x.Key == key && x.URL == address }
	follows := func(f Follow) bool { return (f.URL == "" || f.URL == address) && matches(f.Key, key) }
	return slices.ContainsFunc(s.Shares, shares) || slices.ContainsFunc(s.Follows, follows)
}

// readRef returns the tip at a ref of a remote. ok is false if the ref is not that of
// another member, or its handoffs are not wanted.
func (s *session) readRef(address, ref string) (p tip, ok bool) {
	name, ok := strings.CutPrefix(strings.Replace(ref, "refs/heads/", "refs/", 1), "refs/handex/")
	own, _ := Key(address)
	p = tip{url: address, ref: ref, key: own, member: name, commit: s.refs[address][ref], own: true}
	if at := strings.LastIndex(name, "/"); at >= 0 {
		p.key, p.member, p.own = name[:at], name[at+1:], name[:at] == own
	}
	return p, ok && index.IsMember(p.member) && isKey(p.key) && p.member != s.self && s.wants(address, p.key)
}

// tips returns the tips on all remotes whose handoffs the user wants, at most one for each
// project and member: the project's own remote has precedence.
func (s *session) tips() []tip {
	chosen := map[string]tip{}
	for _, address := range sortedKeys(s.refs) {
		for _, ref := range sortedKeys(s.refs[address]) {
			p, ok := s.readRef(address, ref)
			if last := s.Members[p.id()]; !ok || last != nil && last.URL != address && !p.own && s.isSilent(last.URL) {
				continue // or the remote that it is from cannot be reached now
			}
			before, taken := chosen[p.id()]
			if !taken || p.own && !before.own {
				chosen[p.id()] = p
			}
			if taken && before.url != address {
				s.problem("%s is on two remotes, %s and %s; the one on %s is used",
					p.id(), Shown(before.url), Shown(address), Shown(chosen[p.id()].url))
			}
		}
	}
	list := make([]tip, 0, len(chosen))
	for _, id := range sortedKeys(chosen) {
		list = append(list, chosen[id])
	}
	return list
}

// isSilent reports whether this sync tried to reach a remote and could not.
func (s *session) isSilent(address string) bool {
	return s.refs[address] == nil && s.Contacts[address] != nil
}

// receiveAll updates the mirror: it fetches the changed tips, writes their files, and
// removes members that are no longer offered or wanted.
func (s *session) receiveAll(ctx context.Context) error {
	offered := map[string]bool{}
	var stale []tip
	for _, p := range s.tips() {
		offered[p.id()] = true
		if m := s.Members[p.id()]; m == nil || m.Seen != p.commit || m.URL != p.url || !m.Settled || !s.isThere(m) {
			stale = append(stale, p)
		}
	}
	for _, id := range sortedKeys(s.Members) {
		m := s.Members[id]
		if offered[id] || s.isSilent(m.URL) && s.wants(m.URL, m.Key) {
			continue
		}
		p := tip{url: m.URL, key: m.Key, member: m.Name}
		if err := s.repo().Run(ctx, nil, nil, "update-ref", "-d", p.fetched()); err != nil {
			return err
		}
		if err := os.RemoveAll(s.mirror(filepath.FromSlash(m.Key), m.Name)); err != nil {
			return err
		}
		delete(s.Members, id)
		s.Received = true
		s.line("removed %s: its ref was deleted, or is no longer followed", id)
	}
	failed := s.fetchAll(ctx, stale)
	for _, p := range stale {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.receiveOne(ctx, p, failed[p.id()])
	}
	return nil
}

// isThere reports whether the mirror of a member exists, or was never written.
func (s *session) isThere(m *Member) bool {
	_, err := os.Lstat(filepath.Join(s.mirror(filepath.FromSlash(m.Key), m.Name), manifestFile))
	return err == nil || m.Tip == ""
}

// errAlone says that commits of others could be fetched from the same remote.
var errAlone = errors.New("only this commit fails")

// fetchAll fetches the commits of tips, those of one remote together, and returns the
// errors by the ids of the tips. If that fails, each is fetched alone, so that a damaged
// commit of one member does not keep the others from being fetched.
func (s *session) fetchAll(ctx context.Context, list []tip) map[string]error {
	missing, failed := map[string][]tip{}, map[string]error{}
	for _, p := range list {
		if s.resolve(ctx, p.fetched()) != p.commit {
			missing[p.url] = append(missing[p.url], p)
		}
	}
	for _, address := range sortedKeys(missing) {
		var specs []string
		for _, p := range missing[address] {
			specs = append(specs, "+"+p.ref+":"+p.fetched())
		}
		err := s.fetch(ctx, address, specs...)
		if err != nil && len(specs) > 1 {
			s.fetchEach(ctx, missing[address], specs, failed)
		} else if err != nil {
			failed[missing[address][0].id()] = err
		}
	}
	return failed
}

// fetchEach fetches the commits of one remote one by one and stores the errors in failed.
// If any could be fetched, the errors of the others wrap errAlone.
func (s *session) fetchEach(ctx context.Context, list []tip, specs []string, failed map[string]error) {
	fetched := false
	for i, p := range list {
		failed[p.id()] = s.fetch(ctx, p.url, specs[i])
		fetched = fetched || failed[p.id()] == nil
	}
	for _, p := range list {
		if err := failed[p.id()]; err != nil && fetched {
			failed[p.id()] = fmt.Errorf("%w: %w", errAlone, err)
		}
	}
}

// receiveOne updates the mirror of one member to a fetched commit. failed is the error of
// fetching it, nil for none. Faults of the commit are problems of this member alone.
func (s *session) receiveOne(ctx context.Context, p tip, failed error) {
	m := s.Members[p.id()]
	if m == nil {
		m = &Member{Name: p.member, Key: p.key, URL: p.url}
		s.Members[p.id()] = m
	}
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(failed, index.ErrTooMuch):
		s.refuse(p, m, failed)
		return
	case failed != nil:
		s.problem("%s: its commit %.12s could not be fetched from %s: %v", p.id(), p.commit, Shown(p.url), failed)
		// The network is at fault, or this machine, unless the commit fails alone or again.
		if !errors.Is(failed, errAlone) && m.Seen != p.commit {
			s.Failed, s.doubt = true, true
		}
		m.Seen, m.Settled, m.Problems = p.commit, false, []string{failed.Error()}
		return
	}
	if moved := s.resolve(ctx, p.fetched()); moved != "" {
		p.commit = moved // meanwhile
	} else if s.object(ctx, p.fetched()) != "" {
		s.refuse(p, m, errors.New("its ref is not of a commit"))
		return
	}
	isNew := m.Tip != p.commit
	if m.Tip != "" && isNew {
		err := s.repo().Run(ctx, nil, nil, "merge-base", "--is-ancestor", m.Tip, p.commit)
		if err != nil && ctx.Err() == nil {
			s.line("%s has rewritten its history", p.id())
		}
	}
	err := s.receive(ctx, p, m)
	s.Received = s.Received || isNew
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		m.Problems = append(m.Problems, err.Error())
		s.fail("%s: %v", p.id(), err)
	case isNew && m.Seen == m.Tip:
		s.line("received %s (files: %d)", p.id(), m.Files)
	}
	for _, problem := range m.Problems {
		if isNew && err == nil {
			s.problem("%s: %s", p.id(), problem)
		}
	}
}

// refuse records that a commit of a member cannot be accepted, so that it is not tried
// again.
func (s *session) refuse(p tip, m *Member, reason error) {
	m.Seen, m.Settled, m.Problems = p.commit, true, []string{refused(reason).Error()}
	s.problem("%s: %s", p.id(), m.Problems[0])
}
