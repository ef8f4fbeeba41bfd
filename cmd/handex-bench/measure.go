package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// usage is what one process took: user and system time, and its largest
// resident size in bytes, 0 where the system does not tell.
type usage struct {
	cpu    time.Duration
	memory int64
}

// measure runs a command to its end; its output goes nowhere. Failing is an
// error that holds what it said.
func (b *bench) measure(ctx context.Context, name string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	// No setting of the person who measures may change what is measured.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.work, "TZ=UTC", "TMPDIR=" + b.work, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w\n%s", filepath.Base(name), args, err, said.Bytes())
	}
	return usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), maxRSS(cmd.ProcessState)}, nil
}

// takeTurns runs each command n times, one after the other, after a round
// that only warms the caches.
func (b *bench) takeTurns(ctx context.Context, n int, commands [][]string) ([][]usage, error) {
	all := make([][]usage, len(commands))
	for round := range n + 1 {
		for i, c := range commands {
			u, err := b.measure(ctx, c[0], c[1:]...)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				all[i] = append(all[i], u)
			}
		}
	}
	return all, nil
}

func medianCPU(runs []usage) time.Duration {
	times := make([]time.Duration, len(runs))
	for i, r := range runs {
		times[i] = r.cpu
	}
	slices.Sort(times)
	return times[len(times)/2]
}

func peakMemory(runs []usage) int64 {
	return slices.MaxFunc(runs, func(a, b usage) int { return int(a.memory - b.memory) }).memory
}
