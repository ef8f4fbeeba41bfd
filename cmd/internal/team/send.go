package team

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
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

// An Outgoing is what would leave of a project.
type Outgoing struct {
	Files    []entry // by path
	Masked   int     // credentials that were masked
	Others   int     // files that git tracks and others wrote
	Problems []string
	handoffs map[string][]index.Summary // by the path in Files
}

// Paths lists the paths of the files, as the manifest has them.
func (o *Outgoing) Paths() []string {
	list := make([]string, len(o.Files))
	for i, e := range o.Files {
		list[i] = e.Path
	}
	return list
}

// collect finds out what is to leave of a share. A file that cannot be read now, though
// the index has it, is a problem and no file that is gone.
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
		if h.Member == "" && !within(h.Path, t.Dir) { // what others sent is not sent on
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

// entryOf reads a handoff and masks the credentials in it, unless it has the size and the
// time that it had when it was read before and nothing was to be masked.
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

// remember notes what was read of the files of a manifest, if other rules did not mask it.
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

// isDeleted reports whether a file that is not there was deleted: what it was in is still
// there. The index keeps the last files of a folder, as their disk can be missing.
func isDeleted(root, path string) bool {
	if within(path, root) && index.FindWorkTree(root) != nil {
		return true
	}
	_, err := os.Stat(filepath.Dir(path))
	return err == nil
}

// ofOthers returns, by id, the handoffs in files that git tracks and that were not written
// on this machine: everybody has them by git.
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

// nameOf returns the path by which a file is sent, "" if it is not.
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

// within reports whether a path is a folder or is in it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// readMasked reads a handoff and masks the credentials in it.
func readMasked(path string) (text []byte, masked int, err error) {
	if text, err = save.ReadFile(path); err != nil {
		return nil, 0, err
	}
	plain, n := redact.Text(string(text))
	return []byte(plain), n, nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// sent is what the last commit of a share has.
type sent struct {
	tip   string // "" if there is none
	rules string
	files map[string]entry
	acks  []byte
}

// lastSent reads the last commit of a share.
func (t *Team) lastSent(ctx context.Context, s Share) (*sent, error) {
	last := &sent{files: map[string]entry{}}
	if last.tip = t.resolve(ctx, s.own()); last.tip == "" {
		return last, nil
	}
	var text []byte
	err := t.repo().Contents(ctx, []string{last.tip + ":" + manifestFile, last.tip + ":" + acksFile}, maxManifest,
		func(i int, raw []byte) error {
			if i == 0 {
				text = raw
			} else {
				last.acks = raw
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	m, err := readManifest(text, s.member(), s.Key, endOfTime, &problems{})
	if err != nil {
		return nil, fmt.Errorf("the last commit of this machine: %w", err)
	}
	last.rules = m.Rules
	for _, e := range m.Files {
		last.files[e.Path] = e
	}
	t.remember(m)
	return last, nil
}

const manifestFile = "manifest.json"

// A delta is what the next commit of a share changes.
type delta struct {
	changed []entry
	removed []string
	files   []entry // all of them
	acks    []byte  // nil if they stay as they are
}

// send commits what a share has now, if it is something else than the last commit has. It
// returns the tip and a sentence on what changed, "" if nothing did.
func (t *Team) send(ctx context.Context, s Share, last *sent, out *Outgoing, lines []ackLine,
) (tip, what string, err error) {
	d := &delta{}
	heads := (&index.WorkTree{}).HeadLog()
	if w := index.FindWorkTree(s.Root); w != nil {
		heads = w.HeadLog()
	}
	touched, settled := last.rules != redact.Rules(), 0
	now := map[string]bool{}
	for _, e := range out.Files {
		now[e.Path] = true
		was, ok := last.files[e.Path]
		switch {
		case e.SHA256 == "" && !ok:
			continue // it could not be read
		case e.SHA256 == "":
			e = was
		case !ok || was.SHA256 != e.SHA256:
			var branch string
			if e.Head, branch = heads.At(e.Mtime); e.Branch == "" {
				e.Branch = branch
			}
			d.changed = append(d.changed, e)
		case was.Mtime.Equal(e.Mtime):
			if was.Size != e.Size {
				was.Size = e.Size
				settled++
			}
			e = was
		default:
			touched = true
		}
		d.files = append(d.files, e)
	}
	for path := range last.files {
		if !now[path] {
			d.removed = append(d.removed, path)
		}
	}
	slices.Sort(d.removed)
	if text := mergeAcks(last.acks, lines); !bytes.Equal(text, last.acks) {
		d.acks = text
	}
	touched = touched || settled > maxFresh
	if last.tip != "" && !touched && len(d.changed)+len(d.removed) == 0 && d.acks == nil {
		return last.tip, "", nil
	}
	if err := t.commit(ctx, s, last.tip, d); err != nil {
		return "", "", err
	}
	what = fmt.Sprintf("%d changed, %d removed", len(d.changed), len(d.removed))
	return t.resolve(ctx, s.own()), what, nil
}

// commit makes a commit with git fast-import, which is one process for any number of
// files.
func (t *Team) commit(ctx context.Context, s Share, parent string, d *delta) error {
	in, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(out)
		err := errors.Join(t.writeCommit(w, s, parent, d), w.Flush())
		_ = out.CloseWithError(err)
		done <- err
	}()
	err := t.repo().Run(ctx, in, nil, "fast-import", "--quiet", "--done", "--date-format=raw")
	_ = in.Close() // ends the writer if git has ended early
	if wrong := <-done; wrong != nil && !errors.Is(wrong, io.ErrClosedPipe) {
		return wrong
	}
	return err
}

func (t *Team) writeCommit(w *bufio.Writer, s Share, parent string, d *delta) error {
	blob := func(path string, text []byte) {
		_, _ = fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", quoted(path), len(text), text) // Flush returns the error
	}
	message := fmt.Sprintf("handex: %d changed, %d removed", len(d.changed), len(d.removed))
	_, _ = fmt.Fprintf(w, "commit %s\ncommitter %[2]s <%[2]s> %d +0000\ndata %d\n%s\n",
		s.own(), s.member(), t.Now().Unix(), len(message), message)
	if parent != "" {
		_, _ = fmt.Fprintf(w, "from %s\n", parent)
	}
	// Files are removed first: a folder can take the place of one.
	for _, path := range d.removed {
		_, _ = fmt.Fprintf(w, "D %s\n", quoted("files/"+path))
	}
	m := &manifest{Version: 1, Member: s.member(), Key: s.Key, Rules: redact.Rules(), Files: d.files}
	if m.Files == nil {
		m.Files = []entry{}
	}
	for _, e := range d.changed {
		text, err := save.ReadFile(e.Origin)
		if err == nil && sumOf(text) != e.SHA256 { // else nothing is to be masked in it
			text, _, err = readMasked(e.Origin)
			e.Size = 0 // it can have changed since
		}
		if err != nil {
			return err // the next sync finds it gone
		}
		blob("files/"+e.Path, text)
		byPath := func(x entry, path string) int { return strings.Compare(x.Path, path) }
		at, _ := slices.BinarySearchFunc(m.Files, e.Path, byPath)
		m.Files[at].SHA256, m.Files[at].Size = sumOf(text), e.Size
	}
	text, err := m.encode()
	if err != nil {
		return err
	}
	blob(manifestFile, text)
	if d.acks != nil {
		blob(acksFile, d.acks)
	}
	_, err = w.WriteString("done\n")
	return err
}

// quoted returns a path as fast-import reads it; it has no control characters.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}

// push pushes a refspec to the remote of a share; option is one of git push.
func (t *Team) push(ctx context.Context, s Share, option, refspec string) error {
	var said bytes.Buffer
	err := t.repo().Network(ctx, 0, func(out io.Reader) error {
		_, err := io.Copy(&said, out)
		return err
	}, "push", s.URL, "--porcelain", "--quiet", "--no-verify", "--no-recurse-submodules", option, s.URL, refspec)
	for line := range strings.Lines(said.String()) {
		_, reason, refused := strings.Cut(strings.TrimSpace(line), "\t")
		switch {
		case !refused || line[0] != '!':
		case strings.Contains(reason, "[rejected]"):
			return fmt.Errorf("%w: %s of %s was changed elsewhere", ErrTaken, s.Ref, Shown(s.URL))
		default:
			return fmt.Errorf("%s refuses %s: %s", Shown(s.URL), s.Ref, reason)
		}
	}
	return err
}

// resolve returns the commit of a ref of handex's own repository, "" if there is none.
func (t *Team) resolve(ctx context.Context, ref string) string {
	var out strings.Builder
	err := t.repo().Run(ctx, nil, func(in io.Reader) error {
		_, err := io.Copy(&out, io.LimitReader(in, 100))
		return err
	}, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if id := strings.TrimSpace(out.String()); err == nil && hashForm.MatchString(id) {
		return id
	}
	return ""
}
