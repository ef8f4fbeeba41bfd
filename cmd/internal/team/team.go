// Package team shares the handoffs of projects over the git remotes that people already
// have, and keeps a mirror of those of other members as plain files, which the index
// covers as one more root.
//
// A member is a person on a machine, as ada@laptop, and has one ref for each project. Its
// commit has the member's current handoffs, a manifest and acknowledgements. Commits are
// made in a repository of handex's own: that of the user is only read.
package team

import (
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

// An Index answers what is to be known of handoffs.
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

// A Team is the sharing of one user on one machine.
type Team struct {
	Dir           string // of what it keeps, absolute
	Home          string
	Name, Machine string // as configured, "" if they are not
	Getenv        func(string) string
	Now           func() time.Time
	Index         Index

	digests map[string]int64 // of what others read of own handoffs, by id
}

func (t *Team) repo() *index.Repository {
	return &index.Repository{Dir: filepath.Join(t.Dir, "repo.git"), Getenv: t.Getenv}
}

// mirror returns the folder of a key or a member below the mirror.
func (t *Team) mirror(parts ...string) string {
	return filepath.Join(append([]string{t.Dir, "mirror"}, parts...)...)
}

// A Clone is a project of this machine and its remote.
type Clone struct {
	Root, Key, URL string
	remotes        []index.Remote
}

// errNoRemote says that a project has no name that other machines know.
var errNoRemote = errors.New("it has no git remote, and that is what a team names a project by")

// CloneAt returns the project at a root and one of its remotes: that of the name, or if
// it is "" origin, or else the first.
func (t *Team) CloneAt(ctx context.Context, root, name string) (*Clone, error) {
	w := index.FindWorkTree(root)
	if w == nil {
		return nil, fmt.Errorf("%s: %w", root, errNoRemote)
	}
	remotes, err := w.Remotes(ctx, t.Getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root, err)
	}
	named := func(name string) func(index.Remote) bool {
		return func(r index.Remote) bool { return r.Name == name }
	}
	at := slices.IndexFunc(remotes, named(name))
	if name == "" {
		at = max(slices.IndexFunc(remotes, named("origin")), min(0, len(remotes)-1))
	}
	if at < 0 {
		return nil, fmt.Errorf("%s: %w", root, errNoRemote)
	}
	c := &Clone{Root: root, remotes: remotes}
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

// ShareOptions say where the handoffs of a project go.
type ShareOptions struct {
	Remote   string // the name of a remote or an address, "" for the project's own
	Branches bool   // use refs of branches
	Adopt    bool   // go on with a ref of this member that is there already
}

// Plan returns what Share would do for the project at a root, and what would leave.
func (t *Team) Plan(ctx context.Context, root string, o ShareOptions) (Share, *Outgoing, error) {
	self, err := t.Self(ctx)
	if err != nil {
		return Share{}, nil, err
	}
	own, err := t.CloneAt(ctx, root, "")
	if err != nil {
		return Share{}, nil, err
	}
	s := Share{Root: root, Key: own.Key, URL: own.URL}
	if o.Remote != "" {
		if named, err := t.CloneAt(ctx, root, o.Remote); err == nil {
			s.URL = named.URL
		} else if s.URL, err = Address(o.Remote, root); err != nil {
			return s, nil, err
		}
	}
	s.Ref = refOf(s.URL, s.Key, self, o.Branches)
	out, err := t.collect(ctx, s)
	return s, out, err
}

// refOf returns the ref of a member: in the project's own remote it need not say which
// project.
func refOf(address, key, member string, branches bool) string {
	ref := "refs/handex/"
	if branches {
		ref = "refs/heads/handex/"
	}
	if own, err := Key(address); err != nil || own != key {
		ref += key + "/"
	}
	return ref + member
}

// Share shares a project from now on.
func (t *Team) Share(ctx context.Context, s Share, adopt bool) error {
	unlock, err := t.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	c, err := t.Choices()
	if err != nil {
		return err
	}
	for _, other := range c.Shares {
		if other.Key == s.Key && other.Root != s.Root {
			if _, err := os.Stat(other.Root); err == nil {
				return fmt.Errorf("%s is shared from %s already; one clone of a remote is shared from a machine", s.Key, other.Root)
			}
		}
		if other.Key == s.Key && (other.URL != s.URL || other.Ref != s.Ref) {
			return fmt.Errorf("%s is shared with %s as %s already; run handex team unshare first", s.Key, Shown(other.URL), other.Ref)
		}
	}
	c.Shares = slices.DeleteFunc(c.Shares, func(other Share) bool { return other.Key == s.Key })
	c.Shares = append(c.Shares, s)
	if err := t.claim(ctx, s, adopt); err != nil {
		return err
	}
	if err := t.store(ctx, choicesFile, c); err != nil {
		return err
	}
	return t.linkClone(s.Key, s.Root)
}

// claim makes sure that the ref of a share is this machine's, or is to be from now on.
func (t *Team) claim(ctx context.Context, s Share, adopt bool) error {
	if err := t.repo().Prepare(ctx); err != nil {
		return err
	}
	refs, err := t.listRefs(ctx, s.URL)
	if err != nil {
		return err
	}
	tip, ok := refs[s.Ref]
	st := t.readState()
	if !ok || tip == t.resolve(ctx, s.own()) || tip == st.Pushed[s.pushed()] {
		return nil
	}
	if adopt {
		return t.repo().Network(ctx, maxTransfer, nil, "fetch", s.URL, "--quiet", "--no-tags", "--no-write-fetch-head",
			"--no-recurse-submodules", s.URL, "+"+s.Ref+":"+s.own())
	}
	if t.resolve(ctx, s.own()) != "" {
		return nil // a push finds out whose it is
	}
	return fmt.Errorf("%w: %s has %s already", ErrTaken, Shown(s.URL), s.Ref)
}

// ErrTaken says that a ref of this machine's name has handoffs that are not its own.
var ErrTaken = errors.New("another machine uses this name, or this one has lost what it knew")

// own is where the repository of handex keeps the commits of a share.
func (s Share) own() string {
	return "refs/own/" + short(s.URL) + "/" + s.Key + "/" + s.Ref[strings.LastIndex(s.Ref, "/")+1:]
}

func (s Share) pushed() string { return s.URL + " " + s.Ref }

// Unshare stops sharing the project at a root, and deletes its ref. It returns the share
// that was, nil if there was none.
func (t *Team) Unshare(ctx context.Context, root string) (*Share, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	c, err := t.Choices()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(c.Shares, func(s Share) bool { return s.Root == root || s.Key == root })
	if at < 0 {
		return nil, nil //nolint:nilnil // none is no error
	}
	s := c.Shares[at]
	if err := t.repo().Prepare(ctx); err != nil {
		return nil, err
	}
	refs, err := t.listRefs(ctx, s.URL)
	if err != nil {
		return nil, err
	}
	st := t.readState()
	if tip := refs[s.Ref]; tip != "" && (tip == st.Pushed[s.pushed()] || tip == t.resolve(ctx, s.own())) {
		if err := t.push(ctx, s, "--force-with-lease="+s.Ref+":"+tip, ":"+s.Ref); err != nil {
			return nil, err
		}
	}
	c.Shares = slices.Delete(c.Shares, at, at+1)
	if err := t.store(ctx, choicesFile, c); err != nil {
		return nil, err
	}
	delete(st.Pushed, s.pushed())
	delete(st.Sends, s.Root)
	err = t.repo().Run(ctx, nil, nil, "update-ref", "-d", s.own())
	return &s, errors.Join(err, t.store(ctx, stateFile, st))
}

// Follow fetches handoffs from now on. It returns false if they are already.
func (t *Team) Follow(ctx context.Context, f Follow) (bool, error) {
	return t.change(ctx, func(c *Choices) bool {
		if slices.Contains(c.Follows, f) {
			return false
		}
		c.Follows = append(c.Follows, f)
		return true
	})
}

// Unfollow takes that back. What is in the mirror goes with the next sync.
func (t *Team) Unfollow(ctx context.Context, is func(Follow) bool) (bool, error) {
	return t.change(ctx, func(c *Choices) bool {
		before := len(c.Follows)
		c.Follows = slices.DeleteFunc(c.Follows, is)
		return len(c.Follows) < before
	})
}

func (t *Team) change(ctx context.Context, change func(*Choices) bool) (bool, error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	c, err := t.Choices()
	if err != nil || !change(&c) {
		return false, err
	}
	return true, t.store(ctx, choicesFile, c)
}

// linkClone notes which folder of this machine is the clone of a key.
func (t *Team) linkClone(key, root string) error {
	dir := t.mirror(key)
	file := filepath.Join(dir, "clone")
	if text, err := os.ReadFile(file); err == nil && string(text) == root+"\n" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", []byte(root+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
