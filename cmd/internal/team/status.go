package team

import (
	"context"
	"path/filepath"
	"time"
)

// A Status is the state of the sharing, for people and programs.
type Status struct {
	Self string `json:"self"`
	Choices
	Contacts map[string]*Contact `json:"contacts"` // by address
	Sends    map[string]*Contact `json:"sends"`    // by the root of a share
	Members  []*Member           `json:"members"`
}

// Members returns the other members whose handoffs are here, by project and name.
func (t *Team) Members() []*Member {
	list := []*Member{}
	st := t.readState()
	for _, id := range sortedKeys(st.Members) {
		list = append(list, st.Members[id])
	}
	return list
}

// Status returns the state as of the last sync.
func (t *Team) Status(ctx context.Context) (*Status, error) {
	self, err := t.Self(ctx)
	if err != nil {
		return nil, err
	}
	choices, err := t.Choices()
	st := t.readState()
	return &Status{self, choices, st.Contacts, st.Sends, t.Members()}, err
}

// Rows returns the state as a table.
func (s *Status) Rows(format func(time.Time) string) [][]string {
	how := func(c *Contact) string {
		switch {
		case c == nil:
			return "not yet"
		case c.Problem != "":
			return c.Problem
		}
		return format(c.At)
	}
	rows := [][]string{{"member", s.Self, "", ""}}
	for _, share := range s.Shares {
		rows = append(rows, []string{"shared", share.Root, Shown(share.URL) + " " + share.Ref, how(s.Sends[share.Root])})
	}
	for _, f := range s.Follows {
		rows = append(rows, []string{"followed", f.Name, Shown(f.URL) + " " + f.Key, ""})
	}
	for _, address := range sortedKeys(s.Contacts) {
		rows = append(rows, []string{"remote", Shown(address), "", how(s.Contacts[address])})
	}
	for _, m := range s.Members {
		for _, problem := range m.Problems {
			rows = append(rows, []string{"problem", m.Key + "/" + m.Name, "", problem})
		}
	}
	return rows
}

// Link notes where a clone is, for what is going to be mirrored of its remote.
func (t *Team) Link(c *Clone) error { return t.linkClone(filepath.FromSlash(c.Key), c.Root) }
