package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// notmuchMost is for how many handoffs notmuch is asked to index their texts:
// that takes it fifteen times as long as handex.
const notmuchMost = 10_000

// rareWord stands in one of ten thousand handoffs; where there are fewer, in one
// of a hundred.
func (b *bench) rareWord() string {
	switch {
	case b.n >= 10_000:
		return "zqrare"
	case b.n >= 100:
		return "qmedium"
	}
	return commonWord
}

// peers compares searches with those of notmuch and ripgrep, as far as they are
// installed.
func (b *bench) peers(ctx context.Context, t *table) error {
	if err := b.notmuch(ctx, t); err != nil {
		return err
	}
	var theirs []string
	why := "ripgrep is not installed"
	if rg, err := exec.LookPath("rg"); err == nil {
		// Handoffs are often in hidden folders, and ignored by git.
		theirs, why = []string{rg, "--hidden", "--no-ignore", "-l", commonWord, b.tree}, ""
	}
	return b.against(ctx, t, "search "+commonWord, b.searchFor(commonWord), "rg -l reads the handoffs", theirs, why, 0)
}

// notmuch compares searches for a common word and a rare one.
func (b *bench) notmuch(ctx context.Context, t *table) error {
	var program []string
	notmuch, err := exec.LookPath("notmuch")
	why := ""
	switch {
	case err != nil:
		why = "notmuch is not installed"
	case b.n > notmuchMost:
		why = fmt.Sprintf("notmuch is asked to index %d handoffs at most", notmuchMost)
	default:
		if program, err = b.mailbox(ctx, notmuch); err != nil {
			return err
		}
	}
	for _, word := range []string{commonWord, b.rareWord()} {
		theirs := slices.Concat(program, []string{"search", "--limit=20", "--sort=newest-first", word})
		if err := b.against(ctx, t, "search "+word, b.searchFor(word), "notmuch finds the same texts", theirs, why, 0); err != nil {
			return err
		}
	}
	return nil
}

// against compares a command of ours with one of theirs, or tells why there is
// none.
func (b *bench) against(ctx context.Context, t *table, what string, ours []string, beside string, theirs []string, why string, bound float64) error {
	commands := [][]string{ours}
	if why == "" {
		commands = append(commands, theirs)
	}
	got, err := b.takeTurns(ctx, b.runs*shortRuns, commands)
	switch {
	case err != nil:
		return err
	case why != "":
		t.skip(what, got[0], why)
	default:
		t.cpu(what, got[0], beside, got[1], bound)
	}
	return nil
}

// mailbox has notmuch index a message for each file of handoffs, and answers
// the command that asks it.
func (b *bench) mailbox(ctx context.Context, notmuch string) ([]string, error) {
	mail := filepath.Join(b.work, "mail")
	if err := b.writeMail(filepath.Join(mail, "cur")); err != nil {
		return nil, fmt.Errorf("write messages: %w", err)
	}
	config := filepath.Join(b.work, "notmuch.conf")
	settings := "[database]\npath=" + mail + "\n[user]\nname=bench\nprimary_email=bench@example.org\n[new]\ntags=handoff\n"
	if err := os.WriteFile(config, []byte(settings), 0o600); err != nil {
		return nil, err
	}
	_, err := b.measure(ctx, notmuch, "--config="+config, "new", "--quiet")
	return []string{notmuch, "--config=" + config}, err
}

// writeMail writes each file of the tree as a message of its date. A maildir is
// that folder with two empty ones beside it.
func (b *bench) writeMail(dir string) error {
	for _, folder := range []string{dir, filepath.Join(dir, "../new"), filepath.Join(dir, "../tmp")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	n := 0
	return eachFile(b.tree, func(path string, info os.FileInfo) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		head := fmt.Sprintf("From: agent@example.org\nTo: reader@example.org\nSubject: handoff %d\nDate: %s\nMessage-ID: <%d@example.org>\n"+
			"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n",
			n, info.ModTime().UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"), n)
		return os.WriteFile(filepath.Join(dir, strconv.Itoa(n)+":2,S"), append([]byte(head), text...), 0o600)
	})
}
