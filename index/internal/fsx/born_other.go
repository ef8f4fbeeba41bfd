//go:build !linux && !darwin && !freebsd && !netbsd

package fsx

// Born returns 0: on this system, it is unknown when a file was made.
func Born(string) int64 { return 0 }
