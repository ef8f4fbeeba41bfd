package author

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// Keys are keys to be set in a handoff, with their values, in order.
type Keys []write.YAMLSet

// Add adds values to a key. A key without values is to be emptied.
func (k *Keys) Add(key string, values ...string) { k.add(key, values, make([]bool, len(values))) }

// add is like Add. plain reports for each value whether it is a number or boolean.
func (k *Keys) add(key string, values []string, plain []bool) {
	at := slices.IndexFunc(*k, func(s write.YAMLSet) bool { return s.Key == key })
	if at < 0 {
		*k = append(*k, write.YAMLSet{Key: key})
		at = len(*k) - 1
	}
	(*k)[at].Values = append((*k)[at].Values, values...)
	(*k)[at].Plain = append((*k)[at].Plain, plain...)
}

// ReadDocument adds the keys and values of a JSON object. If the object is the input of a
// hook, it adds nothing and returns the hook.
func (k *Keys) ReadDocument(text []byte) (Hook, error) {
	if hook, ok := readHook(text); ok {
		return hook, nil
	}
	members, err := readObject(text)
	if err != nil {
		return Hook{}, fmt.Errorf("the document: %w", err)
	}
	for _, m := range members {
		values, plain, err := typedScalars(m.value)
		if err != nil {
			return Hook{}, fmt.Errorf("the document: %s: %w", m.key, err)
		}
		k.add(m.key, values, plain)
	}
	return Hook{}, nil
}

// isUpdated reports whether Update changes the handoffs of a place.
func isUpdated(p parse.Place) bool { return p.Update != nil }

// Update sets keys in the handoff of a folder's project, and creates the handoff if there
// is none. A file that is not YAML is renamed and replaced. A dry run only returns what
// would change.
func (e Env) Update(ctx context.Context, dir string, keys Keys, session string, dryRun bool) (save.Change, error) {
	at, err := e.LocateFirst(dir, isUpdated)
	if err != nil {
		return save.Change{}, err
	}
	if session != "" {
		keys = append(keys, write.YAMLSet{Key: at.Session, Values: []string{session}})
	}
	for i := range keys {
		keys[i].List = len(keys[i].Values) > 0 && slices.Contains(at.Lists, keys[i].Key)
	}
	return e.edit(ctx, at, at.rel(), dryRun, func(old []byte) ([]byte, bool, error) {
		problems := e.parse(at, at.File, old, true)[0].Problems
		broken := slices.ContainsFunc(problems, func(p parse.Problem) bool { return p.Rule == "yaml.syntax" })
		kept := old
		if broken {
			kept = nil
		}
		text, err := e.updated(at, kept, keys)
		switch {
		case err != nil:
			return nil, false, err
		case broken && dryRun:
			e.Say("warning: " + at.Path() + " is not YAML; it would be renamed")
		case broken:
			var aside string
			if aside, err = e.create(ctx, at, at.rel()+".broken", old); err == nil {
				e.Say("warning: " + at.Path() + " is not YAML; it is renamed to " + aside)
			}
		}
		return text, !broken, err
	})
}

// updated returns the text of a handoff with the keys set and the time of the change. If
// old is blank, it begins with the keys that the format requires. It returns an
// *InvalidError if the result breaks a rule.
func (e Env) updated(at Location, old []byte, keys Keys) ([]byte, error) {
	var set Keys
	if len(strings.TrimSpace(string(old))) == 0 {
		for _, f := range at.Update {
			set = append(set, write.YAMLSet{Key: f.Key, Values: []string{f.Value}})
			i := slices.IndexFunc(keys, func(s write.YAMLSet) bool { return s.Key == f.Label && len(s.Values) == 1 })
			if i >= 0 {
				set[len(set)-1].Values = keys[i].Values
			}
		}
	}
	set = slices.DeleteFunc(append(set, keys...), func(s write.YAMLSet) bool { return s.Key == at.Renewed })
	// Two updates in one second differ.
	now, form := e.Now().UTC().Truncate(time.Microsecond), time.RFC3339
	if now.Nanosecond() > 0 {
		form = "2006-01-02T15:04:05.000000Z07:00" // Python before 3.11 reads no other fraction
	}
	set = append(set, write.YAMLSet{Key: at.Renewed, Values: []string{now.Format(form)}})
	text, err := write.EditYAML(old, set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at.Path(), err)
	}
	return text, Validate(at.Format, e.parse(at, at.File, text, true)[0])
}

// Clear removes the handoff of a folder's project that Update changes, if it exists. A dry
// run only returns what would be removed.
func (e Env) Clear(ctx context.Context, dir string, dryRun bool) (save.Change, error) {
	at, err := e.LocateFirst(dir, isUpdated)
	if err != nil {
		return save.Change{}, err
	}
	// Where there is none, its folder may be missing as well.
	if c, err := e.edit(ctx, at, at.rel(), true, removed); dryRun || err != nil || c.Old == nil {
		return c, err
	}
	return e.edit(ctx, at, at.rel(), false, removed)
}

// removed is an editor that removes a file.
func removed([]byte) (text []byte, archive bool, err error) { return nil, true, nil }
