package fsx

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// kinds are the file systems by the number that the kernel gives them. The layers
// below a mounted overlay must not be changed, so it promises what they do. FAT
// keeps the times of folders in steps of two seconds.
var kinds = map[uint32]Kind{
	unix.EXT4_SUPER_MAGIC:      {"ext4", true, true, true}, // and ext2, ext3
	unix.XFS_SUPER_MAGIC:       {"xfs", true, true, true},
	unix.BTRFS_SUPER_MAGIC:     {"btrfs", true, true, true},
	unix.F2FS_SUPER_MAGIC:      {"f2fs", true, true, true},
	unix.TMPFS_MAGIC:           {"tmpfs", true, true, true},
	unix.OVERLAYFS_SUPER_MAGIC: {"overlay", true, true, true},
	0x2fc12fc1:                 {"zfs", true, true, true},
	unix.BCACHEFS_SUPER_MAGIC:  {"bcachefs", true, false, true},
	unix.EXFAT_SUPER_MAGIC:     {"exfat", true, false, true},
	unix.MSDOS_SUPER_MAGIC:     {"vfat", true, false, true},
	unix.ECRYPTFS_SUPER_MAGIC:  {"ecryptfs", true, false, false},
	unix.NILFS_SUPER_MAGIC:     {"nilfs2", true, false, false},
	unix.RAMFS_MAGIC:           {"ramfs", true, false, false},
	unix.REISERFS_SUPER_MAGIC:  {"reiserfs", true, false, false},
	0x482b:                     {"hfsplus", true, false, false},
	0x3153464a:                 {"jfs", true, false, false},
	0x5346544e:                 {"ntfs", true, false, false},
	0x7366746e:                 {"ntfs3", true, false, false},
	unix.NFS_SUPER_MAGIC:       {Name: "nfs"},
	unix.SMB_SUPER_MAGIC:       {Name: "smb"},
	unix.SMB2_SUPER_MAGIC:      {Name: "smb"},
	unix.CIFS_SUPER_MAGIC:      {Name: "cifs"},
	unix.V9FS_MAGIC:            {Name: "9p"},
	unix.FUSE_SUPER_MAGIC:      {Name: "fuse"},
	unix.CEPH_SUPER_MAGIC:      {Name: "ceph"},
	unix.AFS_SUPER_MAGIC:       {Name: "afs"},
	unix.PROC_SUPER_MAGIC:      {Name: "proc"},
	unix.SYSFS_MAGIC:           {Name: "sysfs"},
}

// KindOf returns the kind of the file system that contains path. If the system does not tell, only
// shared memory is assumed.
func KindOf(path string) Kind {
	var st unix.Statfs_t
	err := unix.Statfs(path, &st)
	for errors.Is(err, unix.EINTR) {
		err = unix.Statfs(path, &st)
	}
	if err != nil {
		return Kind{SharedMemory: true}
	}
	kind, ok := kinds[uint32(st.Type)]
	if !ok {
		kind.Name = fmt.Sprintf("%#x", uint32(st.Type))
	}
	return kind
}
