package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"handex/cmd/internal/render"
)

// raw copies a file. A terminal gets it made safe, since its bytes could act
// on it.
func (a *app) raw(path string) (err error) {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file any more", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if !a.env.Stdout.IsTerminal() {
		_, err = io.Copy(a.out, f)
		return err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	safe := render.Clean(string(text))
	if safe != string(text) {
		a.note("characters that could act on the terminal are shown; the bytes go to a file or pipe")
	}
	_, err = io.WriteString(a.out, safe)
	return err
}
