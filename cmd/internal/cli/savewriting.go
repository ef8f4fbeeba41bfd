package cli

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"handex/cmd/internal/render"
)

// save puts the text where the specification says.
func (w *writing) save() error {
	f, err := w.openSpot(w.spot)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if w.spot.File != "" {
		w.path = f.Path(w.spot.file())
		return f.Edit(w.ctx, w.spot.file(), func([]byte, bool) ([]byte, error) {
			w.keepOld(w.spot, w.path)
			return w.text, nil
		})
	}
	if w.spot.Stamp == "" {
		rel, err := f.Create(w.ctx, filepath.Join(w.spot.folder, w.name()), w.text)
		w.path = f.Path(rel)
		return err
	}
	// One at a time: the link leads to the last that was written, and none that a
	// link leads to is removed.
	unlock, err := f.Lock(w.ctx, w.spot.folder)
	if err != nil {
		return err
	}
	defer unlock()
	r := retention{app: w.app, spot: w.spot, folder: f}
	name, err := r.next()
	if err != nil {
		return err
	}
	rel, err := f.Create(w.ctx, filepath.Join(w.spot.folder, name), w.text)
	if err != nil {
		return err
	}
	w.path = f.Path(rel)
	if w.removed, err = r.after(filepath.Base(rel)); err != nil {
		return fmt.Errorf("%s is saved, but: %w", w.path, err)
	}
	return nil
}

var sessionID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{8}(?:-|$)`) })

// sessionName is a name made of the session's id, as agents make theirs, or else
// any.
func (w *writing) sessionName() string {
	for _, f := range w.draft.Fields {
		if id := strings.ToLower(f.Value); f.Key == "session" && sessionID().MatchString(id) {
			return id[:8]
		}
	}
	var name [4]byte
	_, _ = rand.Read(name[:]) // it never fails
	return hex.EncodeToString(name[:])
}

// preview shows what saving would change.
func (w *writing) preview() error {
	if w.spot.File != "" {
		old, exists, err := w.spot.read(w.spot.file())
		if err != nil {
			return err
		}
		return w.showChange(w.spot.home(), old, exists, w.text)
	}
	name := w.name()
	if w.spot.Stamp != "" {
		var err error
		if name, err = w.foresee(); err != nil {
			return err
		}
	}
	return w.showChange(filepath.Join(w.spot.home(), name), nil, false, w.text)
}

// foresee is the name a new handoff would get. It tells which would make room.
func (w *writing) foresee() (string, error) {
	f, err := w.spot.reader()
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	r := retention{app: w.app, spot: w.spot, folder: f}
	list, links, err := r.list()
	if err != nil {
		return "", err
	}
	delete(links, w.spot.Latest) // it will lead to the new one
	for _, name := range r.surplus(append(list, dated{}), links) {
		w.removed = append(w.removed, f.Path(filepath.Join(w.spot.folder, name)))
	}
	w.tellRemoved("would be removed")
	return r.next()
}

// tellRemoved tells which handoffs make room for the new one.
func (w *writing) tellRemoved(what string) {
	for _, path := range w.removed {
		w.say(fmt.Sprintf("%s, as %d are kept: %s", what, w.spot.keep.MaxFiles, path))
	}
}

// wire writes what came of it as one object.
func (w *writing) wire() error {
	prompt := ""
	if w.spot.Unsent != "" && w.path != "" {
		prompt = relayPrompt(w.doc, filepath.ToSlash(w.spot.file()))
	}
	return render.WrittenJSON(w.out, render.Written{
		Format: w.spot.format, Path: w.path, Text: w.text, Prompt: prompt, Losses: w.lost, Problems: w.doc.Problems, Removed: w.removed,
	})
}
