//go:build !unix

package main_test

import (
	"testing"
	"time"
)

func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	tb.Skip("the processor time of a process is only asked of Unix")
	return 0
}
