package store

import (
	"strconv"
	"strings"
)

// The tokens of the column meta are one of these and the value of a field. Each
// contains a digit, so none is a plain word. Those of signs are in signs.go.
const (
	markProject  = "x0p" // the number of the project
	MarkDeclared = "x0d" // the project the handoff names, if it does
	MarkFormat   = "x0f"
	MarkStatus   = "x0s"
)

// ProjectMark returns the token of the project with a number.
func ProjectMark(id int64) string { return markProject + strconv.FormatInt(id, 10) }

// MetaToken returns the letters and digits of a name.
func MetaToken(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(name))
}
