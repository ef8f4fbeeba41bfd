package index

import (
	"slices"

	"golang.org/x/sys/unix"
)

// tellsChanges reports whether the file system of a folder is one of those whose
// folders have a new time after each change of their entries. Others are not
// taken at their word: network shares and file systems in user space can make
// their folders' times up.
func tellsChanges(path string) bool {
	var st unix.Statfs_t
	if _, err := retryEINTR(func() (int, error) { return 0, unix.Statfs(path, &st) }); err != nil {
		return false
	}
	return slices.Contains(plainKinds, uint32(st.Type))
}
