// Package signs finds by the words of a line whether work is blocked, and whether a
// person is asked for something.
package signs
