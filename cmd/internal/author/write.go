package author

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// Options determine how Compose completes a draft.
type Options struct {
	// Bare fills in only what the format's specification does.
	Bare bool
	// ForHook fills in what the newest handoff of the project leaves to do and what
	// git says was done since; Before are earlier handoffs, the newest first.
	ForHook bool
	Before  []*index.Handoff
}

// A Handoff is a new handoff, which can be saved.
type Handoff struct {
	At      Location
	Text    []byte
	Doc     *parse.Document // how the text reads, when it was checked
	Lost    []write.Loss    // what the draft says and the text does not
	Path    string          // where it was saved, "" if it was not
	Removed []string        // paths of handoffs that make room for it

	env     Env
	session string
	hooked  bool // a hook saves it
	merged  Keys // set in the file that is there, instead of replacing it
}

// Compose completes a draft of a handoff for the project of an existing folder, and returns
// the handoff with its text. It neither checks nor saves it.
func (e Env) Compose(ctx context.Context, d *Draft, dir string, o Options) (*Handoff, error) {
	at, err := e.Locate(d.name, dir)
	if err != nil {
		return nil, err
	}
	status := func(f parse.Field) bool { return f.Key == "status" && f.Value != at.Unsent }
	if at.Unsent != "" && slices.ContainsFunc(d.Fields, status) {
		err := fmt.Errorf("a new handoff has the status %s", at.Unsent)
		return nil, render.WithHint(err, "its status changes when it is sent")
	}
	if at.Date != "" {
		d.give("date", e.stamp(at.Date))
	}
	f := filler{Env: e, Draft: d, at: at, git: e.workTree(ctx, at)}
	if o.ForHook {
		if !at.Keep.AutoSave {
			return nil, errAutoSave
		}
		if err := f.carryOver(o.Before); err != nil {
			return nil, err
		}
	}
	if !o.Bare {
		f.fillKnown()
	}
	h := &Handoff{At: at, env: e, hooked: o.ForHook}
	session := func(f parse.Field) bool { return f.Key == "session" && sessionID().MatchString(f.Value) }
	if i := slices.IndexFunc(d.Fields, session); i >= 0 {
		h.session = strings.ToLower(d.Fields[i].Value[:8])
	}
	if h.Text, h.Lost, err = write.Write(at.Format, d.Draft); err != nil || !o.ForHook || !isUpdated(at.Place) {
		return h, err
	}
	return h, h.mergeInto(f)
}

// mergeInto replaces the text of a hook's handoff by the text of the existing file with the
// keys added that the hook knows. Without an existing file it changes nothing.
func (h *Handoff) mergeInto(f filler) error {
	old, err := h.At.read(h.At.rel())
	if err != nil || len(strings.TrimSpace(string(old))) == 0 {
		return err
	}
	if h.merged, err = f.merge(old); err == nil {
		h.Lost = nil
		h.Text, err = write.EditYAML(old, h.merged)
	}
	return err
}

// stamp returns the present time in a layout: in UTC if the layout has hours, else as a day
// in the person's time zone.
func (e Env) stamp(layout string) string {
	now := e.Now().UTC()
	if !strings.Contains(layout, "15") {
		now = now.In(e.Zone)
	}
	return now.Format(layout)
}

// A filler completes a draft from its surroundings: git, earlier handoffs and the project.
type filler struct {
	Env
	*Draft
	at  Location
	git func() (*index.GitState, error) // nil if git says nothing
}

// workTree returns a function that asks git about the project of a location, once and when
// it is first called. Its changed files do not include handoffs.
func (e Env) workTree(ctx context.Context, at Location) func() (*index.GitState, error) {
	dir := at.workTree()
	return sync.OnceValues(func() (*index.GitState, error) {
		state, ok, err := index.ReadGit(ctx, dir, e.Getenv)
		if err != nil || !ok {
			return nil, err
		}
		state.Changed = slices.DeleteFunc(state.Changed, func(f parse.File) bool {
			return slices.ContainsFunc(parse.Placed(), func(format string) bool { return isPlacedAt(format, f.Path) })
		})
		return &state, nil
	})
}

// isPlacedAt reports whether a path of a project is in the place where a format keeps
// handoffs.
func isPlacedAt(format, path string) bool {
	place, _ := parse.PlaceOf(format)
	if place.File != "" {
		return path == place.Dir+"/"+place.File
	}
	return !place.Agent && strings.HasPrefix(path, place.Dir+"/")
}

// fillKnown fills in what the format wants and the draft lacks: source, session, project,
// and from git the branch, commit and changed files.
func (f filler) fillKnown() {
	wants := func(name string) bool { return slices.Contains(f.at.Fills, name) && !f.has(name) }
	if slices.Contains(f.at.Fills, "source") {
		f.fillSource()
	}
	if wants("session") {
		f.give("session", f.Hook.Session)
	}
	if wants("project") {
		folder := filepath.Join(f.at.Root, f.at.Folder)
		f.give("project", index.ProjectOf(folder, f.at.Root, index.KnownPaths{Home: f.Home}).Name)
	}
	files := slices.Contains(f.at.Fills, "files") && !f.filesGiven
	if !wants("branch") && !wants("commit") && !files {
		return
	}
	state, err := f.git()
	switch {
	case err != nil:
		f.note(err.Error() + "; nothing is filled in from git")
	case state != nil:
		if wants("branch") {
			f.give("branch", state.Branch)
		}
		if wants("commit") {
			f.give("commit", state.Commit[:min(shortCommit, len(state.Commit))])
		}
		if files {
			f.addChanged(state)
		}
	}
}

// fillSource fills in the source, the newest of the project's texts that such a handoff can
// hand over, and its author: as that text names it, or else as its file name does.
func (f filler) fillSource() {
	letters, err := filepath.Glob(filepath.Join(escapeGlob(f.at.Root), filepath.FromSlash(f.at.Letters)))
	if err != nil {
		f.note(err.Error() + "; the source is not filled in")
	}
	letters = slices.DeleteFunc(letters, func(path string) bool {
		st, err := os.Lstat(path)
		return err != nil || !st.Mode().IsRegular()
	})
	if len(letters) > 0 {
		f.give("source", path.Join(path.Dir(f.at.Letters), filepath.Base(slices.Max(letters))))
	}
	i := slices.IndexFunc(f.Fields, func(d parse.Field) bool { return d.Key == "source" })
	if i < 0 || !slices.Contains(f.at.Fills, "from") || f.has("from") {
		return
	}
	source := f.Fields[i].Value
	if fits, err := path.Match(f.at.Letters, source); err != nil || !fits {
		return
	}
	text, err := f.at.read(filepath.FromSlash(source))
	if err != nil {
		f.note(err.Error() + "; the author is not filled in")
		return
	}
	from := fieldOf(parse.Parse(parse.Source{Path: source, Bytes: text, ModTime: f.Now(), Zone: f.Zone})[0], "from")
	_, name, _ := strings.Cut(path.Base(source), "-")
	f.give("from", cmp.Or(from, name[:strings.LastIndexByte(name, '-')]))
}

// escapeGlob returns a path as a glob pattern that matches only this path.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// shortCommit is how many characters of a commit's id are written.
const shortCommit = 12

// addChanged adds the changed files of git, and notes if there are more of them.
func (f filler) addChanged(state *index.GitState) {
	for _, file := range state.Changed {
		if !slices.Contains(f.at.Fills, "actions") {
			file.Action = ""
		}
		f.Files = append(f.Files, file)
	}
	if state.More {
		f.note(fmt.Sprintf("git lists more than %d changed files; only these are filled in", len(state.Changed)))
	}
}

// Check parses the text of the handoff. It returns an *InvalidError if the text breaks a
// rule of its format, and another error if it is not read as one handoff of that format.
func (h *Handoff) Check() error {
	docs := h.env.parse(h.At, h.Name(), h.Text, true)
	h.Doc = docs[0]
	if err := Validate(h.At.Format, h.Doc); err != nil {
		return err
	}
	if h.Doc.Format != h.At.Format || len(docs) > 1 {
		return fmt.Errorf("not a valid %s handoff: it is read as %d of the format %s", h.At.Format, len(docs), h.Doc.Format)
	}
	return nil
}

var sessionID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Fa-f]{8}(?:-|$)`) })

// Name returns the file name for the handoff, without the number that Save adds if another
// file has it. If agents name their files by the session and the session is not known, it
// is random.
func (h *Handoff) Name() string {
	switch {
	case h.At.File != "":
		return h.At.File
	case h.At.Stamp != "":
		return h.env.Now().In(h.env.Zone).Format(h.At.Stamp) + h.At.Ext
	case h.session == "":
		var name [4]byte
		_, _ = rand.Read(name[:]) // it never fails
		h.session = hex.EncodeToString(name[:])
	}
	return h.session + h.At.Ext
}

// Save writes the handoff to the place that its format specifies. A dry run only returns
// what would change.
func (h *Handoff) Save(ctx context.Context, dryRun bool) (c save.Change, err error) {
	c = save.Change{Path: filepath.Join(h.At.Path(), h.Name()), New: h.Text}
	switch {
	case h.At.File != "":
		c, err = h.env.edit(ctx, h.At, h.At.rel(), dryRun, func([]byte) ([]byte, bool, error) {
			return h.Text, true, nil
		})
	case h.At.Stamp != "":
		c.Path, err = h.saveNumbered(ctx, dryRun)
	case !dryRun:
		c.Path, err = h.env.create(ctx, h.At, filepath.Join(h.At.Folder, h.Name()), h.Text)
	}
	if !dryRun {
		h.Path = c.Path
	}
	return c, err
}

// Prompt returns the message for the receiver of a saved handoff, "" if its format is not
// one that is sent in a separate step.
func (h *Handoff) Prompt() string {
	if h.At.Unsent == "" || h.Path == "" {
		return ""
	}
	return prompt(h.Doc, filepath.ToSlash(h.At.rel()))
}
