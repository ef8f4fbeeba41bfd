// Command handex finds handoffs that coding agents left.
package main

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/OWNER/handex/cmd/internal/cli"
)

// briefMemory is from where on a briefing collects garbage: it is over before that is
// worth its while.
const briefMemory = 128 << 20

func main() {
	if len(os.Args) > 1 && os.Args[1] == "brief" {
		debug.SetMemoryLimit(briefMemory)
		debug.SetGCPercent(-1)
	}
	os.Exit(cli.Main(cli.Interruptible(), os.Args[1:], cli.OS(time.Now)))
}
