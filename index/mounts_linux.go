package index

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// plainKinds are the numbers by which the kernel names file systems that are
// local beyond doubt. The others are looked up by name.
var plainKinds = []uint32{
	0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
}

// journalOf is journal for a folder of this machine.
func journalOf(dir string) (mode, kind string) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err == nil && slices.Contains(plainKinds, uint32(st.Type)) {
		return "WAL", ""
	}
	target, err := filepath.EvalSymlinks(dir)
	if err != nil {
		target = dir
	}
	b, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "WAL", ""
	}
	return journal(target, string(b))
}
