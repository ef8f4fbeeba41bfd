package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// catching is how old a run gets before it catches signals. To begin with that
// takes a tenth of the time of a search, and what is interrupted before has
// nothing to tell and leaves nothing behind.
const catching = 20 * time.Millisecond

// Interruptible is the context of a run that ends when the person interrupts
// it.
func Interruptible() context.Context {
	// A closed pipe is an error of the write, told apart from others there.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(catching, func() {
		interrupt := make(chan os.Signal, 1)
		signal.Notify(interrupt, os.Interrupt, syscall.SIGTERM)
		<-interrupt
		cancel()
	})
	return ctx
}
