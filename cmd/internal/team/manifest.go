package team

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// What is taken from one member at most.
const (
	maxFiles    = 50_000
	maxEntries  = 2 * maxFiles // of a tree
	maxFile     = 4 << 20
	maxText     = 512 << 20
	maxManifest = 32 << 20
	maxAcks     = 8 << 20
	maxTransfer = 512 << 20
	maxMembers  = 2000 // of one remote
	maxProblems = 20   // that are kept of one member
)

// endOfTime is the last time that is sent.
var endOfTime = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)

// A manifest lists the files in the commit of a member.
type manifest struct {
	Version int     `json:"version"`
	Member  string  `json:"member"`
	Key     string  `json:"key"`
	Rules   string  `json:"rules,omitempty"` // by which credentials were masked
	Files   []entry `json:"files"`
}

// An entry describes one file of a manifest.
type entry struct {
	Path   string    `json:"path"`   // below the root of the project, or from ~
	Origin string    `json:"origin"` // where the member has it
	Mtime  time.Time `json:"mtime"`
	Format string    `json:"format"`
	Branch string    `json:"branch,omitempty"`
	Head   string    `json:"head,omitempty"` // the commit that was checked out then
	SHA256 string    `json:"sha256"`         // of the text that is sent
	Size   int64     `json:"size,omitempty"` // of the file, if it need not be read again while it has Mtime
}

// encode returns the manifest as indented JSON.
func (m *manifest) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(m)
	return b.Bytes(), err
}

// problems collects messages about faults in a member's commit, up to maxProblems.
type problems struct {
	list []string
	more int
}

// add adds a formatted message, cut to 300 bytes.
func (p *problems) add(format string, args ...any) {
	if len(p.list) >= maxProblems {
		p.more++
		return
	}
	text := fmt.Sprintf(format, args...)
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	p.list = append(p.list, text)
}

// all returns the messages, and how many more there were.
func (p *problems) all() []string {
	if p.more > 0 {
		return append(p.list, fmt.Sprintf("and %d more", p.more))
	}
	return p.list
}

// readManifest parses the manifest of the commit of a member of the project with a key.
// Entries that cannot be accepted are left out and added to wrong.
func readManifest(data []byte, member, key string, now time.Time, wrong *problems) (*manifest, error) {
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("its manifest is not JSON: %w", err)
	}
	switch {
	case m.Version != 1:
		return nil, fmt.Errorf("its manifest has version %d; this handex reads version 1", m.Version)
	case m.Member != member || m.Key != key:
		return nil, errors.New("its manifest names another member or project than its ref")
	case len(m.Files) > maxFiles:
		return nil, fmt.Errorf("it has %d files; the limit is %d", len(m.Files), maxFiles)
	}
	seen := map[string]bool{}
	kept := m.Files[:0]
	for _, e := range m.Files {
		switch {
		case !isShareable(e.Path):
			wrong.add("the path %q is not allowed", e.Path)
		case seen[e.Path]:
			wrong.add("%q is named twice", e.Path)
		case len(e.SHA256) != 64:
			wrong.add("%q has no checksum", e.Path)
		default:
			seen[e.Path] = true
			kept = append(kept, e.plain(now))
		}
	}
	m.Files = kept
	return &m, nil
}

// plain returns the entry with values that are safe to show and to sort by: texts that are
// too long or have control characters are emptied, and times in the future become now.
func (e entry) plain(now time.Time) entry {
	for _, text := range []*string{&e.Origin, &e.Format, &e.Branch} {
		if len(*text) > 4096 || !utf8.ValidString(*text) || strings.ContainsFunc(*text, unicode.IsControl) {
			*text = ""
		}
	}
	if !isHash(e.Head) {
		e.Head = ""
	}
	if e.Mtime.After(now) {
		e.Mtime = now
	}
	if e.Mtime.Year() < 1970 {
		e.Mtime = time.Unix(0, 0)
	}
	e.Mtime = e.Mtime.UTC()
	return e
}
