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

// usage is what one process used: its user and system time, the time from its start to its
// end, and its largest resident size in bytes, 0 if the system does not report it.
type usage struct {
	cpu, wall time.Duration
	memory    int64
}

// measure runs a command to its end and returns its usage; the output is discarded. If the
// command fails, the error contains what it wrote to the standard error.
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

// turns runs the commands of each round one after the other, and returns for each command
// the usages of all rounds.
func (b *bench) turns(ctx context.Context, rounds int, commands func(round int) [][]string) ([][]usage, error) {
	var runs [][]usage
	for round := range rounds {
		for i, command := range commands(round) {
			u, err := b.measure(ctx, command)
			if err != nil {
				return nil, err
			}
			if round == 0 {
				runs = append(runs, nil)
			}
			runs[i] = append(runs[i], u)
		}
	}
	return runs, nil
}

// compare runs a command of handex and others in turns, after a round that only warms the
// caches, and adds a row to the table for each other command. It returns the usages of the
// first command.
func (b *bench) compare(ctx context.Context, what string, command []string, others ...other) ([]usage, error) {
	commands := [][]string{command}
	for _, o := range others {
		if o.missing == "" {
			commands = append(commands, o.command)
		}
	}
	runs, err := b.turns(ctx, b.runs*shortRuns+1, func(int) [][]string { return commands })
	if err != nil {
		return nil, err
	}
	ours, theirs := runs[0][1:], runs[1:]
	for _, o := range others {
		if o.missing != "" {
			b.table.skip(what, ours, o.missing)
			continue
		}
		b.table.cpu(what, ours, o.name, theirs[0][1:], o.bound)
		theirs = theirs[1:]
	}
	return ours, nil
}

func medianCPU(runs []usage) time.Duration {
	return median(runs, func(u usage) time.Duration { return u.cpu })
}

// median returns the median of the times that of returns for the runs.
func median(runs []usage, of func(usage) time.Duration) time.Duration {
	times := make([]time.Duration, len(runs))
	for i, r := range runs {
		times[i] = of(r)
	}
	slices.Sort(times)
	return times[len(times)/2]
}
