package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// An Outgoing is what would leave this machine if a project is shared.
type Outgoing struct {
	Files    []entry // by path
	Masked   int     // credentials that were masked
	Others   int     // files that git tracks and others wrote
	Problems []string
	handoffs map[string][]index.Summary // by the path in Files
}

// Paths returns the paths of the files, as in the manifest.
func (o *Outgoing) Paths() []string {
	list := make([]string, len(o.Files))
	for i, e := range o.Files {
		list[i] = e.Path
	}
	return list
}

// collect returns the files of a share that are to be sent. A file that the index has but
// that cannot be read now is reported as a problem and does not count as deleted.
func (t *Team) collect(ctx context.Context, s Share) (*Outgoing, error) {
	if info, err := os.Stat(s.Root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s does not exist", s.Root)
	}
	handoffs, err := t.Index.HandoffsOf(ctx, s.Root)
	if err != nil {
		return nil, err
	}
	out := &Outgoing{handoffs: map[string][]index.Summary{}}
	byPath := map[string][]index.Summary{}
	for _, h := range handoffs {
		if h.Member == "" && !save.Within(h.Path, t.Dir) { // what others sent is not sent on
			byPath[h.Path] = append(byPath[h.Path], h)
		}
	}
	theirs := t.ofOthers(ctx, s.Root, byPath)
	var wrong problems
	for _, h := range handoffs {
		list := byPath[h.Path]
		if len(list) == 0 || h.ID != list[0].ID {
			continue
		}
		if theirs[h.ID] {
			out.Others++
			continue
		}
		name := t.nameOf(s.Root, h.Path)
		if name == "" {
			wrong.add("%s is not sent: it is not in the project or the home folder, or its name cannot be sent", h.Path)
			continue
		}
		e, n, err := t.entryOf(h, name)
		if errors.Is(err, fs.ErrNotExist) && isDeleted(s.Root, h.Path) {
			continue
		}
		if err != nil {
			wrong.add("%s is not sent again: %v", h.Path, err)
		}
		out.Masked += n
		out.Files = append(out.Files, e)
		out.handoffs[name] = list
	}
	slices.SortFunc(out.Files, func(a, b entry) int { return strings.Compare(a.Path, b.Path) })
	if len(out.Files) > maxFiles {
		return nil, fmt.Errorf("%s has %d handoffs; at most %d can be shared", s.Root, len(out.Files), maxFiles)
	}
	out.Problems = wrong.all()
	t.remember(&manifest{Rules: redact.Rules(), Files: out.Files})
	return out, nil
}

// fresh is how long after a change a file can be changed again and keep its time. With more
// than maxFresh files that were fresh in the last commit, another is made.
const (
	fresh    = 2 * time.Second
	maxFresh = 100
)

// entryOf returns the manifest entry of a handoff with the path name, and how many
// credentials are masked in its text. The file is not read if it has the same size and time
// as when it was last read and had nothing to mask.
func (t *Team) entryOf(h index.Summary, name string) (e entry, masked int, err error) {
	e = entry{Path: name, Origin: h.Path, Format: h.Format, Branch: h.Branch}
	info, err := os.Stat(h.Path)
	if err != nil {
		return e, 0, err
	}
	e.Mtime = info.ModTime().UTC()
	if e.Mtime.Before(time.Unix(0, 0)) || e.Mtime.After(endOfTime) {
		e.Mtime = time.Unix(0, 0).UTC() // JSON has no such times
	}
	if was := t.known[h.Path]; was.Size > 0 && was.Size == info.Size() && was.Mtime.Equal(info.ModTime()) {
		e.SHA256, e.Size = was.SHA256, was.Size
		return e, 0, nil
	}
	text, masked, err := readMasked(h.Path)
	if err != nil {
		return e, 0, err
	}
	e.SHA256 = sumOf(text)
	if masked == 0 && t.Now().Sub(info.ModTime()) > fresh { // the size would say how long a credential is
		e.Size = info.Size()
	}
	return e, masked, nil
}

// remember stores the entries of a manifest, so that entryOf need not read unchanged files
// again. It does nothing if the manifest was masked by other rules.
func (t *Team) remember(m *manifest) {
	if t.known == nil {
		t.known = map[string]entry{}
	}
	if m.Rules != redact.Rules() {
		return
	}
	for _, e := range m.Files {
		t.known[e.Origin] = e
	}
}

// isDeleted reports whether a missing file was deleted: the repository or folder that
// contained it is still there. Otherwise its disk may be missing, and the index keeps its
// handoffs.
func isDeleted(root, path string) bool {
	if save.Within(path, root) && index.FindWorkTree(root) != nil {
		return true
	}
	_, err := os.Stat(filepath.Dir(path))
	return err == nil
}

// ofOthers returns the ids of the handoffs that git tracks and that were not written on
// this machine. They need not be sent, as everybody has them by git.
func (t *Team) ofOthers(ctx context.Context, root string, byPath map[string][]index.Summary) map[string]bool {
	w := index.FindWorkTree(root)
	if w == nil {
		return nil
	}
	names := map[string]bool{}
	for path := range byPath {
		if rel, err := filepath.Rel(w.Top, path); err == nil && filepath.IsLocal(rel) {
			names[filepath.ToSlash(rel)] = true
		}
	}
	tracked, err := w.Tracked(ctx, names, t.Getenv)
	if err != nil {
		return nil // to send a text twice does no harm
	}
	var list []index.Summary
	for path, handoffs := range byPath {
		rel, _ := filepath.Rel(w.Top, path)
		if tracked[filepath.ToSlash(rel)] != "" {
			list = append(list, handoffs[0])
		}
	}
	return index.Foreign(ctx, list, t.Getenv)
}

// nameOf returns the path under which a file is sent: relative to the root, or below "~/"
// if it is in the home folder; "" if it cannot be sent.
func (t *Team) nameOf(root, path string) string {
	name := ""
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
		if name == "~" || strings.HasPrefix(name, "~/") {
			return ""
		}
	} else if rel, err := filepath.Rel(t.Home, path); err == nil && filepath.IsLocal(rel) && t.Home != "" {
		name = "~/" + filepath.ToSlash(rel)
	}
	if !isShareable(name) {
		return ""
	}
	return name
}

// readMasked returns the text of a file with its credentials masked, and how many were.
func readMasked(path string) (text []byte, masked int, err error) {
	if text, err = save.ReadFile(path); err != nil {
		return nil, 0, err
	}
	plain, n := redact.Text(string(text))
	return []byte(plain), n, nil
}

// sumOf returns the SHA-256 of a text in hexadecimal.
func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
