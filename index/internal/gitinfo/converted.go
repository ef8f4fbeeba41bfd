package gitinfo

import (
	"bytes"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/fsx"
)

// findRewritten finds the texts that git does not have because what it wrote cannot be
// undone: it makes all line ends the same, and all marks of ident. Such a file counts as
// what git has at its path if they differ in nothing else, or if that is too long to say.
func findRewritten(texts []*text, run gitRun, read func([]string, func(int, []byte) error) error) error {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t *text) bool {
		return len(t.known) > 0 || t.normal == nil || t.Copy != ""
	})
	if len(texts) == 0 {
		return nil
	}
	ids, err := lookUp(append(at(":0:", texts), at("HEAD:", texts)...), run)
	if err != nil || strings.Join(ids, "") == "" {
		return err
	}
	for i, id := range ids {
		if t := texts[i%len(texts)]; id != "" {
			t.known = append(t.known, id)
		}
	}
	return read(ids, func(i int, raw []byte) error {
		if t := texts[i%len(texts)]; !bytes.Equal(normalOf(raw), t.normal) {
			t.known = slices.DeleteFunc(t.known, func(id string) bool { return id == ids[i] })
		}
		return nil
	})
}

// findConverted finds the texts that git does not have because it converts their files
// in a way that cannot be undone here. Such a file counts as what git has at its path.
// What a copy is of may be gone.
func (w *WorkTree) findConverted(texts []*text, run gitRun) error {
	var in strings.Builder
	for _, t := range texts {
		if len(t.known) == 0 && w.hasAttributes(t.rel) {
			in.WriteString(t.rel + "\x00")
		}
	}
	if in.Len() == 0 {
		return nil
	}
	converted, rewritten := map[string]bool{}, map[string]bool{}
	err := run(in.String(), func(out io.Reader) error {
		fields := splitAtNUL(out)
		for fields.Scan() {
			path := fields.Text()
			fields.Scan()
			by := rewritten
			if name := fields.Text(); name == "filter" || name == "working-tree-encoding" {
				by = converted
			}
			if fields.Scan() && fields.Text() != "unspecified" && fields.Text() != "unset" {
				by[path] = true
			}
		}
		return fields.Err()
	}, "check-attr", "--stdin", "-z", "filter", "working-tree-encoding", "text", "eol", "crlf", "ident")
	if err != nil {
		return err
	}
	var live []*text
	for _, t := range texts {
		switch {
		case len(t.known) > 0:
		case t.Copy != "":
			t.isTheirs = converted[t.rel] || t.normal != nil && rewritten[t.rel]
		case converted[t.rel]:
			live = append(live, t)
		}
	}
	if len(live) == 0 {
		return nil
	}
	ids, err := lookUp(at(":0:", live), run)
	for i, t := range live {
		if ids[i] != "" {
			t.known = ids[i : i+1]
		}
	}
	return err
}

// at returns what names the contents at the paths of texts in a tree.
func at(tree string, texts []*text) []string {
	var names []string
	for _, t := range texts {
		names = append(names, tree+t.rel)
	}
	return names
}

// hasAttributes reports whether there are files that can give attributes to a path.
func (w *WorkTree) hasAttributes(rel string) bool {
	files := []string{filepath.Join(w.common, "info", "attributes")}
	for dir := rel; dir != "."; {
		dir = path.Dir(dir)
		files = append(files, filepath.Join(w.Top, filepath.FromSlash(dir), ".gitattributes"))
	}
	return slices.ContainsFunc(files, func(file string) bool {
		_, err := fsx.Lstat(file)
		return err == nil
	})
}
