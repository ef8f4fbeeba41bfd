// Package team shares the handoffs of projects over the git remotes that people already
// have, and keeps a mirror of those of other members as plain files, which the index
// covers as one more root.
//
// A member is a person on a machine, as ada@laptop, and has one ref for each project. Its
// commit has the member's current handoffs, a manifest and acknowledgements. Commits are
// made in a repository of handex's own: that of the user is only read.
package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/acks"
	"github.com/OWNER/handex/index"
)

// An Index is what a Team needs of the index of handoffs.
type Index interface {
	// HandoffsOf returns the current handoffs of the project at a root.
	HandoffsOf(ctx context.Context, root string) ([]index.Summary, error)
	// Find returns the handoffs of an id or of the file at an absolute path.
	Find(ctx context.Context, ref string) ([]index.Summary, error)
	// ProjectRoots returns the roots of all projects.
	ProjectRoots(ctx context.Context) ([]string, error)
	// OwnAcks returns what was acknowledged on this machine.
	OwnAcks() ([]acks.Event, error)
	// Refresh brings the index up to date with the mirror.
	Refresh(ctx context.Context) error
}

// A Team shares the handoffs of one user on one machine.
type Team struct {
	Dir           string // of what it keeps, absolute
	Home          string
	Name, Machine string // as configured, "" if they are not
	Getenv        func(string) string
	Now           func() time.Time
	Index         Index

	digests map[string]int64 // of what others read of own handoffs, by id
	known   map[string]entry // what was read before of own handoffs, by their paths
}

// repo returns the git repository of handex, in the team's folder.
func (t *Team) repo() *index.Repository {
	return &index.Repository{Dir: filepath.Join(t.Dir, "repo.git"), Getenv: t.Getenv}
}

// mirror returns the path of parts below the mirror, such as a key and a member.
func (t *Team) mirror(parts ...string) string {
	return filepath.Join(append([]string{t.Dir, "mirror"}, parts...)...)
}

// A Clone is a project of this machine with its remote.
type Clone struct{ Root, Key, URL string }

// errNoRemote says that a project has no name that other machines know.
var errNoRemote = errors.New("it has no git remote; a team identifies a project by its remote")

// CloneAt returns the project at a root with its remote of the given name; if the name is
// "", with origin or else its first remote. It returns an error if there is no such remote.
func (t *Team) CloneAt(ctx context.Context, root, name string) (*Clone, error) {
	w := index.FindWorkTree(root)
	if w == nil {
		return nil, fmt.Errorf("%s: %w", root, errNoRemote)
	}
	remotes, err := w.Remotes(ctx, t.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root, err)
	}
	at := slices.IndexFunc(remotes, func(r index.Remote) bool { return r.Name == cmp.Or(name, "origin") })
	if name == "" && len(remotes) > 0 {
		at = max(at, 0)
	}
	if at < 0 {
		return nil, fmt.Errorf("%s: %w", root, errNoRemote)
	}
	c := &Clone{Root: root}
	if c.URL, err = Address(remotes[at].URL, w.Top); err == nil {
		c.Key, err = Key(c.URL)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: remote %s: %w", root, remotes[at].Name, err)
	}
	// A folder of the repository that is a project of its own has a name of its own.
	if rel, err := filepath.Rel(w.Top, w.InMain(root)); err == nil && rel != "." && filepath.IsLocal(rel) {
		for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
			c.Key += "/" + encode(strings.ToLower(name))
		}
	}
	return c, nil
}

// Plan returns how the project at a root would be shared, and what would leave this
// machine. remote is the name or address of a remote, "" for the project's own. With
// branches the ref is below refs/heads.
func (t *Team) Plan(ctx context.Context, root, remote string, branches bool) (s Share, out *Outgoing, err error) {
	self, err := t.Self(ctx)
	if err != nil {
		return s, nil, err
	}
	own, err := t.CloneAt(ctx, root, "")
	if err != nil {
		return s, nil, err
	}
	s = Share{Root: root, Key: own.Key, URL: own.URL, Ref: "refs/handex/"}
	if named, err := t.CloneAt(ctx, root, remote); err == nil {
		s.URL = named.URL
	} else if s.URL, err = Address(remote, root); err != nil {
		return s, nil, err
	}
	if branches {
		s.Ref = "refs/heads/handex/"
	}
	if key, err := Key(s.URL); err != nil || key != s.Key {
		s.Ref += s.Key + "/" // elsewhere it says which project
	}
	s.Ref += self
	out, err = t.collect(ctx, s)
	return s, out, err
}

// ErrTaken says that a ref of this machine's name has handoffs that are not its own.
var ErrTaken = errors.New("another machine uses this name, or this one lost its data folder")

// Share shares a project from now on, without sending anything yet. With adopt it continues
// from the ref that a remote already has under the name of this member; without it, such a
// ref is ErrTaken.
func (t *Team) Share(ctx context.Context, s Share, adopt bool) error {
	return t.Change(ctx, func(c *Choices) error {
		for _, other := range c.Shares {
			_, err := os.Stat(other.Root)
			switch {
			case other.Key != s.Key || other == s:
			case other.Root != s.Root && err == nil:
				return fmt.Errorf("%s is already shared from %s; only one clone of a remote can be shared", s.Key, other.Root)
			case other.URL != s.URL || other.Ref != s.Ref:
				return fmt.Errorf("%s is already shared with %s as %s; unshare it first", s.Key, Shown(other.URL), other.Ref)
			}
		}
		c.Shares = slices.DeleteFunc(c.Shares, func(other Share) bool { return other.Key == s.Key })
		c.Shares = append(c.Shares, s)
		refs, err := t.listRefs(ctx, s.URL)
		if err == nil {
			err = t.recover(ctx, s, refs[s.Ref], adopt)
		}
		return errors.Join(err, t.Link(ctx, s.Key, s.Root))
	})
}

// recover fetches tip, the commit that a remote has of a share, if the repository of handex
// was lost. It returns ErrTaken if the commit was not sent by this machine; with adopt it
// fetches any commit. If the repository has commits of the share it does nothing: a push
// finds out the rest.
func (t *Team) recover(ctx context.Context, s Share, tip string, adopt bool) error {
	switch {
	case tip == "" || t.resolve(ctx, s.own()) != "" && !adopt:
		return nil
	case !adopt && tip != t.State().contact(s.Root).Pushed:
		return fmt.Errorf("%w: %s already has %s", ErrTaken, Shown(s.URL), s.Ref)
	}
	return t.fetch(ctx, s.URL, "+"+s.Ref+":"+s.own())
}

// Unshare stops sharing the project with a root or key. It deletes the ref on the remote if
// the commit there is of this machine. It returns the share as it was, nil if the project
// is not shared.
func (t *Team) Unshare(ctx context.Context, project string) (was *Share, err error) {
	err = t.Change(ctx, func(c *Choices) error {
		at := slices.IndexFunc(c.Shares, func(s Share) bool { return s.Root == project || s.Key == project })
		if at < 0 {
			return nil
		}
		s := c.Shares[at]
		refs, err := t.listRefs(ctx, s.URL)
		if err != nil {
			return err
		}
		st := t.State()
		if tip := refs[s.Ref]; tip != "" && (tip == st.contact(s.Root).Pushed || tip == t.resolve(ctx, s.own())) {
			if err := t.push(ctx, s, "--force-with-lease="+s.Ref+":"+tip, ":"+s.Ref); err != nil {
				return err
			}
		}
		was = &s
		c.Shares = slices.Delete(c.Shares, at, at+1)
		delete(st.Contacts, s.Root)
		return errors.Join(t.repo().Run(ctx, nil, nil, "update-ref", "-d", s.own()), t.store(ctx, stateFile, st))
	})
	return was, err
}

// Change calls change with the user's choices and stores them, unless change returns an
// error.
func (t *Team) Change(ctx context.Context, change func(*Choices) error) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	c, err := t.Choices()
	if err == nil {
		err = t.repo().Prepare(ctx)
	}
	if err == nil {
		err = change(&c)
	}
	if err != nil {
		return err
	}
	return t.store(ctx, choicesFile, c)
}

// Link records in the mirror that the folder root of this machine is the clone of a key.
func (t *Team) Link(ctx context.Context, key, root string) error {
	return t.write(ctx, filepath.Join("mirror", filepath.FromSlash(key), "clone"), []byte(root+"\n"))
}
