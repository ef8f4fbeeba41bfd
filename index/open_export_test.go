package index

// ReadFile is readFile, for tests.
func ReadFile(path string, limit int64) ([]byte, Stat, error) { return readFile(path, limit) }
