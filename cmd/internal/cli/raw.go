package cli

import "handex/cmd/internal/render"

// raw copies a file. A terminal gets it made safe, since its bytes could act
// on it.
func (a *app) raw(path string) error {
	text, err := readText(path)
	if err != nil {
		return err
	}
	if a.env.Stdout.IsTerminal() {
		safe := render.Clean(string(text))
		if safe != string(text) {
			a.note("characters that could act on the terminal are shown; the bytes go to a file or pipe")
		}
		text = []byte(safe)
	}
	_, err = a.out.Write(text)
	return err
}
