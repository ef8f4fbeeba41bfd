package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
	"handex/parse"
	"handex/parse/write"
)

// updateCmd changes keys of the project's flow-guardian handoff.
type updateCmd struct {
	Pairs  []string `arg:"" optional:"" name:"key=value" help:"A key and what it is to say; nothing or null: nothing. Repeated, it is a list. - reads a JSON object, or a hook's input."`
	Dir    string   `help:"Whose project; the working folder if left out." placeholder:"DIR"`
	DryRun bool     `name:"dry-run" help:"Show what would change, and change nothing."`
}

// Help tells what stays and what is made.
func (*updateCmd) Help() string {
	return `The file is .flow-guardian/handoff.yaml of the nearest folder, from DIR upwards, that has .flow-guardian, .git or pyproject.toml, and else of DIR itself. Its other keys, its comments and the order stay; its timestamp is renewed. Where there is none it is made, with goal and now "Working on project" and the status in_progress. A file that is no YAML is set aside as handoff.yaml.broken, and a new one is made.`
}

// updatable is the spot of the format whose handoffs are updated.
func (a *app) updatable(dir string) (spot, error) {
	for _, format := range parse.Placed() {
		if place, _ := parse.PlaceOf(format); place.Update != nil {
			return a.spot(format, dir)
		}
	}
	return spot{}, errors.New("no format has handoffs that are updated")
}

// Run changes the file, or shows how it would.
func (c *updateCmd) Run(a *app) error {
	if _, err := a.form("json", "jsonl"); err != nil {
		return err
	}
	set, hook, err := c.changes(a)
	if err != nil {
		return err
	}
	dir := c.Dir
	if dir == "" {
		dir = hook.Cwd
	}
	s, err := a.updatable(dir)
	if err != nil {
		return err
	}
	if hook.Session != "" {
		set = append(set, s.hookKey(hook))
	}
	u := &updating{app: a, spot: s, set: s.asLists(set)}
	if c.DryRun {
		return u.preview()
	}
	return u.run()
}

// changes reads the arguments: keys in their order, and what a hook says.
func (c *updateCmd) changes(a *app) ([]write.YAMLSet, hookInput, error) {
	var set []write.YAMLSet
	var hook hookInput
	add := func(key string, values ...string) {
		at := slices.IndexFunc(set, func(s write.YAMLSet) bool { return s.Key == key })
		if at < 0 {
			set = append(set, write.YAMLSet{Key: key})
			at = len(set) - 1
		}
		set[at].Values = append(set[at].Values, values...)
	}
	for i, pair := range c.Pairs {
		if pair == "-" {
			if slices.Contains(c.Pairs[:i], "-") {
				return nil, hook, errTwice
			}
			members, h, err := a.updates()
			if err != nil {
				return nil, hook, fmt.Errorf("the document: %w", err)
			}
			hook = h
			for _, m := range members {
				values, err := scalars(m.value)
				if err != nil {
					return nil, hook, fmt.Errorf("the document: %s: %w", m.key, err)
				}
				add(m.key, values...)
			}
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return nil, hook, hinted{fmt.Errorf("%q is not key=value", pair), "handex update now='Debugging token expiry' status=blocked"}
		}
		if value == "" || value == "null" {
			add(key)
		} else {
			add(key, value)
		}
	}
	return set, hook, nil
}

// updates reads the standard input: an object of keys, or a hook's input.
func (a *app) updates() ([]member, hookInput, error) {
	text, err := a.standardInput()
	if err != nil {
		return nil, hookInput{}, err
	}
	if hook, ok := readHook([]byte(text)); ok {
		return nil, hook, nil
	}
	members, err := readObject([]byte(text))
	return members, hookInput{}, err
}

// hookKey sets the key of the session.
func (s spot) hookKey(hook hookInput) write.YAMLSet {
	return write.YAMLSet{Key: s.Session, Values: []string{hook.Session}}
}

// asLists makes lists of the keys whose values the specification has as lists.
func (s spot) asLists(set []write.YAMLSet) []write.YAMLSet {
	for i := range set {
		set[i].List = len(set[i].Values) > 0 && slices.Contains(s.Lists, set[i].Key)
	}
	return set
}

// An updating is one update of a file.
type updating struct {
	*app
	spot spot
	set  []write.YAMLSet

	// What the file said and says when it is done.
	old, text []byte
	existed   bool
}

// edit is the new text of the file. Of one that is no YAML nothing is taken over.
func (u *updating) edit(old []byte) ([]byte, error) {
	if u.broken(old) {
		old = nil
	}
	var set []write.YAMLSet
	if len(strings.TrimSpace(string(old))) == 0 {
		for _, f := range u.spot.Update {
			set = append(set, write.YAMLSet{Key: f.Key, Values: []string{f.Value}})
		}
	}
	set = slices.DeleteFunc(append(set, u.set...), func(s write.YAMLSet) bool { return s.Key == u.spot.Renewed })
	set = append(set, write.YAMLSet{Key: u.spot.Renewed, Values: []string{u.env.Now().UTC().Format(time.RFC3339)}})
	text, err := write.EditYAML(old, set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.spot.home(), err)
	}
	doc := u.parse(text)
	if faults := faultsOf(doc); len(faults) > 0 {
		return nil, refusal(u.spot.format, faults)
	}
	return text, nil
}

func (u *updating) parse(text []byte) *parse.Document {
	return parse.Parse(parse.Source{
		Path: filepath.ToSlash(u.spot.home()), Bytes: text, ModTime: u.env.Now(), Zone: u.env.Zone, Strict: true,
	})[0]
}

// preview shows what the update would change.
func (u *updating) preview() error {
	old, exists, err := u.spot.read(u.spot.file())
	if err != nil {
		return err
	}
	text, err := u.edit(old)
	if err != nil {
		return err
	}
	if u.broken(old) {
		u.say("warning: " + u.spot.home() + " is no YAML; it would be set aside")
	}
	return u.showChange(u.spot.home(), old, exists, text)
}

// run changes the file under its lock.
func (u *updating) run() error {
	f, err := u.openSpot(u.spot)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	err = f.Edit(u.ctx, u.spot.file(), func(old []byte, exists bool) ([]byte, error) {
		text, err := u.edit(old)
		switch {
		case err != nil:
			return nil, err
		case u.broken(old):
			err = u.setAside(f, old)
		case exists:
			u.keepOld(u.spot, u.spot.home())
		}
		u.old, u.existed, u.text = old, exists, text
		return text, err
	})
	if err != nil {
		return err
	}
	if u.flags.errorsJSON() {
		return render.ChangeJSON(u.out, u.spot.home(), u.old, u.existed, u.text)
	}
	_, err = io.WriteString(u.out, u.spot.home()+"\n")
	return err
}

// broken reports whether a text is no YAML at all.
func (u *updating) broken(text []byte) bool {
	return slices.ContainsFunc(u.parse(text).Problems, func(p parse.Problem) bool { return p.Rule == "yaml.syntax" })
}

// setAside keeps a file that cannot be read, before a new one takes its place.
func (u *updating) setAside(f *save.Folder, text []byte) error {
	rel, err := f.Create(u.ctx, u.spot.file()+".broken", text)
	if err != nil {
		return err
	}
	u.say("warning: " + u.spot.home() + " is no YAML; it is set aside as " + f.Path(rel))
	return nil
}

// showChange writes a diff of what a file says and would say.
func (a *app) showChange(path string, old []byte, exists bool, text []byte) error {
	if a.flags.errorsJSON() {
		return render.ChangeJSON(a.out, path, old, exists, text)
	}
	return render.ChangeText(a.out, path, old, exists, text, a.options())
}
