// Package faults tests what the program does when it is killed, when the system
// fails it, and when others write at the same time.
package faults_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/OWNER/handex/cmd/internal/cli"
)

// pinnedEnv has the program do all that one goroutine does on one thread:
// strace counts system calls by thread.
const pinnedEnv = "HANDEX_TEST_PINNED=1"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"handex": handex})
}

// handex is main of the command: the tests start their own binary as the program.
func handex() {
	if os.Getenv("HANDEX_TEST_PINNED") != "" {
		runtime.LockOSThread()
	}
	os.Exit(cli.Main(cli.Interruptible(), os.Args[1:], cli.OS(clock)))
}

// program returns the path of the program.
func program(tb testing.TB) string {
	tb.Helper()
	path, err := exec.LookPath("handex")
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// clockVariable names the environment variable that sets the machine's clock of the
// program under test: states that are to be believed must not be young by it.
const clockVariable = "HANDEX_FAULTS_CLOCK"

// clock returns the time of clockVariable, or that of the machine.
func clock() time.Time {
	if at, err := time.Parse(time.RFC3339, os.Getenv(clockVariable)); err == nil {
		return at
	}
	return time.Now()
}
