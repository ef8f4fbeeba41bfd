package teamtest_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// A forge makes objects of git in a repository, with nothing that checks them.
type forge struct {
	tb  testing.TB
	dir string
}

// An entry is a line of a tree.
type entry struct{ mode, name, id string }

func (f forge) blob(text []byte) string {
	f.tb.Helper()
	return plainGit(f.tb, f.dir, text, "hash-object", "-w", "--stdin")
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
	return plainGit(f.tb, f.dir, b.Bytes(), "hash-object", "-w", "--stdin", "--literally", "-t", "tree")
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

func (f forge) commit(tree string, parents ...string) string {
	f.tb.Helper()
	args := []string{"commit-tree", tree, "-m", "handoffs"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return plainGit(f.tb, f.dir, nil, args...)
}

func (f forge) ref(name, id string) {
	f.tb.Helper()
	plainGit(f.tb, f.dir, nil, "update-ref", name, id)
}
