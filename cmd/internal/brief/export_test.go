package brief

// Alike reports whether two texts are likely to say the same.
func Alike(a, b string) bool { return wordingOf(a).alike(wordingOf(b)) }

// Split lists the items and paragraphs of a section's body.
func Split(body string) (texts []string, done []bool) {
	for _, p := range split("next", body) {
		texts, done = append(texts, p.text), append(done, p.done)
	}
	return texts, done
}
