package fsx

import "golang.org/x/sys/unix"

// KindOf returns the kind of the file system that contains path. Here the events of several folders
// come in no order, so one event does not prove that those of earlier changes have come.
func KindOf(path string) Kind {
	var st unix.Statfs_t
	if unix.Statfs(path, &st) != nil {
		return Kind{SharedMemory: true}
	}
	name := unix.ByteSliceToString(st.Fstypename[:])
	return Kind{Name: name, SharedMemory: true, FolderTimes: name == "apfs" || name == "hfs"}
}
