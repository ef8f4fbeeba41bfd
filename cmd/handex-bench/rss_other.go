//go:build !unix

package main

import "os"

// maxRSS returns 0: this system does not report the peak memory of a process.
func maxRSS(*os.ProcessState) int64 { return 0 }
