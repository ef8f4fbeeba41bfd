// Command handex-bench compares the cost of handex with the cost of similar work in other
// programs, on a generated tree of handoffs.
//
//	handex-bench [-n 10000] [-runs 3] [-seed 1] [-check] [-find]
//	handex-bench -tree FOLDER [-runs 3] [-check]
//
// With -tree it measures only a full index of the Markdown in a folder of real handoffs.
//
// Times are CPU times of whole processes (user and system), medians of runs
// that take turns, so that the ratios are valid on a machine that is busy with
// something else. With -check a missed bound is exit code 1.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == parseMode {
		exit(parseMarkdown(os.Args[2]))
	}
	if len(os.Args) == 5 && os.Args[1] == generateMode {
		exit(generate(os.Args[2], os.Args[3], os.Args[4], os.Stdout))
	}
	var b bench
	flag.IntVar(&b.n, "n", 10_000, "number of handoffs")
	flag.Uint64Var(&b.seed, "seed", 1, "seed of the generated tree")
	flag.IntVar(&b.runs, "runs", 3, "number of runs of the long commands; short ones run 30 times as often")
	flag.BoolVar(&b.findOnly, "find", false, "measure only find")
	flag.StringVar(&b.tree, "tree", "", "measure only a full index of the Markdown in this folder")
	check := flag.Bool("check", false, "exit 1 if a bound is missed")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	missed, err := b.run(ctx, os.Stdout)
	if err == nil && *check && missed > 0 {
		err = fmt.Errorf("%d bounds missed", missed)
	}
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "handex-bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
