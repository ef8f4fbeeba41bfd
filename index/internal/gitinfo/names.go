package gitinfo

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's names of contents
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/OWNER/handex/index/internal/fsx"
)

// hashes returns the hash functions with which the repository may name contents: SHA-1, and SHA-256
// unless its configuration does not set extensions.objectFormat. A false SHA-256 does no harm: git
// has no content under a name that is not one of its own.
func (w *WorkTree) hashes() []func() hash.Hash {
	config, err := fsx.ReadHead(filepath.Join(w.common, "config"), fsx.MaxFile)
	if err == nil && !bytes.Contains(bytes.ToLower(config), []byte("objectformat")) {
		return []func() hash.Hash{sha1.New}
	}
	return []func() hash.Hash{sha1.New, sha256.New}
}

// namesOf returns the names that git may have for a text: as it is, and before git changed line
// ends, marks of ident and encoding when it wrote the file.
func namesOf(raw []byte, hashes []func() hash.Hash) []string {
	var names []string
	seen := map[string]bool{}
	for _, decoded := range [][]byte{raw, decodeUTF16(raw)} {
		plain := withoutCR(decoded)
		for _, data := range [][]byte{
			decoded, plain, identMark.ReplaceAll(decoded, ident),
			identMark.ReplaceAll(plain, ident),
		} {
			if seen[string(data)] {
				continue
			}
			seen[string(data)] = true
			for _, hash := range hashes {
				names = append(names, nameOf(hash(), data))
			}
		}
	}
	return names
}

var (
	// identMark matches what git writes instead of $Id$ into a file with the attribute ident.
	identMark = regexp.MustCompile(`\$Id:[^$\n]*\$`)
	ident     = []byte("$$Id$$") // in the words of a replacement
)

// decodeUTF16 returns raw as UTF-8 if its first bytes say that it is UTF-16, else raw itself.
func decodeUTF16(raw []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	case !bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		return raw
	}
	units := make([]uint16, len(raw)/2-1)
	for i := range units {
		units[i] = order.Uint16(raw[2*i+2:])
	}
	return []byte(string(utf16.Decode(units)))
}

// withoutCR returns text with the line ends CR LF replaced by LF.
func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// normalOf returns a text as git stores it if attributes ask for that: in UTF-8, with LF as line
// ends and $Id$ for marks of ident.
func normalOf(raw []byte) []byte {
	return identMark.ReplaceAll(withoutCR(decodeUTF16(raw)), ident)
}

// nameOf returns git's name for a content, computed with h.
func nameOf(h hash.Hash, data []byte) string {
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data))
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// IsContent reports whether blob is git's name for a text, as it is or with the line ends that git
// stores.
func IsContent(raw []byte, blob string) bool {
	name := func(data []byte) string { return nameOf(sha1.New(), data) } //nolint:gosec // git's names
	return name(raw) == blob || name(withoutCR(raw)) == blob
}

// findRewritten handles texts that git does not have under any of their names, because git rewrote
// line ends or marks of ident in a way that cannot be undone. Such a text counts as the content
// that git has at its path if they differ in nothing else, or if that content is too long to
// compare.
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

// findConverted handles texts that git does not have, because an attribute makes git convert their
// files in a way that cannot be undone here. Such a text counts as the content that git has at its
// path. A stored former content counts as theirs instead, as its file may be gone.
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

// at returns the names with which git finds the contents at the paths of texts; tree is a prefix
// such as "HEAD:".
func at(tree string, texts []*text) []string {
	var names []string
	for _, t := range texts {
		names = append(names, tree+t.rel)
	}
	return names
}

// hasAttributes reports whether there is a file that can give attributes to the path rel.
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
