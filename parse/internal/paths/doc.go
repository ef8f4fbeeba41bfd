// Package paths finds the files that a text names, and what it says was done to them.
package paths
