package index

import (
	"path/filepath"
	"strconv"
	"strings"
)

// A mount is a file system in its place.
type mount struct {
	point, kind string
}

// localKinds are file systems on which the processes of one machine share
// memory, as write-ahead logging needs, and locks that hold.
var localKinds = wordSet{
	"apfs", "bcachefs", "bind", "btrfs", "cramfs", "ecryptfs", "erofs", "exfat",
	"ext2", "ext3", "ext4", "f2fs", "fuse.gocryptfs", "fuseblk", "hfsplus", "jfs",
	"msdos", "nilfs2", "ntfs", "ntfs3", "overlay", "ramfs", "reiserfs",
	"rootfs", "squashfs", "tmpfs", "udf", "ufs", "vfat", "xfs", "zfs",
}

// mountOf finds what holds an absolute path among the lines of
// /proc/self/mountinfo: the last of the deepest mounts, which hides those before.
func mountOf(mountinfo, path string) (m mount, ok bool) {
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		_, after, found := strings.Cut(line, " - ")
		if len(fields) < 5 || !found {
			continue
		}
		kind, _, _ := strings.Cut(after, " ")
		point := unescape(fields[4])
		if below(path, point) && len(point) >= len(m.point) {
			m, ok = mount{point, kind}, true
		}
	}
	return m, ok
}

// unescape undoes the octal escapes of mountinfo: of space, tab, newline and
// backslash.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+4 <= len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// journal is how changes to an index in a folder are made safe: by a write-ahead
// log, or where it may be another machine that reads, by a rollback journal.
// kind is what the folder lies on, as far as it is known and matters.
func journal(dir, mountinfo string) (mode, kind string) {
	m, ok := mountOf(mountinfo, filepath.Clean(dir))
	if !ok || localKinds.has(m.kind) {
		return "WAL", ""
	}
	return "DELETE", m.kind
}
