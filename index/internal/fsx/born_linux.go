package fsx

import "golang.org/x/sys/unix"

// Born returns when the file at path was made, in nanoseconds since 1970 UTC; 0 if the file system
// does not record that.
func Born(path string) int64 {
	var st unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &st)
	if err != nil || st.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return st.Btime.Sec*1e9 + int64(st.Btime.Nsec)
}
