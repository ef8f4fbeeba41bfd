package discover

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Shared describes a file in the mirror: who shares it and where it is.
type Shared struct {
	Member string // who shared it, as name@machine
	Folder string // of the project in the mirror, absolute
	Root   string // of the member's files, absolute
	Rel    string // of the file below Root, with slashes
}

// sharedFiles is the name of the folder with a member's files. Paths below it are those below the
// folder of the project, so the rules of names apply to them alone.
const sharedFiles = "files"

// SharedAt returns who shares the file at path, nil if no member does.
func SharedAt(mirror, path string) *Shared {
	if mirror == "" || !strings.HasPrefix(path, mirror) {
		return nil // as almost all are
	}
	rel, inside := fsx.Relative(path, mirror)
	if !inside {
		return nil
	}
	names := strings.Split(rel, "/")
	i := slices.IndexFunc(names, IsMember)
	if i < 1 || len(names) < i+3 || names[i+1] != sharedFiles {
		return nil
	}
	folder := filepath.Join(mirror, filepath.Join(names[:i]...))
	return &Shared{names[i], folder, filepath.Join(folder, names[i], sharedFiles), strings.Join(names[i+2:], "/")}
}

// SharedPath returns the path of the file rel that a member shares. folder is that of the project
// in the mirror.
func SharedPath(folder, member, rel string) string {
	return filepath.Join(folder, member, sharedFiles, filepath.FromSlash(rel))
}

// IsMember reports whether name is that of a member, such as ada@laptop. It can then be the name of
// a folder and of a git ref.
func IsMember(name string) bool {
	user, machine, ok := strings.Cut(name, "@")
	return ok && isMemberPart(user) && isMemberPart(machine)
}

// isMemberPart reports whether part can be the user or the machine in the name of a member.
func isMemberPart(part string) bool {
	const signs = "._-"
	return part != "" && len(part) <= 64 && !strings.ContainsAny(part[:1], signs) &&
		strings.Trim(part, signs+"abcdefghijklmnopqrstuvwxyz0123456789") == "" &&
		!strings.Contains(part, "..") && !strings.HasSuffix(part, ".") && !strings.HasSuffix(part, ".lock")
}

// A mirrorPlace says in which part of the mirror a folder is.
type mirrorPlace int

const (
	notInMirror     mirrorPlace = iota // or in the files of a member
	mirrorOfProject                    // the mirror itself, or above the members
	mirrorOfMember
)

// enterMirror returns the state of the folder name in f, if that is in the mirror. ok is false for
// a folder that the rules of names decide about; skip is the rule that keeps the walk out.
func (r rules) enterMirror(f ruleState, name string) (_ ruleState, skip string, ok bool) {
	child := ruleState{rel: joinRel(f.rel, name), mirror: mirrorOfProject}
	switch {
	case f.mirror == mirrorOfMember && name == sharedFiles:
		child.mirror = notInMirror
	case f.mirror == mirrorOfMember:
		return ruleState{}, "not a folder with the files of a member", true
	case f.mirror == mirrorOfProject && IsMember(name):
		child.mirror = mirrorOfMember
	case f.mirror == notInMirror:
		isMirror := r.root.Mirror != "" && strings.HasSuffix(r.root.Mirror, name) &&
			filepath.Join(r.root.Path, filepath.FromSlash(child.rel)) == r.root.Mirror
		return child, "", isMirror
	}
	return child, "", true
}

// startInMirror returns the state of the root's folder if the root is the mirror or a folder in it;
// else ok is false.
func (r rules) startInMirror() (f ruleState, ok bool) {
	rel, inside := fsx.Relative(r.root.Path, r.root.Mirror)
	if r.root.Mirror == "" || !inside && r.root.Path != r.root.Mirror {
		return f, false
	}
	f.mirror = mirrorOfProject
	for _, name := range strings.FieldsFunc(rel, func(c rune) bool { return c == '/' }) {
		if f.mirror != notInMirror {
			f, _, _ = r.enterMirror(f, name)
			continue
		}
		lower := strings.ToLower(name)
		f.lower += "/" + lower
		f = f.below(lower)
	}
	f.rel, f.known = "", knownIn(f.lower)
	return f, true
}
