//go:build !unix

package save

// Writable reports true: only writing shows whether a folder can be written to.
func Writable(string) bool { return true }
