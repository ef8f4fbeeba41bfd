// Command handex finds handoffs that coding agents left.
package main

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/OWNER/handex/cmd/internal/cli"
)

// shortMemory is from where on a command that is over soon collects garbage: before that
// it takes longer than it is worth.
const shortMemory = 128 << 20

func main() {
	if len(os.Args) > 1 && (os.Args[1] == "brief" || os.Args[1] == "find") {
		debug.SetMemoryLimit(shortMemory)
		debug.SetGCPercent(-1)
	}
	os.Exit(cli.Main(cli.Interruptible(), os.Args[1:], cli.OS(time.Now)))
}
