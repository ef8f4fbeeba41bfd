//go:build darwin || freebsd || netbsd

package fsx

import "golang.org/x/sys/unix"

// Born returns when the file at path was made, in nanoseconds since 1970 UTC; 0 if the file system
// does not record that. These systems set that time back together with the time of modification, so
// one nanosecond is added: a file written in the same instant does not count as written after it
// was made.
func Born(path string) int64 {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || st.Btim.Nano() == 0 {
		return 0
	}
	return st.Btim.Nano() + 1
}
