package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// edit lets the person change the text, and checks it. What cannot be used stays
// where it was edited.
func (w *writing) edit() error {
	words, err := w.editor()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "handex-")
	if err != nil {
		return err
	}
	file := filepath.Join(dir, w.name())
	if err := os.WriteFile(file, w.text, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(w.ctx, words[0], append(slices.Clone(words[1:]), file)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.env.Stdin, w.env.Stderr.Writer, w.env.Stderr.Writer
	if err := cmd.Run(); err != nil {
		return hinted{fmt.Errorf("%s: %w", words[0], err), "the text is in " + file}
	}
	if w.text, err = readText(file); err != nil {
		return err
	}
	if len(bytes.TrimSpace(w.text)) == 0 {
		return errors.Join(errors.New("the text is empty: nothing is written"), os.RemoveAll(dir))
	}
	if err := w.check(); err != nil {
		return hinted{err, "the text is in " + file}
	}
	return os.RemoveAll(dir)
}

// editor is the command that opens files for the person, without them.
func (a *app) editor() ([]string, error) {
	words, err := splitWords(firstSet(a.env.Getenv("VISUAL"), a.env.Getenv("EDITOR"), "vi"))
	if err != nil || len(words) == 0 {
		return nil, fmt.Errorf("EDITOR: %w", errors.Join(err, errors.New("it names no program")))
	}
	return words, nil
}

func firstSet(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
