package team

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/OWNER/handex/cmd/internal/redact"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
)

// sent is the content of the last commit of a share.
type sent struct {
	tip   string // "" if there is none
	rules string
	files map[string]entry
	acks  []byte
}

// lastSent reads the last commit that this machine made for a share. Without one the result
// has the tip "".
func (t *Team) lastSent(ctx context.Context, s Share) (*sent, error) {
	last := &sent{files: map[string]entry{}}
	if last.tip = t.resolve(ctx, s.own()); last.tip == "" {
		return last, nil
	}
	texts, err := t.contents(ctx, last.tip+":"+manifestFile, last.tip+":"+acksFile)
	if err != nil {
		return nil, err
	}
	last.acks = texts[1]
	m, err := readManifest(texts[0], s.member(), s.Key, endOfTime, &problems{})
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

// contents returns the contents of git objects by their names, nil for a missing one.
func (t *Team) contents(ctx context.Context, names ...string) ([][]byte, error) {
	texts := make([][]byte, len(names))
	err := t.repo().Contents(ctx, names, maxManifest, func(i int, raw []byte) error {
		texts[i] = raw
		return nil
	})
	return texts, err
}

const manifestFile = "manifest.json"

// A delta is what the next commit of a share changes in the last one.
type delta struct {
	changed []entry
	removed []string
	files   []entry // all of them
	acks    []byte  // nil if they stay as they are
}

// send makes a commit of what a share has now, if that differs from the last commit. It
// does not push. It returns the tip and a text on what changed, "" if nothing did.
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

// commit makes a commit with git fast-import, which needs only one process for any number
// of files.
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

// writeCommit writes a commit as input of git fast-import.
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

// quoted returns a path as git fast-import reads it. The path must not have control
// characters.
func quoted(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}

// push pushes a refspec to the remote of a share. option is a flag of git push. It returns
// ErrTaken if the ref was changed elsewhere.
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

// resolve returns the id of the commit at a ref in the repository of handex, "" if there is
// none.
func (t *Team) resolve(ctx context.Context, ref string) string { return t.object(ctx, ref+"^{commit}") }

// object returns the id of the git object that a name refers to in the repository of
// handex, "" if there is none.
func (t *Team) object(ctx context.Context, name string) string {
	var out strings.Builder
	err := t.repo().Run(ctx, nil, func(in io.Reader) error {
		_, err := io.Copy(&out, io.LimitReader(in, 100))
		return err
	}, "rev-parse", "--verify", "--quiet", name)
	if id := strings.TrimSpace(out.String()); err == nil && isHash(id) {
		return id
	}
	return ""
}
