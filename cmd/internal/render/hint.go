package render

// WithHint returns an error with a line that says what to do about it.
func WithHint(err error, hint string) error { return hinted{err, hint} }

type hinted struct {
	error
	hint string
}

func (e hinted) Unwrap() error { return e.error }

// Hint returns the line.
func (e hinted) Hint() string { return e.hint }
