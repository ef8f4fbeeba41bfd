package index

import (
	"os"
	"path/filepath"
	"syscall"
)

// plainKinds are the numbers by which the kernel names file systems that are
// local beyond doubt. The others are looked up by name.
var plainKinds = map[uint32]bool{
	0xef53: true, 0x58465342: true, 0x9123683e: true, 0x01021994: true, 0x794c7630: true, 0x2fc12fc1: true, 0xf2f52010: true,
}

// journalOf is journal for a folder of this machine.
func journalOf(dir string) (mode, kind string) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err == nil && plainKinds[uint32(st.Type)] {
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
