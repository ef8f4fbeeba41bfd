//go:build !unix

package acks

// syncFolder: these systems have no such thing.
func syncFolder(string) error { return nil }
