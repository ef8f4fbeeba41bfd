package index

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
)

// errGitIndex is a list of tracked files that is not understood.
var errGitIndex = errors.New("git's index is not understood")

// maxGitIndex is the largest such list that is read.
const maxGitIndex = 64 << 20

// A tracked is what git's index says of a file: what it was, and the state it had
// on disk then.
type tracked struct {
	blob          string
	seconds, size uint32
}

// tracked reads which of some files, by their paths relative to Top with slashes,
// git tracks. No index is an empty one.
func (w *WorkTree) tracked(paths map[string]bool) (map[string]tracked, error) {
	name := filepath.Join(w.private, "index")
	switch st, err := lstat(name); {
	case errors.Is(err, os.ErrNotExist), err != nil && isNotDir(err):
		return nil, nil
	case err != nil:
		return nil, err
	case st.Size > maxGitIndex:
		return nil, errGitIndex
	}
	data, err := readHead(name, maxGitIndex+1)
	if err != nil {
		return nil, err
	}
	config, err := readHead(filepath.Join(w.common, "config"), 64<<10)
	if err == nil && bytes.Contains(bytes.ToLower(config), []byte("sha256")) {
		return nil, errGitIndex
	}
	return readGitIndex(data, paths)
}

// The layout of an entry: times, device, inode, mode, owner, size, hash, flags,
// in version 3 perhaps more flags, and the name.
const (
	entryMTime = 8
	entrySize  = 36
	entryHash  = 40
	entryFlags = 60
	entryName  = 62
)

// readGitIndex finds the entries of some paths. An index that is split over
// several files is not understood.
func readGitIndex(data []byte, paths map[string]bool) (map[string]tracked, error) {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return nil, errGitIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, errGitIndex
	}
	found := map[string]tracked{}
	var name []byte
	at := data[12:]
	for range count {
		if len(at) < entryName {
			return nil, errGitIndex
		}
		entry := at
		start := entryName
		if binary.BigEndian.Uint16(entry[entryFlags:])&0x4000 != 0 {
			start += 2
		}
		var used int
		var ok bool
		if name, used, ok = entryPath(at, start, version, name); !ok {
			return nil, errGitIndex
		}
		at = at[used:]
		if paths[string(name)] {
			found[string(name)] = tracked{
				blob:    hex.EncodeToString(entry[entryHash:entryFlags]),
				seconds: binary.BigEndian.Uint32(entry[entryMTime:]), size: binary.BigEndian.Uint32(entry[entrySize:]),
			}
		}
	}
	if bytes.HasPrefix(at, []byte("link")) {
		return nil, errGitIndex
	}
	return found, nil
}

// entryPath reads the path of an entry, which begins at start, and tells how long
// the entry is. In version 4 it says how much of the path before to drop.
func entryPath(entry []byte, start int, version uint32, before []byte) (name []byte, used int, ok bool) {
	if len(entry) < start {
		return nil, 0, false
	}
	rest := entry[start:]
	drop := 0
	if version == 4 {
		var n int
		if drop, n = offset(rest); n == 0 || drop > len(before) {
			return nil, 0, false
		}
		rest, start = rest[n:], start+n
	}
	end := bytes.IndexByte(rest, 0)
	if end < 0 {
		return nil, 0, false
	}
	if version == 4 {
		return append(before[:len(before)-drop], rest[:end]...), start + end + 1, true
	}
	used = (start + end + 8) &^ 7
	return rest[:end], used, used <= len(entry)
}

// offset reads a number as git packs it; n is how many bytes it has, 0 if it has
// no end.
func offset(data []byte) (value, n int) {
	for i, b := range data[:min(len(data), 4)] {
		if i > 0 {
			value++
		}
		value = value<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}
