// Package cli is the command line of handex: a file for each command, which
// asks the packages below once and gives the answer to package render.
//
// Results go to the standard output, everything else (notes, progress, counts,
// errors) to the standard error. The exit status is 0 where something was
// found, 1 where nothing was, 2 for any error and 130 when interrupted.
package cli
