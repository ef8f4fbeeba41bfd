package store

// Trouble is a folder that could not be read.
type Trouble struct {
	Path, Reason string
}
