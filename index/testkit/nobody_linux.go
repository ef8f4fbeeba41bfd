package testkit

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// AsNobody runs do with the rights of a user that owns nothing, because modes do not restrict root.
// If the test is not run by root, it just calls do.
func AsNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	done := make(chan struct{})
	go func() { // the thread is not given back: it ends with the goroutine
		defer close(done)
		runtime.LockOSThread()
		_ = syscall.Setfsgid(65534)
		_ = syscall.Setfsuid(65534)
		do()
	}()
	<-done
}
