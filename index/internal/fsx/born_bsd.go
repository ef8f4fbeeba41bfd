//go:build darwin || freebsd || netbsd

package fsx

import "golang.org/x/sys/unix"

// Born returns when the file at path was made, in nanoseconds since 1970 UTC; 0 where
// the file system does not keep that. These systems set it back with the time of
// modification, so that what was written in the very instant does not count.
func Born(path string) int64 {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || st.Btim.Nano() == 0 {
		return 0
	}
	return st.Btim.Nano() + 1
}
