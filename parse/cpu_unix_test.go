//go:build unix

package parse_test

import (
	"syscall"
	"time"
)

// spent is the time this process has had of the processors: unlike the time of
// day, others do not use it up.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
