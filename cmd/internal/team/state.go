package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/save"
)

// A Share is a project whose handoffs leave this machine.
type Share struct {
	Root string `json:"root"` // of the project
	Key  string `json:"key"`
	URL  string `json:"url"` // where they go: what the user agreed to, whatever the repository says later
	Ref  string `json:"ref"` // there
}

// A Follow says whose handoffs are fetched. URL is "" for keys of any remote that is
// known.
type Follow struct {
	Name string `json:"name"` // as the user gave it
	URL  string `json:"url,omitempty"`
	Key  string `json:"key"` // a pattern, see matches
}

// Choices are what the user has chosen.
type Choices struct {
	Shares  []Share  `json:"shares,omitempty"`
	Follows []Follow `json:"follows,omitempty"`
}

// A Member is what is known of another member's handoffs of one project.
type Member struct {
	Name     string    `json:"name"`
	Key      string    `json:"key"`
	URL      string    `json:"url"`
	Tip      string    `json:"tip"`     // the commit that the mirror has
	Seen     string    `json:"seen"`    // the commit that was looked at last, even if it was refused
	Written  time.Time `json:"written"` // when the mirror last changed
	Settled  bool      `json:"settled"` // the files were compared again later
	Files    int       `json:"files"`
	Problems []string  `json:"problems,omitempty"`
}

// A Contact is how the last sync with a remote went.
type Contact struct {
	At      time.Time `json:"at"` // of the last one that went well
	Problem string    `json:"problem,omitempty"`
}

// A state is what handex has found out. It can be found out again.
type state struct {
	Pushed   map[string]string   `json:"pushed"` // by address and ref, the commit that the remote has
	Contacts map[string]*Contact `json:"contacts"`
	Members  map[string]*Member  `json:"members"` // by key and name
	Sends    map[string]*Contact `json:"sends"`   // by the root of a share
}

const (
	choicesFile = "choices.json"
	stateFile   = "state.json"
	memberFile  = "member"
	acksFile    = "acks.jsonl"
)

// Choices reads what the user has chosen.
func (t *Team) Choices() (c Choices, err error) { return c, t.load(choicesFile, &c) }

// load reads a file of the team's folder. One that does not exist says nothing.
func (t *Team) load(name string, into any) error {
	data, err := os.ReadFile(filepath.Join(t.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(t.Dir, name), err)
	}
	return nil
}

func (t *Team) store(ctx context.Context, name string, what any) error {
	data, err := json.MarshalIndent(what, "", "\t")
	if err != nil {
		return err
	}
	return t.write(ctx, name, append(data, '\n'))
}

// write replaces a file of the team's folder.
func (t *Team) write(ctx context.Context, name string, data []byte) error {
	if err := save.MakePrivate(t.Dir); err != nil {
		return err
	}
	folder, err := save.Open(t.Dir, filepath.Join(t.Dir, "locks"))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	folder.Private = true
	return folder.Edit(ctx, name, func([]byte) ([]byte, error) { return data, nil })
}

// readState reads what was found out. A file that cannot be read says nothing: what it
// said is found out again.
func (t *Team) readState() *state {
	s := &state{}
	if err := t.load(stateFile, s); err != nil {
		s = &state{}
	}
	if s.Pushed == nil {
		s.Pushed = map[string]string{}
	}
	if s.Contacts == nil {
		s.Contacts = map[string]*Contact{}
	}
	if s.Members == nil {
		s.Members = map[string]*Member{}
	}
	if s.Sends == nil {
		s.Sends = map[string]*Contact{}
	}
	return s
}

// lock waits until no other process syncs.
func (t *Team) lock(ctx context.Context) (unlock func(), err error) {
	if err := errors.Join(save.MakePrivate(t.Dir), save.MakePrivate(t.mirror())); err != nil {
		return nil, err
	}
	folder, err := save.Open(t.Dir, filepath.Join(t.Dir, "locks"))
	if err != nil {
		return nil, err
	}
	release, err := folder.Lock(ctx, "repo.git")
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return func() {
		release()
		_ = folder.Close()
	}, nil
}

// Self returns this machine's member, and chooses it if it is not chosen yet: from then
// on a new name of the host does not change it, the configuration does.
func (t *Team) Self(ctx context.Context) (string, error) {
	data, err := os.ReadFile(filepath.Join(t.Dir, memberFile))
	chosen := strings.TrimSpace(string(data))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	user, machine, _ := strings.Cut(chosen, "@")
	if user == "" {
		user = part(t.repo().UserName(ctx))
	}
	if user == "" {
		user = part(t.Getenv("USER") + t.Getenv("USERNAME"))
	}
	if machine == "" {
		host, _ := os.Hostname()
		host, _, _ = strings.Cut(host, ".")
		machine = part(host)
	}
	if t.Name != "" {
		user = t.Name
	}
	if t.Machine != "" {
		machine = t.Machine
	}
	self := user + "@" + machine
	if !isMember(self) {
		return "", fmt.Errorf("%q is no member as ada@laptop: set member and machine in [team] of the config file, each of a-z, 0-9, dot, hyphen and underscore", self)
	}
	if self != chosen {
		err = t.write(ctx, memberFile, []byte(self+"\n"))
	} else {
		err = nil
	}
	return self, err
}

// short returns a name of a remote's address for refs.
func short(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:8])
}
