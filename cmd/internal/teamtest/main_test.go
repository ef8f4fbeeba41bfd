// Package teamtest tests how machines share handoffs: with real git over files, HTTP
// and ssh, while programs are killed, networks break, disks are full and members lie.
package teamtest_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/OWNER/handex/cmd/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"handex": handex})
}

// handex is main of the command: the tests start their own binary as the program.
func handex() {
	os.Exit(cli.Main(cli.Interruptible(), os.Args[1:], cli.OS(time.Now)))
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
