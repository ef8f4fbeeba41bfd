package store

import "strconv"

// CountOf returns a number, with commas, of things.
func CountOf(n int, what string) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if n != 1 {
		what += "s"
	}
	return text + " " + what
}
