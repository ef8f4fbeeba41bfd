// Package report shows what happened in a period: what got done, what is next and
// how long it has been, what a human must look at, what goes wrong again and again.
//
// Build reads it from the index and does nothing else: no clock, no terminal, no
// file. Every figure is a [Number], which carries the query that gives it, so that
// whoever doubts one can open it: what `handex search QUERY --count` prints is that
// number, on any later day, for as long as the handoffs stay as they are.
//
// Texts in a [Report] are one line each, without control characters and, unless
// asked for otherwise, without secrets. They are of handoffs, which anybody may have
// written: whoever prints them escapes them as the output needs it.
package report
