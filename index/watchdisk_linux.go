package index

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// eventsInOrder: all of a watch's events come through one queue, into which the
// kernel puts them before the call that caused them returns.
const eventsInOrder = true

// tellsEvents reports whether the file system of a folder tells of every change
// to it. Others change behind the kernel's back: on another machine, in another
// process, in a layer below. Name is empty where that is not known.
func tellsEvents(path string) (name string, ok bool) {
	var st unix.Statfs_t
	if _, err := retryEINTR(func() (int, error) { return 0, unix.Statfs(path, &st) }); err != nil {
		return "", false
	}
	magic := int64(uint32(st.Type))
	switch magic {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.BCACHEFS_SUPER_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC, zfsMagic:
		return "", true
	}
	return fileSystems[magic], false
}

// zfsMagic is not among the kernel's own.
const zfsMagic = 0x2fc12fc1

var fileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC: "nfs", unix.SMB_SUPER_MAGIC: "smb", unix.SMB2_SUPER_MAGIC: "smb", unix.CIFS_SUPER_MAGIC: "cifs",
	unix.V9FS_MAGIC: "9p", unix.FUSE_SUPER_MAGIC: "fuse", unix.OVERLAYFS_SUPER_MAGIC: "overlay", unix.CEPH_SUPER_MAGIC: "ceph",
	unix.AFS_SUPER_MAGIC: "afs", unix.PROC_SUPER_MAGIC: "proc", unix.SYSFS_MAGIC: "sysfs",
}

// mounts is different after every mount and unmount in one of the folders, whose
// paths are real. They make no events.
func mounts(folders []string) string {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err.Error()
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		const point = 4
		fields := strings.Fields(line)
		if len(fields) <= point {
			continue
		}
		path := unescapeMount.Replace(fields[point])
		if slices.ContainsFunc(folders, func(folder string) bool { return below(path, folder) }) {
			found = append(found, line)
		}
	}
	return digest(found)
}

// unescapeMount undoes how the kernel writes paths between blanks.
var unescapeMount = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// bootID names the run of this machine.
func bootID() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// linkCount is how many names a file has.
func linkCount(path string) uint64 {
	var st unix.Stat_t
	if _, err := retryEINTR(func() (int, error) { return 0, unix.Lstat(path, &st) }); err != nil {
		return 0
	}
	return uint64(st.Nlink) //nolint:unconvert // 16 or 32 bits on other systems
}
