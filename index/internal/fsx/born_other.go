//go:build !linux && !darwin && !freebsd && !netbsd

package fsx

// Born returns 0: when a file was made is not known here.
func Born(string) int64 { return 0 }
