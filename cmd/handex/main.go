// Command handex finds handoffs that coding agents left.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"handex/cmd/internal/cli"
)

func main() {
	// A closed pipe is an error of the write, told apart from others there.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := cli.Main(ctx, os.Args[1:], cli.OS(time.Now))
	stop()
	os.Exit(status)
}
