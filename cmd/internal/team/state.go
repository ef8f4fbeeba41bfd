package team

import (
	"cmp"
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
	"github.com/OWNER/handex/index"
)

// A Share is a project whose handoffs are sent to a remote.
type Share struct {
	Root string `json:"root"` // of the project
	Key  string `json:"key"`
	URL  string `json:"url"` // where they go: what the user agreed to, whatever the repository says later
	Ref  string `json:"ref"` // there
}

// member returns the member under whose name the project was shared.
func (s Share) member() string { return s.Ref[strings.LastIndex(s.Ref, "/")+1:] }

// own returns the ref under which the repository of handex keeps the commits of the share.
func (s Share) own() string { return "refs/own/" + short(s.URL) + "/" + s.Key + "/" + s.member() }

// A Follow determines whose handoffs are fetched. URL is "" if the pattern applies to all
// known remotes.
type Follow struct {
	Name string `json:"name"` // as the user gave it
	URL  string `json:"url,omitempty"`
	Key  string `json:"key"` // a pattern, see matches
}

// Choices are the projects that the user shares and follows.
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

// A Contact is the result of the last attempt to reach a remote, or to send a share.
type Contact struct {
	At      time.Time `json:"at"` // of the last one that went well
	Problem string    `json:"problem,omitempty"`
	Pushed  string    `json:"pushed,omitempty"` // the commit that the remote has of a share
}

// A State is what earlier syncs have found out. If it is lost, a sync finds it out again.
type State struct {
	Contacts map[string]*Contact `json:"contacts"` // by the address of a remote, and by the root of a share
	Members  map[string]*Member  `json:"members"`  // by key and name
}

// contact returns the contact with a remote's address or a share's root, a new one if there
// is none.
func (s *State) contact(name string) *Contact {
	if s.Contacts[name] == nil {
		s.Contacts[name] = &Contact{}
	}
	return s.Contacts[name]
}

const (
	choicesFile = "choices.json"
	stateFile   = "state.json"
	memberFile  = "member"
	acksFile    = "acks.jsonl"
)

// Choices reads the file of what the user shares and follows.
func (t *Team) Choices() (c Choices, err error) { return c, t.load(choicesFile, &c) }

// State reads the state of earlier syncs. If its file cannot be read, the state is empty.
func (t *Team) State() *State {
	s := &State{}
	if t.load(stateFile, s) != nil || s.Contacts == nil || s.Members == nil {
		s = &State{map[string]*Contact{}, map[string]*Member{}}
	}
	return s
}

// load decodes a JSON file of the team's folder. A missing file leaves into as it is.
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

// store replaces a file of the team's folder by a value as JSON.
func (t *Team) store(ctx context.Context, name string, what any) error {
	data, err := json.MarshalIndent(what, "", "\t")
	if err != nil {
		return err
	}
	return t.write(ctx, name, append(data, '\n'))
}

// open opens the team's folder, and makes it if it is missing.
func (t *Team) open() (*save.Folder, error) {
	// The mirror is there before it has anything: a watch then looks at it.
	if err := errors.Join(save.MakePrivate(t.Dir), save.MakePrivate(t.mirror())); err != nil {
		return nil, err
	}
	return save.Open(t.Dir, filepath.Join(t.Dir, "locks"))
}

// write replaces a file of the team's folder.
func (t *Team) write(ctx context.Context, name string, data []byte) error {
	folder, err := t.open()
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	folder.Private = true
	return folder.Edit(ctx, name, func([]byte) ([]byte, error) { return data, nil })
}

// lock waits until no other process syncs, and keeps others from it until unlock is called.
func (t *Team) lock(ctx context.Context) (unlock func(), err error) {
	folder, err := t.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	return folder.Lock(ctx, "repo.git")
}

// Self returns the member name of this machine: from the configuration, or else as it was
// chosen first, or else from the names of the user and the host. It stores the name, so
// that a new name of the host does not change it.
func (t *Team) Self(ctx context.Context) (string, error) {
	data, err := os.ReadFile(filepath.Join(t.Dir, memberFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	chosen := strings.TrimSpace(string(data))
	user, machine, _ := strings.Cut(chosen, "@")
	if user = cmp.Or(t.Name, user); user == "" {
		user = cmp.Or(part(t.repo().UserName(ctx)), part(t.Getenv("USER")), part(t.Getenv("USERNAME")))
	}
	if machine = cmp.Or(t.Machine, machine); machine == "" {
		host, _ := os.Hostname()
		host, _, _ = strings.Cut(host, ".")
		machine = part(host)
	}
	self := user + "@" + machine
	if !index.IsMember(self) {
		return "", fmt.Errorf("%q is not a member such as ada@laptop: set member and machine in [team] "+
			"of the config file", self)
	}
	if self == chosen {
		return self, nil
	}
	return self, t.write(ctx, memberFile, []byte(self+"\n"))
}

// short returns a short hash of a remote's address, for use in refs.
func short(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:8])
}
