//go:build !unix

package save

import "io/fs"

// Writable reports true: only writing shows whether a folder can be written to.
func Writable(string) bool { return true }

// isOwnAlone reports true: folders of temporary files are the user's own here.
func isOwnAlone(fs.FileInfo) bool { return true }
