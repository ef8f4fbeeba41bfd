package project

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Bounds of the search for the folders that encoded names mean: names of
// the longest lists met are some hundreds, paths some ten folders deep.
const (
	maxNames      = 2000
	maxLookups    = 4000
	maxSameName   = 16
	transcripts   = 3
	transcriptTop = 32 << 10
)

// KnownFolders returns, sorted, the working folder and the folders whose encoded names are in
// Claude Code's folders of handoffs and projects. A name is not decoded: the disk is searched for
// folders that encode to it, and all are listed. For a name whose folder is gone, the working
// folder that its transcripts name is listed, if it encodes to the name.
func (e Env) KnownFolders() []string {
	return e.foldersNamed(e.WorkDir, func(string) bool { return true })
}

// KnownFoldersOf is KnownFolders for one project, by its folder: it returns that folder, the
// folders in it, and those whose names could be taken for one of these.
func (e Env) KnownFoldersOf(project string) []string {
	own := Encodings(project)
	return e.foldersNamed(project, func(name string) bool {
		return slices.ContainsFunc(own, func(o string) bool { return name == o || strings.HasPrefix(name, o+"-") })
	})
}

// foldersNamed returns folder, and the folders whose encoded names wanted accepts: see
// KnownFolders.
func (e Env) foldersNamed(folder string, wanted func(name string) bool) []string {
	search := folderSearch{lists: map[string][]string{}}
	found := map[string]bool{}
	if folder != "" {
		found[filepath.Clean(folder)] = true
	}
	for _, claude := range e.claudeFolders() {
		for _, sub := range []string{"handoffs", "projects"} {
			dir := filepath.Join(claude, sub)
			for _, name := range encodedNames(dir, wanted) {
				paths := search.find(name)
				if len(paths) == 0 {
					paths = transcriptFolders(filepath.Join(claude, "projects", name), name)
				}
				for _, path := range paths {
					found[path] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// encodedNames returns the names of the folders in dir that are encoded names and that wanted
// accepts.
func encodedNames(dir string, wanted func(name string) bool) []string {
	names := slices.DeleteFunc(fsx.ListFolders(dir), func(name string) bool { return !IsEncoded(name) || !wanted(name) })
	return names[:min(len(names), maxNames)]
}

// A folderSearch finds folders by their encoded names. It lists each folder on the way once.
type folderSearch struct {
	lists   map[string][]string
	lookups int
}

// find returns the existing folders that encode to name.
func (s *folderSearch) find(name string) []string {
	var found []string
	top, rest := string(filepath.Separator), strings.TrimPrefix(name, "-")
	if rest == name { // Windows: "C--Users" is C:\Users
		top, rest = name[:1]+":"+top, name[3:]
	}
	if rest == "" {
		return nil
	}
	s.descend(top, rest, func(path string) bool {
		if slices.Contains(Encodings(path), name) {
			found = append(found, path)
		}
		return len(found) < maxSameName
	})
	return found
}

// descend calls visit for the folders below dir whose encoded path may be rest, until visit returns
// false. It returns false then. The encodings differ in how they change a folder's name, so any of
// them may fit a part; visit checks the whole path.
func (s *folderSearch) descend(dir, rest string, visit func(string) bool) bool {
	for _, name := range s.list(dir) {
		if isPlain(rune(name[0])) && name[0] != rest[0] {
			continue
		}
		path := filepath.Join(dir, name)
		for _, encoded := range Encodings(name) {
			left, ok := strings.CutPrefix(rest, encoded)
			switch {
			case !ok || left != "" && left[0] != '-':
				continue
			case left == "":
				if !visit(path) {
					return false
				}
			case len(left) > 1 && !s.descend(path, left[1:], visit):
				return false
			}
		}
	}
	return true
}

// list returns the names of the folders in dir. It returns none after maxLookups folders.
func (s *folderSearch) list(dir string) []string {
	names, ok := s.lists[dir]
	if !ok && s.lookups < maxLookups {
		s.lookups++
		names = fsx.ListFolders(dir)
		s.lists[dir] = names
	}
	return names
}

// transcriptFolders returns the working folder that a transcript in dir names, if it encodes to
// name.
func transcriptFolders(dir, name string) []string {
	f, _, err := fsx.OpenDir(dir, true)
	if err != nil {
		return nil
	}
	entries, _ := f.ReadDir(fsx.MaxListed)
	_ = f.Close()
	read := 0
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".jsonl" || entry.Type() != 0 {
			continue
		}
		if read++; read > transcripts {
			break
		}
		if cwd := transcriptFolder(filepath.Join(dir, entry.Name()), name); cwd != "" {
			return []string{cwd}
		}
	}
	return nil
}

// transcriptFolder returns the working folder that the transcript at path names, "" if none that
// encodes to name.
func transcriptFolder(path, name string) string {
	head, err := fsx.ReadHead(path, transcriptTop)
	if err != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(head))
	lines.Buffer(nil, transcriptTop+1)
	for lines.Scan() {
		var entry struct {
			CWD string `json:"cwd"`
		}
		if json.Unmarshal(lines.Bytes(), &entry) != nil || !filepath.IsAbs(entry.CWD) {
			continue
		}
		if cwd := filepath.Clean(entry.CWD); slices.Contains(Encodings(cwd), name) {
			return cwd
		}
	}
	return ""
}

// EncodeV2 returns the name of a project's handoff folder by contract version 2, byte for byte as
// `sed 's/[^a-zA-Z0-9-]/-/g'` makes it from the project's path in a UTF-8 locale. A character of
// several bytes becomes one dash; a newline and bytes that are no character stay, as sed does not
// match them. Several folders can have one name, so a name is never decoded.
func EncodeV2(path string) string {
	return encode(path, func(r rune, size int) (dashes int) {
		if r == '\n' || r == utf8.RuneError && size == 1 {
			return 0
		}
		return 1
	})
}

// EncodeV1 is EncodeV2 for contract version 1: `tr '/.' '-'`.
func EncodeV1(path string) string {
	return strings.NewReplacer("/", "-", ".", "-").Replace(path)
}

// encodeBytes is EncodeV2 in the C locale: one dash for each byte.
func encodeBytes(path string) string {
	return encode(path, func(r rune, size int) int {
		if r == '\n' {
			return 0
		}
		return size
	})
}

// encodeUTF16 encodes a path as JavaScript programs do: one dash for each unit of
// UTF-16, newlines too.
func encodeUTF16(path string) string {
	return encode(path, func(r rune, _ int) int { return utf16.RuneLen(r) })
}

// encode replaces each character other than an ASCII letter, digit or dash by as many dashes as
// fold returns for the rune and its size in bytes. If fold returns 0, the character stays.
func encode(path string, fold func(r rune, size int) (dashes int)) string {
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if dashes := fold(r, size); isPlain(r) || dashes == 0 {
			b.WriteString(path[i : i+size])
		} else {
			b.WriteString("----"[:dashes])
		}
		i += size
	}
	return b.String()
}

// isPlain reports whether all encodings leave r as it is: an ASCII letter, digit or dash.
func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
}

// Encodings returns the names that different programs give to the folder of path among handoffs and
// transcripts, each once.
func Encodings(path string) []string {
	names := []string{EncodeV2(path)}
	for _, name := range []string{EncodeV1(path), encodeBytes(path), encodeUTF16(path)} {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
