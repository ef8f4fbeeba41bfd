//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxRSS returns the peak memory of a process in bytes. Darwin reports bytes, other systems
// kilobytes.
func maxRSS(state *os.ProcessState) int64 {
	u, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss) //nolint:unconvert // 32 bits on other systems
	}
	return int64(u.Maxrss) << 10 //nolint:unconvert // 32 bits on other systems
}
