//go:build !linux

package index

// journalOf knows no file systems here.
func journalOf(string) (mode, kind string) { return "WAL", "" }
