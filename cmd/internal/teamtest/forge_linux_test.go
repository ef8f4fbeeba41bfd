package teamtest_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A forge writes objects into a repository of git itself, as git would refuse to make some
// of them.
type forge struct {
	tb  testing.TB
	dir string
}

// An entry is a line of a tree.
type entry struct{ mode, name, id string }

// object writes an object of a type.
func (f forge) object(kind string, size int64, text io.Reader) string {
	f.tb.Helper()
	file, err := os.CreateTemp(f.dir, "object")
	if err != nil {
		f.tb.Fatal(err)
	}
	sum := sha1.New() //nolint:gosec // git names objects by it
	packed := zlib.NewWriter(file)
	_, err = io.Copy(io.MultiWriter(sum, packed), io.MultiReader(strings.NewReader(fmt.Sprintf("%s %d\x00", kind, size)), text))
	id := hex.EncodeToString(sum.Sum(nil))
	path := filepath.Join(f.dir, "objects", id[:2], id[2:])
	err = errors.Join(err, packed.Close(), file.Close(), os.MkdirAll(filepath.Dir(path), 0o755), os.Rename(file.Name(), path))
	if err != nil {
		f.tb.Fatal(err)
	}
	return id
}

func (f forge) blob(text []byte) string {
	f.tb.Helper()
	return f.object("blob", int64(len(text)), bytes.NewReader(text))
}

// tree makes a tree of entries as they are: unsorted, of any name and mode.
func (f forge) tree(entries ...entry) string {
	f.tb.Helper()
	var b bytes.Buffer
	for _, e := range entries {
		id, err := hex.DecodeString(e.id)
		if err != nil {
			f.tb.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\x00%s", e.mode, e.name, id)
	}
	return f.object("tree", int64(b.Len()), &b)
}

// entries reads a tree.
func (f forge) entries(id string) (list []entry) {
	f.tb.Helper()
	file, err := os.Open(filepath.Join(f.dir, "objects", id[:2], id[2:]))
	if err != nil {
		f.tb.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	packed, err := zlib.NewReader(file)
	if err != nil {
		f.tb.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		f.tb.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte{0})
	for len(text) > 0 {
		head, rest, _ := bytes.Cut(text, []byte{0})
		mode, name, _ := strings.Cut(string(head), " ")
		list, text = append(list, entry{mode, name, hex.EncodeToString(rest[:20])}), rest[20:]
	}
	return list
}

// path returns an entry that leads to an object by a path: docs/x.md is a tree docs with
// an entry x.md.
func (f forge) path(mode, path, id string) entry {
	f.tb.Helper()
	parts := strings.Split(path, "/")
	e := entry{mode, parts[len(parts)-1], id}
	for i := len(parts) - 2; i >= 0; i-- {
		e = entry{"40000", parts[i], f.tree(e)}
	}
	return e
}

func (f forge) commit(tree string) string {
	f.tb.Helper()
	const who = "eve <eve@example.org> 1772400000 +0000"
	text := "tree " + tree + "\nauthor " + who + "\ncommitter " + who + "\n\nhandoffs\n"
	return f.object("commit", int64(len(text)), strings.NewReader(text))
}

func (f forge) ref(name, id string) {
	f.tb.Helper()
	path := filepath.Join(f.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(id+"\n"), 0o644)); err != nil {
		f.tb.Fatal(err)
	}
}
