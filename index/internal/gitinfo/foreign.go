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

// ownPatience is how long git may take for the question of who wrote the files of a work
// tree. Where somebody waits for longer, half of that time is taken.
const ownPatience = 500 * time.Millisecond

// A File is a content whose origin is wanted: of the file at Path, or, if Copy is
// not empty, one that was at Path and is kept as Copy, with the time it had.
type File struct {
	ID, Path, Copy string
}

// Foreign returns, by their ids, which files are not shown to have been written on this
// machine. In a work tree of git a text is the user's own if a commit that was made
// here brought it, or if no commit contains it. Who made a commit is not asked of the
// commit, which anybody can write, but of the logs of the repository, which are never
// cloned. In no work tree, and in one whose repository was copied here with all it
// says, the times of the file must show it. getenv is os.Getenv or alike.
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

// isAgents reports whether a path is in a hidden folder of the user's, as those are in
// which agents keep what they write.
func isAgents(path, home string) bool {
	rel, inside := fsx.Relative(path, home)
	return home != "" && inside && strings.HasPrefix(rel, ".") && strings.Contains(rel, "/")
}

// isWrittenHere reports whether the times show that a file was written where it is. One
// that is only kept must have been written after its folder was made.
func (f File) isWrittenHere() bool {
	if f.Copy == "" {
		return fsx.IsWrittenHere(f.Path)
	}
	st, err := fsx.Lstat(f.Copy)
	born := fsx.Born(filepath.Dir(f.Path))
	return err == nil && born != 0 && st.MtimeNS >= born
}

// A text is one that a file has, and what git knows of it.
type text struct {
	File
	rel      string
	names    []string // that git would give it, as it is and as it may have been converted
	normal   []byte   // what normalOf makes of it, nil if that is the text itself
	known    []string // those of them that git has a content of
	isOwn    bool     // a commit made here brought it
	isTheirs bool     // another commit contains it, or it cannot be compared with any
}

// foreign adds the files of a work tree that are foreign. All that git cannot be asked
// about are.
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

// inspect reports whether the repository was made on this machine, whether it contains any
// content, and whether a file in its place names one that is not there.
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

// isMadeHere reports whether the repository was made on this machine, and the folder as
// a work tree of it: what came with a download can name any repository, and a copied one
// gets a new HEAD with the next branch.
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

// ask fills in what git knows of some texts.
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

// A gitRun runs git with an input.
type gitRun func(in string, read reader, args ...string) error

// lookUp returns the ids of the contents that git knows by some names, "" for others. A
// name that could be an id is one: git would also take it for a tag's.
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

// findOwn finds the texts that a commit made on this machine brought.
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

// wantedOf returns the texts that git has and whose commits are not known, by name.
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

// findTheirs finds the texts that a commit contains that was not made here. Git also has
// those that are staged and that a stash held. A version that is only kept is not
// looked for: what it is of may be gone. Where git takes too long, all count as that.
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
