package gitinfo

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

// ownPatience is how long git may take to find out who wrote the files of a work tree. If the
// caller's deadline allows more, git gets half of that time.
const ownPatience = 500 * time.Millisecond

// A File is a content whose origin is to be found out: that of the file at Path or, if Copy is not
// empty, a former content of that file, stored as Copy with the time it had.
type File struct {
	ID, Path, Copy string
}

// Foreign returns the ids of the files that are not shown to have been written on this machine. In
// a work tree of git, a text is the user's own if a commit that was made here brought it, or if no
// commit contains it. Who made a commit is not read from the commit, which anybody can write, but
// from the logs of the repository, which are never cloned. Outside a work tree, and in one whose
// repository was copied here with its logs, the times of the file must show it. getenv is os.Getenv
// or alike.
func Foreign(ctx context.Context, files []File, getenv Getenv) map[string]bool {
	tops := map[string]string{} // by folder
	byTop := map[string][]File{}
	foreign := map[string]bool{}
	for _, f := range files {
		if st, err := fsx.Lstat(f.Path); err == nil && st.Mode&fs.ModeSymlink != 0 && f.Copy == "" {
			f.Path, _ = filepath.EvalSymlinks(f.Path) // it says what its target says, nothing if that is gone
		}
		dir := filepath.Dir(f.Path)
		top, known := tops[dir]
		if !known {
			top, _ = FindTop(dir)
			tops[dir] = top
		}
		switch {
		case f.Path == "":
			foreign[f.ID] = true
		case top != "":
			byTop[top] = append(byTop[top], f)
		case !isAgents(f.Path, getenv("HOME")) && !f.isWrittenHere():
			foreign[f.ID] = true
		}
	}
	for top, list := range byTop {
		WorkTreeAt(top).foreign(ctx, list, getenv, foreign)
	}
	return foreign
}

// isAgents reports whether a path is in a hidden folder of the home folder, where agents keep the
// files that they write.
func isAgents(path, home string) bool {
	rel, inside := fsx.Relative(path, home)
	return home != "" && inside && strings.HasPrefix(rel, ".") && strings.Contains(rel, "/")
}

// isWrittenHere reports whether the times show that a file was written where it is. A copy must
// have been written after the folder of its file was made.
func (f File) isWrittenHere() bool {
	if f.Copy == "" {
		return fsx.IsWrittenHere(f.Path)
	}
	st, err := fsx.Lstat(f.Copy)
	born := fsx.Born(filepath.Dir(f.Path))
	return err == nil && born != 0 && st.MtimeNS >= born
}

// A text is the content of a file, and what git knows about it.
type text struct {
	File
	rel      string
	names    []string // that git would give it, as it is and as it may have been converted
	normal   []byte   // what normalOf makes of it, nil if that is the text itself
	known    []string // those of them that git has a content of
	isOwn    bool     // a commit made here brought it
	isTheirs bool     // another commit contains it, or it cannot be compared with any
}

// foreign adds the ids of the files in list that are foreign to the map foreign. If git fails, all
// of them are.
func (w *WorkTree) foreign(ctx context.Context, list []File, getenv Getenv, foreign map[string]bool) {
	var texts []*text
	hashes := w.hashes()
	for _, f := range list {
		foreign[f.ID] = true
		rel, inside := fsx.Relative(f.Path, w.Top)
		data, err := fsx.ReadHead(cmp.Or(f.Copy, f.Path), fsx.MaxFile)
		if err == nil && inside && !strings.Contains(rel, "\n") {
			t := &text{File: f, rel: rel, names: namesOf(data, hashes)}
			if normal := normalOf(data); !bytes.Equal(normal, data) {
				t.normal = normal
			}
			texts = append(texts, t)
		}
	}
	isMade, hasContents, isLost := w.inspect()
	if len(texts) == 0 || isLost || hasContents && w.ask(ctx, texts, isMade, getenv) != nil {
		return
	}
	for _, t := range texts {
		if t.isOwn || !t.isTheirs && (isMade || t.isWrittenHere()) {
			delete(foreign, t.ID)
		}
	}
}

// inspect reports whether the repository was made on this machine, whether it contains any content,
// and whether its .git is missing or a file that leads to no repository.
func (w *WorkTree) inspect() (isMade, hasContents, isLost bool) {
	objects := filepath.Join(w.common, "objects")
	for _, name := range fsx.ListFolders(objects) {
		hasContents = hasContents || name != "info" && name != "pack"
	}
	for _, name := range []string{"pack", "info/alternates"} {
		names, err := fsx.ReadNames(filepath.Join(objects, name))
		hasContents = hasContents || err != nil || len(names) > 0
	}
	if hasContents {
		return w.isMadeHere(), true, false
	}
	// It only marks the folder, or nothing was committed yet.
	mark := filepath.Join(w.Top, ".git")
	st, err := fsx.Lstat(mark)
	return fsx.IsWrittenHere(mark), false, err != nil || !st.Mode.IsDir()
}

// isMadeHere reports whether the repository was made on this machine, and the folder was made a
// work tree of it here: a download can name any repository, and a copied one gets a new HEAD with
// the next branch.
func (w *WorkTree) isMadeHere() bool {
	mark := filepath.Join(w.Top, ".git")
	st, err := fsx.Lstat(mark)
	if isFile := err == nil && st.Mode.IsRegular() && fsx.IsWrittenHere(mark); err != nil || !isFile && !st.Mode.IsDir() {
		return false
	}
	for _, file := range []string{
		filepath.Join(w.private, "HEAD"), filepath.Join(w.common, "HEAD"), filepath.Join(w.common, "config"),
	} {
		if !fsx.IsWrittenHere(file) {
			return false
		}
	}
	description := filepath.Join(w.common, "description") // not every repository has one
	_, err = fsx.Lstat(description)
	return err != nil || fsx.IsWrittenHere(description)
}

// ask runs git and sets in each text what git knows about it.
func (w *WorkTree) ask(ctx context.Context, texts []*text, isMade bool, getenv Getenv) error {
	patience := ownPatience
	if deadline, ok := ctx.Deadline(); ok {
		patience = max(patience, time.Until(deadline)/2)
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	run := func(in string, read reader, args ...string) error {
		return git(ctx, w.Top, getenv, strings.NewReader(in), read, args...)
	}
	var names []string
	for _, t := range texts {
		names = append(names, t.names...)
	}
	ids, err := lookUp(names, run)
	if err != nil {
		return err
	}
	for _, t := range texts {
		t.known = slices.DeleteFunc(slices.Clone(ids[:len(t.names)]), func(id string) bool { return id == "" })
		ids = ids[len(t.names):]
	}
	read := func(ids []string, do func(int, []byte) error) error {
		return ReadContents(ctx, w.Top, getenv, ids, fsx.MaxFile, do)
	}
	if err := findRewritten(texts, run, read); err != nil {
		return err
	}
	if err := w.findConverted(texts, run); err != nil {
		return err
	}
	if isMade {
		_ = w.findOwn(texts, run) // what is not found is not the user's own
	}
	return w.findTheirs(texts, run)
}

// A gitRun runs git with the input in and passes git's output to read.
type gitRun func(in string, read reader, args ...string) error

// lookUp returns the ids of the contents that git has under some names, "" for a name it does not
// have. A name that looks like an id only counts as that id: git would also take it for the name of
// a tag.
func lookUp(names []string, run gitRun) ([]string, error) {
	ids := make([]string, len(names))
	err := run(strings.Join(names, "\n")+"\n", func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for i := range ids {
			lines.Scan()
			// <id> blob <size>, or the name and "missing"
			words := strings.Fields(lines.Text())
			isBlob := len(words) == 3 && words[1] == "blob" && isHash(words[0])
			if isBlob && (words[0] == names[i] || !isHash(names[i])) {
				ids[i] = words[0]
			}
		}
		return lines.Err()
	}, "cat-file", "--batch-check")
	return ids, err
}

// findOwn sets isOwn in the texts that a commit made on this machine brought.
func (w *WorkTree) findOwn(texts []*text, run gitRun) error {
	wanted := wantedOf(texts)
	if len(wanted) == 0 {
		return nil
	}
	return run(w.madeHere(), func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			// :100644 100644 <old> <new> M<tab>path
			if words := strings.Fields(lines.Text()); len(words) > 4 {
				for _, t := range wanted[words[3]] {
					t.isOwn = true
				}
			}
		}
		return lines.Err()
	}, "diff-tree", "--stdin", "-r", "--root", "--raw", "--no-abbrev", "--no-renames", "--no-commit-id")
}

// wantedOf returns the texts that git has and of which it is not known yet who committed them, by
// git's names for them.
func wantedOf(texts []*text) map[string][]*text {
	wanted := map[string][]*text{}
	for _, t := range texts {
		if !t.isOwn && !t.isTheirs {
			for _, name := range t.known {
				wanted[name] = append(wanted[name], t)
			}
		}
	}
	return wanted
}

// findTheirs sets isTheirs in the texts that are in a commit not made here. Git may also have a
// text because it is staged or was stashed. A stored former content counts as theirs if git has it,
// since its file may be gone. If git takes too long, all texts that git has count as theirs.
func (w *WorkTree) findTheirs(texts []*text, run gitRun) error {
	for _, t := range texts {
		t.isTheirs = t.isTheirs || t.Copy != "" && len(t.known) > 0
	}
	if len(wantedOf(texts)) == 0 {
		return nil
	}
	ids, err := lookUp(at("HEAD:", texts), run)
	if err != nil {
		return err
	}
	for i, t := range texts {
		t.isTheirs = t.isTheirs || slices.Contains(t.known, ids[i])
	}
	wanted := wantedOf(texts)
	if len(wanted) == 0 {
		return nil
	}
	args := slices.Concat([]string{"log", "--ignore-missing", "--exclude=refs/stash", "--all"}, w.looseHeads(),
		[]string{"-m", "--format=%H %at"}, rawLog)
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		args = append(args, "--find-object="+name)
	}
	err = run("", func(out io.Reader) error {
		return readRawLog(out, maxHistory, func(_ Change, words []string) error {
			for _, name := range words {
				for _, t := range wanted[name] {
					t.isTheirs = true
				}
			}
			if len(wantedOf(texts)) == 0 {
				return errEnough
			}
			return nil
		})
	}, args...)
	for _, t := range texts {
		t.isTheirs = t.isTheirs || err != nil && len(t.known) > 0
	}
	return nil
}
