package faults_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A diskOp is a change of a folder's files, or a promise that changes last.
type diskOp struct {
	call       string
	path, to   string
	data       []byte
	at         int64 // where it is written, or the new size
	appending  bool
	made, null bool // opened to be made, to be emptied
}

var (
	tracedLine = regexp.MustCompile(`^(\w+)\((.*)\) += (\d+)`)
	tracedFD   = regexp.MustCompile(`^\d+<((?:\\x[0-9a-f]{2})+)>`)
	tracedText = regexp.MustCompile(`"((?:\\x[0-9a-f]{2})*)"`)
)

// diskCalls are what readDiskOp understands.
const diskCalls = "?open,openat,pwrite64,write,fsync,fdatasync,ftruncate,?unlink,unlinkat,?rename,?renameat,renameat2"

// readDiskOp takes a line of strace -y -xx apart; ok is false for what changes
// nothing.
func readDiskOp(line string) (op diskOp, ok bool) {
	m := tracedLine.FindStringSubmatch(line)
	if m == nil {
		return op, false
	}
	op.call = m[1]
	var texts []string
	for _, t := range tracedText.FindAllStringSubmatch(m[2], -1) {
		texts = append(texts, unhex(t[1]))
	}
	if fd := tracedFD.FindStringSubmatch(m[2]); fd != nil {
		op.path = unhex(fd[1])
	}
	last, _ := strconv.ParseInt(m[2][strings.LastIndexByte(m[2], ' ')+1:], 10, 64)
	switch op.call {
	case "open", "openat":
		op.path = texts[0]
		op.made, op.null = strings.Contains(m[2], "O_CREAT"), strings.Contains(m[2], "O_TRUNC")
		return op, op.made || op.null
	case "pwrite64", "write":
		op.data, op.at, op.appending = []byte(texts[0]), last, op.call == "write"
	case "ftruncate":
		op.at = last
	case "unlink", "unlinkat":
		op.path = texts[0]
	case "rename", "renameat", "renameat2":
		op.path, op.to = texts[0], texts[1]
	}
	return op, true
}

func unhex(text string) string {
	b, _ := hex.DecodeString(strings.ReplaceAll(text, `\x`, ""))
	return string(b)
}

// A disk is a folder on a disk with a cache: what was written and what is sure to
// be there after the power fails.
type disk struct {
	dir         string
	names, sure map[string]*diskFile
	unsure      []func(map[string]*diskFile) // changes of names, which last in order
}

type diskFile struct {
	live, sure []byte
	unsure     []diskOp
}

// newDisk is a disk with the files of a folder.
func newDisk(tb testing.TB, dir, like string) *disk {
	tb.Helper()
	d := &disk{dir: dir, names: map[string]*diskFile{}, sure: map[string]*diskFile{}}
	entries, err := os.ReadDir(like)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(like, e.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		d.names[e.Name()] = &diskFile{live: data, sure: slices.Clone(data)}
	}
	d.sure = maps.Clone(d.names)
	return d
}

// do carries an operation out, and reports whether it was one on the folder.
func (d *disk) do(op diskOp) bool {
	if op.path == d.dir && strings.HasSuffix(op.call, "sync") {
		d.sure, d.unsure = maps.Clone(d.names), nil
		return true
	}
	if filepath.Dir(op.path) != d.dir {
		return false
	}
	name := filepath.Base(op.path)
	f := d.names[name]
	switch op.call {
	case "open", "openat":
		if f == nil && op.made {
			f = &diskFile{}
			d.name(func(names map[string]*diskFile) { names[name] = f })
		}
		if op.null && len(f.live) > 0 {
			f.change(diskOp{call: "ftruncate"})
		}
	case "unlink", "unlinkat":
		d.name(func(names map[string]*diskFile) { delete(names, name) })
	case "rename", "renameat", "renameat2":
		to := filepath.Base(op.to)
		d.name(func(names map[string]*diskFile) {
			names[to] = f
			delete(names, name)
		})
	case "fsync", "fdatasync":
		f.sure, f.unsure = slices.Clone(f.live), nil
	default:
		if op.appending {
			op.at = int64(len(f.live))
		}
		f.change(op)
	}
	return true
}

func (d *disk) name(change func(map[string]*diskFile)) {
	change(d.names)
	d.unsure = append(d.unsure, change)
}

func (f *diskFile) change(op diskOp) {
	f.live = op.apply(f.live)
	f.unsure = append(f.unsure, op)
}

// apply is the content of a file after a write or a truncation.
func (op diskOp) apply(to []byte) []byte {
	if op.call == "ftruncate" {
		return append(bytes.Clone(to[:min(op.at, int64(len(to)))]), make([]byte, max(0, op.at-int64(len(to))))...)
	}
	if need := op.at + int64(len(op.data)) - int64(len(to)); need > 0 {
		to = append(to, make([]byte, need)...)
	}
	copy(to[op.at:], op.data)
	return to
}

// sector is what a disk writes at once.
const sector = 512

// crash writes the folder as it could be after a loss of power: of what is not
// sure, nothing, all, some or some sectors are there.
func (d *disk) crash(tb testing.TB, random *rand.Rand) {
	tb.Helper()
	if err := os.RemoveAll(d.dir); err != nil {
		tb.Fatal(err)
	}
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	names := maps.Clone(d.sure)
	for _, change := range d.unsure[:random.IntN(len(d.unsure)+1)] {
		change(names)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if f := names[name]; f != nil {
			if err := os.WriteFile(filepath.Join(d.dir, name), f.crash(random), 0o600); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// crash is what may be there of a file.
func (f *diskFile) crash(random *rand.Rand) []byte {
	data := slices.Clone(f.sure)
	mode := random.IntN(4)
	for _, op := range f.unsure {
		switch {
		case mode == 0, mode >= 2 && random.IntN(2) == 0:
		case mode == 3 && op.call != "ftruncate":
			for at := 0; at < len(op.data); at += sector {
				if random.IntN(2) == 0 {
					part := op.data[at:min(at+sector, len(op.data))]
					data = diskOp{data: part, at: op.at + int64(at)}.apply(data)
				}
			}
		default:
			data = op.apply(data)
		}
	}
	return data
}

func (op diskOp) String() string {
	return fmt.Sprintf("%s %s %s %d %d", op.call, filepath.Base(op.path), filepath.Base(op.to), op.at, len(op.data))
}
