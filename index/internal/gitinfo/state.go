package gitinfo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/parse"
)

// A State is the state of a work tree of git. Branch is empty if none is checked out, Commit, a
// whole id, if there is none yet. Changed are the files that differ from that commit, or that git
// does not know and does not ignore, in git's order and at most 500: More says that there are
// others. Their paths are relative to the folder given to ReadState, with slashes; files outside of
// it, and names that are not plain text, are left out.
type State struct {
	Branch, Commit string
	Changed        []parse.File
	More           bool
}

const (
	// maxChanged is how many changed files are listed.
	maxChanged = 500
	// statePatience is how long the state of a work tree may take.
	statePatience = 10 * time.Second
)

// errEnough ends the reading of git's output when the rest is not needed.
var errEnough = errors.New("there is more")

// ReadState runs git to read the state of the work tree that contains dir, an absolute path. ok is
// false if dir is in none. Git only reads, and runs no program that the repository's configuration
// names. getenv is os.Getenv or alike.
func ReadState(ctx context.Context, dir string, getenv Getenv) (state State, ok bool, err error) {
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return State{}, false, err
	}
	top, _ := FindTop(dir)
	if top == "" {
		return State{}, false, nil
	}
	ctx, stop := context.WithTimeout(ctx, statePatience)
	defer stop()
	unfiltered, err := withoutFilters(ctx, top, getenv)
	if err != nil {
		return State{}, false, err
	}
	rel, _ := fsx.Relative(dir, top)
	args := append(slices.Clip(unfiltered), "-c", "status.relativePaths=false", "status", "--porcelain=v2", "--branch",
		"-z",
		"--untracked-files=all", "--ignore-submodules=all", "--no-renames", "--no-ahead-behind")
	err = git(ctx, top, getenv, nil, func(out io.Reader) error { return state.read(out, rel) }, args...)
	if errors.Is(err, errEnough) {
		state.More, err = true, nil
	}
	return state, err == nil, err
}

// FindTop returns the nearest folder, dir or above it, that contains .git, "" if there is none. It
// fails only with an error that may pass.
func FindTop(dir string) (top string, err error) {
	for {
		switch _, err := fsx.Lstat(filepath.Join(dir, ".git")); {
		case err == nil:
			return dir, nil
		case fsx.IsTemporary(err):
			return "", err
		}
		if dir == filepath.Dir(dir) {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}

// withoutFilters returns the options that turn off all filters, programs through which git would
// pass files of the work tree to compare them: attributes in the tree name them, and the
// repository's configuration says what they are.
func withoutFilters(ctx context.Context, top string, getenv Getenv) ([]string, error) {
	var options []string
	err := git(ctx, top, getenv, nil, func(out io.Reader) error {
		in := splitAtNUL(out)
		seen := map[string]bool{}
		for in.Scan() {
			name, filter := strings.CutPrefix(in.Text(), "filter.")
			end := strings.LastIndexByte(name, '.')
			if !filter || end < 0 || seen[name[:end]] {
				continue
			}
			name = name[:end]
			seen[name] = true
			if strings.Contains(name, "=") || len(seen) > 1000 {
				return fmt.Errorf("git: the filter %q cannot be disabled", name)
			}
			for _, off := range []string{".clean=", ".smudge=", ".process=", ".required=false"} {
				options = append(options, "-c", "filter."+name+off)
			}
		}
		return in.Err()
	}, "config", "--list", "--name-only", "-z", "--includes")
	return options, err
}

// read sets s from the output of git status --porcelain=v2 -z at the top of a work tree; rel is the
// folder whose files are listed, "" for all.
func (s *State) read(out io.Reader, rel string) error {
	in := splitAtNUL(out)
	for in.Scan() {
		line := in.Text()
		if text, ok := strings.CutPrefix(line, "# "); ok {
			s.header(text)
			continue
		}
		file, ok := changedFile(line)
		inside := true
		if rel != "" {
			file.Path, inside = strings.CutPrefix(file.Path, rel+"/")
		}
		if !ok || !inside || !plainName(file.Path) {
			continue
		}
		if len(s.Changed) == maxChanged {
			return errEnough
		}
		s.Changed = append(s.Changed, file)
	}
	return in.Err()
}

// header sets the commit or branch of s from a header line of git status.
func (s *State) header(text string) {
	key, value, _ := strings.Cut(text, " ")
	switch {
	case key == "branch.oid" && isHash(value):
		s.Commit = value
	case key == "branch.head" && value != "(detached)":
		s.Branch = value
	}
}

// changedFile returns the file in an entry of git status: a letter, for files git knows the two
// states of the file and more words, and the path. ok is false for other entries.
func changedFile(line string) (parse.File, bool) {
	kind, _, _ := strings.Cut(line, " ")
	n, ok := map[string]int{"1": 8, "u": 10, "?": 1}[kind]
	words := strings.SplitN(line, " ", n+1)
	if !ok || len(words) != n+1 {
		return parse.File{}, false
	}
	file := parse.File{Path: words[n], Action: "modified"}
	switch states := words[1]; {
	case kind == "?":
		file.Action = "created"
	case kind == "1" && strings.Contains(states, "D"):
		file.Action = "deleted"
	case kind == "1" && strings.HasPrefix(states, "A"):
		file.Action = "created"
	}
	return file, true
}

// plainName reports whether a path is not empty and fits in a line of text: valid UTF-8 without
// control characters.
func plainName(path string) bool {
	return path != "" && utf8.ValidString(path) && strings.IndexFunc(path, unicode.IsControl) < 0
}
