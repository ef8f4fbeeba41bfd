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

// usage is what one process took: user and system time, the time from its start to
// its end, and its largest resident size in bytes, 0 where the system does not tell.
type usage struct {
	cpu, wall time.Duration
	memory    int64
}

// measure runs a command to its end; its output goes nowhere. Failing is an
// error that holds what it said.
func (b *bench) measure(ctx context.Context, name string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	// No setting of the person who measures may change what is measured.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.work, "TZ=UTC", "TMPDIR=" + b.work, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	var said bytes.Buffer
	cmd.Stderr = &said
	began := time.Now() //nolint:forbidigo // what is measured is the time that passes
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w\n%s", filepath.Base(name), args, err, said.Bytes())
	}
	return usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(began), maxRSS(cmd.ProcessState)}, nil
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
	return median(runs, func(u usage) time.Duration { return u.cpu })
}

func medianWall(runs []usage) time.Duration {
	return median(runs, func(u usage) time.Duration { return u.wall })
}

func median(runs []usage, of func(usage) time.Duration) time.Duration {
	times := make([]time.Duration, len(runs))
	for i, r := range runs {
		times[i] = of(r)
	}
	slices.Sort(times)
	return times[len(times)/2]
}

func peakMemory(runs []usage) int64 {
	return slices.MaxFunc(runs, func(a, b usage) int { return int(a.memory - b.memory) }).memory
}
