// Package gitinfo reads what git knows about a work tree: from git's own files if these are enough,
// else by running git in a way that runs nothing a repository configures.
package gitinfo

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Getenv is os.Getenv or alike.
type Getenv = func(string) string

// A reader reads the output of git.
type reader func(io.Reader) error

// gitPatience is how long one run of git may take.
const gitPatience = 2 * time.Minute

// gitSafe keeps a repository's own configuration from running programs: hooks, a
// file system monitor, checkers of signatures, helpers that fetch.
var gitSafe = []string{
	"--no-pager", "--no-optional-locks", "--no-replace-objects", "-c", "core.fsmonitor=", "-c",
	"core.hooksPath=/dev/null", "-c", "core.attributesFile=/dev/null", "-c", "core.alternateRefsCommand=", "-c",
	"log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.mailmap=false", "-c", "log.follow=false", "-c",
	"diff.external=", "-c", "diff.orderFile=/dev/null", "-c", "gpg.program=false", "-c", "gpg.ssh.program=false", "-c",
	"gpg.x509.program=false", "-c", "protocol.allow=never", "-c", "core.gitProxy=false", "-c",
	"submodule.recurse=false",
}

// gitOffline keeps git from starting the programs with which it reaches other machines.
var gitOffline = []string{"-c", "core.sshCommand=false", "-c", "credential.helper="}

// gitEnv returns the whole environment that git gets: none of git's own variables of the user, and
// no transport that it may use. The allowed transport has a name that nobody can guess: a git that
// does not know GIT_NO_LAZY_FETCH runs a repository's alias for any other.
func gitEnv(dir string, getenv Getenv) []string {
	env := []string{
		"LC_ALL=C", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=" +
			rand.Text(),
		"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1",
	}
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "SYSTEMROOT", "USERPROFILE"} {
		if value := getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// git runs git in a work tree, without the network or a shell. in is git's input and read reads its
// output; both may be nil.
func git(ctx context.Context, dir string, getenv Getenv, in io.Reader, read reader, args ...string) error {
	return runGit(ctx, dir, gitEnv(dir, getenv), in, read, slices.Concat(gitSafe, gitOffline, args))
}

// runGit runs git in dir with exactly the given environment and arguments. An error has the first
// line that git wrote to stderr.
func runGit(ctx context.Context, dir string, env []string, in io.Reader, read reader, args []string) error {
	ctx, stop := context.WithTimeout(ctx, gitPatience)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = dir, env, in, time.Second
	said := &firstBytes{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return gitFault(err)
	}
	if read == nil {
		read = func(out io.Reader) error {
			_, err := io.Copy(io.Discard, out)
			return err
		}
	}
	readErr := read(out)
	if readErr != nil {
		stop()
	}
	err = cmd.Wait()
	switch {
	case readErr != nil:
		return readErr
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errors.New("git did not finish in time")
	case err != nil && said.Len() > 0:
		line, _, _ := strings.Cut(said.String(), "\n")
		return errors.New("git: " + strings.TrimPrefix(line, "fatal: "))
	case err != nil:
		return fmt.Errorf("git: %w", err)
	}
	return nil
}

// gitText runs git in a work tree and returns the first most bytes of its output.
func gitText(ctx context.Context, dir string, getenv Getenv, most int64, args ...string) (text []byte, err error) {
	err = git(ctx, dir, getenv, nil, func(out io.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(out, most))
		return err
	}, args...)
	return text, err
}

// gitFault returns the error of starting git in words for a person.
func gitFault(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git is not installed")
	}
	return fmt.Errorf("git: %w", err)
}

// firstBytes is a writer that keeps the first 4096 bytes that it gets.
type firstBytes struct{ bytes.Buffer }

func (b *firstBytes) Write(p []byte) (int, error) {
	const most = 4096
	if room := most - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
