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
// its end, and its largest resident size in bytes, 0 if the system does not report it.
type usage struct {
	cpu, wall time.Duration
	memory    int64
}

// measure runs a command to its end; its output goes nowhere. Failing is an
// error that contains its output.
func (b *bench) measure(ctx context.Context, command []string) (usage, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	// No setting of the person who measures may change what is measured.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.work, "TZ=UTC", "TMPDIR=" + b.work, "SYSTEMROOT=" +
		os.Getenv("SYSTEMROOT")}
	var said bytes.Buffer
	cmd.Stderr = &said
	began := time.Now() //nolint:forbidigo // what is measured is the time that passes
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w\n%s", filepath.Base(command[0]), command[1:], err, said.Bytes())
	}
	return usage{
		cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(began),
		maxRSS(cmd.ProcessState),
	}, nil
}

// compare runs a command of handex and others by turns, after a round that only warms
// the caches, and adds a row for each other. It returns what the command took.
func (b *bench) compare(ctx context.Context, what string, command []string, others ...other) ([]usage, error) {
	var ours []usage
	theirs := make([][]usage, len(others))
	for round := range b.runs*shortRuns + 1 {
		for i, o := range append([]other{{command: command}}, others...) {
			if o.missing != "" {
				continue
			}
			u, err := b.measure(ctx, o.command)
			switch {
			case err != nil:
				return nil, err
			case round == 0:
			case i == 0:
				ours = append(ours, u)
			default:
				theirs[i-1] = append(theirs[i-1], u)
			}
		}
	}
	for i, o := range others {
		if o.missing != "" {
			b.table.skip(what, ours, o.missing)
			continue
		}
		b.table.cpu(what, ours, o.name, theirs[i], o.bound)
	}
	return ours, nil
}

func medianCPU(runs []usage) time.Duration {
	return median(runs, func(u usage) time.Duration { return u.cpu })
}

func median(runs []usage, of func(usage) time.Duration) time.Duration {
	times := make([]time.Duration, len(runs))
	for i, r := range runs {
		times[i] = of(r)
	}
	slices.Sort(times)
	return times[len(times)/2]
}
