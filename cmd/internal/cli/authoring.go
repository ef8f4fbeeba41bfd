package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"handex/cmd/internal/author"
	"handex/cmd/internal/render"
	"handex/cmd/internal/save"
	"handex/cmd/internal/service"
)

// author writes handoffs for this run.
func (a *app) author() author.Env { return a.env.author(a.say, a.service) }

func (e Env) author(say func(string), s *service.Service) author.Env {
	return author.Env{
		Places: e.Places, Now: e.Now, Zone: e.Zone, Say: say, Archive: s.KeepOld,
	}
}

// showChange writes a diff of what a file says and would say.
func (a *app) showChange(c save.Change) error {
	if a.flags.errorsJSON() {
		return render.ChangeJSON(a.out, c.Path, c.Old, c.New)
	}
	return render.ChangeText(a.out, c.Path, c.Old, c.New, a.options())
}

// errTwice: what was read once is gone.
var errTwice = errors.New("the standard input can be read once")

// maxInput is how much of the standard input is read, in bytes.
const maxInput = 4 << 20

func (a *app) standardInput() ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(a.env.Stdin, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("the standard input is larger than %d bytes", maxInput)
	}
	return text, err
}

// piped reports whether something may wait on the standard input.
func (a *app) piped() bool {
	f, ok := a.env.Stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

// edited lets the person change a text in a file of a name. What check refuses stays
// where it was edited.
func (a *app) edited(name string, text []byte, check func([]byte) error) error {
	dir, err := os.MkdirTemp("", "handex-")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	if err := a.openInEditor(a.env.Stderr.Writer, file); err != nil {
		return render.WithHint(err, "the text is in "+file)
	}
	if text, err = readText(file); err != nil {
		return err
	}
	if strings.TrimSpace(string(text)) == "" {
		return errors.Join(errors.New("the text is empty: nothing is written"), os.RemoveAll(dir))
	}
	if err := check(text); err != nil {
		return render.WithHint(err, "the text is in "+file)
	}
	return os.RemoveAll(dir)
}

// openInEditor opens files in the person's editor, which writes to out.
func (a *app) openInEditor(out io.Writer, files ...string) error {
	words, err := splitWords(cmp.Or(a.env.Getenv("VISUAL"), a.env.Getenv("EDITOR"), "vi"))
	if err != nil || len(words) == 0 {
		return fmt.Errorf("EDITOR: %w", errors.Join(err, errors.New("it names no program")))
	}
	cmd := exec.CommandContext(a.ctx, words[0], append(words[1:], files...)...) //nolint:gosec // the editor of who runs handex
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.env.Stdin, out, a.env.Stderr.Writer
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	return nil
}

// table writes rows for people, or for programs in the form plain.
func (a *app) table(rows [][]string, form string) error {
	if form == "plain" {
		return render.TSV(a.out, rows)
	}
	return render.Table(a.out, nil, rows, a.options())
}
