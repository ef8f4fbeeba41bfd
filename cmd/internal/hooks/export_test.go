package hooks

// Format is the format of a file.
type Format = format

// FormatOf returns the format of the nth file of an agent, nil if there is none.
func FormatOf(agent string, n int) Format {
	a, ok := Find(agent)
	if !ok || n >= len(a.files) {
		return nil
	}
	return a.files[n].format
}
