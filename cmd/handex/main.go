// Command handex finds handoffs that coding agents left.
package main

import (
	"os"
	"time"

	"handex/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Interruptible(), os.Args[1:], cli.OS(time.Now)))
}
