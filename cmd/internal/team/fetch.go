package team

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

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
		s.report.line("received %s (files: %d)", p.id(), m.Files)
	}
	if err != nil && ctx.Err() == nil {
		m.Problems = append(m.Problems, err.Error())
		s.fail("%v", err)
		return nil
	}
	return err
}
