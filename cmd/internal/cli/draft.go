package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"handex/index"
	"handex/parse"
	"handex/parse/write"
)

// gather makes a draft of what the person gives: flags, then a document.
func (w *writing) gather() error {
	c := w.cmd
	for _, pair := range c.Set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || strings.TrimSpace(key) == "" {
			return hinted{fmt.Errorf("--set: %q is not KEY=VALUE", pair), "--set goal='Tell the shopper when a price changed'"}
		}
		w.set(strings.TrimSpace(key), value)
	}
	if c.To != "" {
		w.set("to", c.To)
	}
	w.draft.WorkItems = append(w.draft.WorkItems, c.Item...)
	for _, file := range c.File {
		w.addFile(fileOf(file))
	}
	input, err := w.sections()
	if err != nil {
		return err
	}
	return w.document(input)
}

// sections reads the sections of the flags. input reports whether the standard
// input was one of them.
func (w *writing) sections() (input bool, err error) {
	for _, pair := range w.cmd.Section {
		name, text, ok := strings.Cut(pair, "=")
		kind, known := parse.KindOf(strings.TrimSpace(name))
		switch {
		case !ok:
			return input, hinted{fmt.Errorf("--section: %q is not KIND=TEXT", pair), "--section next='- call the bank'"}
		case !known:
			return input, hinted{fmt.Errorf("--section: no kind of section is called %q", name), "a document can have sections of any heading; kinds: handex help fields"}
		case text == "-" && input:
			return input, errTwice
		case text == "-":
			input = true
			text, err = w.standardInput()
		case strings.HasPrefix(text, "@"):
			var b []byte
			b, err = readText(w.env.abs(text[1:]))
			text = string(b)
		}
		if err != nil {
			return input, fmt.Errorf("--section %s: %w", name, err)
		}
		w.addSection(write.DraftSection{Kind: kind, Body: text})
	}
	return input, nil
}

// set adds a field under the name it has in the format. An empty value says that
// there is none, so that none is filled in.
func (w *writing) set(label, value string) {
	switch name := parse.FieldOf(w.format(), label); name {
	case "title":
		w.draft.Title = value
	case "item":
		if value != "" {
			w.draft.WorkItems = append(w.draft.WorkItems, value)
		}
	case string(parse.Files):
		w.addFile(fileOf(value))
	default:
		f := parse.Field{Key: name, Value: value}
		if strings.HasPrefix(name, "meta.") {
			f.Label = label
		}
		w.draft.Fields = append(w.draft.Fields, f)
	}
}

// format is what --as means for the names of keys: of a family the first.
func (w *writing) format() string {
	if members := family(w.cmd.As); len(members) > 0 {
		return members[0]
	}
	return w.cmd.As
}

func (w *writing) addSection(s write.DraftSection) {
	if strings.TrimSpace(s.Body) != "" {
		w.draft.Sections = append(w.draft.Sections, s)
	}
}

// addFile adds a file; one without a name says that there are none.
func (w *writing) addFile(f parse.File) {
	w.filesGiven = true
	if f.Path != "" {
		w.draft.Files = append(w.draft.Files, f)
	}
}

var fileAction = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.+?)\s+\((created|modified|deleted|renamed)\)$`)
})

// fileOf reads a path, and behind it in parentheses what was done to the file.
func fileOf(text string) parse.File {
	if m := fileAction().FindStringSubmatch(text); m != nil {
		return parse.File{Path: m[1], Action: m[2]}
	}
	return parse.File{Path: text}
}

// says reports whether the draft has a field.
func (w *writing) says(name string) bool {
	return slices.ContainsFunc(w.draft.Fields, func(f parse.Field) bool { return f.Key == name })
}

// give adds a field that the person did not.
func (w *writing) give(name, value string) {
	if value != "" && !w.says(name) {
		w.draft.Fields = append(w.draft.Fields, parse.Field{Key: name, Value: value})
	}
}

// fill gives what the specification gives each new handoff and, unless told not
// to, what can be known.
func (w *writing) fill() error {
	unsent := w.spot.Unsent
	if unsent != "" && slices.ContainsFunc(w.draft.Fields, func(f parse.Field) bool { return f.Key == "status" && f.Value != unsent }) {
		return hinted{fmt.Errorf("a handoff that is new has the status %s", unsent), "its status changes when it is sent"}
	}
	if w.spot.Date != "" {
		w.give("date", w.stamp())
	}
	if w.cmd.Hook {
		if err := w.carry(); err != nil {
			return err
		}
	}
	if !w.cmd.Bare {
		w.know()
	}
	return nil
}

// stamp is the time of writing as the format notes it: an instant in UTC, a day as
// the person's calendar has it.
func (w *writing) stamp() string {
	now := w.env.Now().UTC()
	if !strings.Contains(w.spot.Date, "15") {
		now = now.In(w.env.Zone)
	}
	return now.Format(w.spot.Date)
}

// know fills in what the surroundings tell.
func (w *writing) know() {
	wants := func(name string) bool { return slices.Contains(w.spot.Fills, name) && !w.says(name) }
	if wants("session") {
		w.give("session", w.hook.Session)
	}
	if wants("project") {
		w.give("project", index.ProjectOf(filepath.Join(w.spot.root, w.spot.folder), w.spot.root, index.KnownPaths{Home: w.env.Home}).Name)
	}
	files := slices.Contains(w.spot.Fills, "files") && !w.filesGiven
	if !wants("branch") && !wants("commit") && !files {
		return
	}
	state, ok, err := w.gitState(w.spot.root)
	switch {
	case err != nil:
		w.note(err.Error() + "; nothing is filled in from git")
	case ok:
		if wants("branch") {
			w.give("branch", state.Branch)
		}
		if wants("commit") {
			w.give("commit", state.Commit[:min(shortCommit, len(state.Commit))])
		}
		if files {
			w.touched(state)
		}
	}
}

// gitState asks git once how the work tree of a folder is.
func (w *writing) gitState(dir string) (index.GitState, bool, error) {
	if w.git.dir != dir {
		w.git.dir = dir
		w.git.state, w.git.ok, w.git.err = index.ReadGit(w.ctx, dir, w.env.Getenv)
	}
	return w.git.state, w.git.ok, w.git.err
}

// shortCommit is how much of a commit's id is told.
const shortCommit = 12

// touched takes the files that git lists, but for handoffs.
func (w *writing) touched(state index.GitState) {
	for _, f := range state.Changed {
		if !slices.Contains(w.spot.Fills, "actions") {
			f.Action = ""
		}
		if !slices.ContainsFunc(parse.Placed(), func(format string) bool { return placedAt(format, f.Path) }) {
			w.draft.Files = append(w.draft.Files, f)
		}
	}
	if state.More {
		w.note(fmt.Sprintf("git lists more than %d changed files; the first are filled in", len(state.Changed)))
	}
}

// placedAt reports whether a path of a project is where a format keeps handoffs.
func placedAt(format, path string) bool {
	place, _ := parse.PlaceOf(format)
	if place.File != "" {
		return path == place.Dir+"/"+place.File
	}
	return !place.Agent && strings.HasPrefix(path, place.Dir+"/")
}
