package hooks

// A Format is the format of a file.
type Format interface {
	Entries(text []byte) ([]Entry, error)
	Install(text []byte, want []Entry) ([]byte, error)
	Uninstall(text []byte) ([]byte, error)
}

type reader struct{ format }

func (r reader) Entries(text []byte) ([]Entry, error) {
	c, err := r.Read(text)
	return c.Entries, err
}

// FormatOf returns the format of the nth file of an agent, nil if there is none.
func FormatOf(agent string, n int) Format {
	a, ok := Find(agent)
	if !ok || n >= len(a.files) {
		return nil
	}
	return reader{a.files[n].format}
}
