package gitref

import (
	"strings"

	"handex/parse/internal/scan"
)

// A hash is a word of its own: no part of a path or of a name.
var (
	hashForm = scan.Pattern(`^[0-9a-f]{7,40}$`)
	hashWord = scan.Pattern(`(?:^|[^0-9A-Za-z_./-])([0-9a-f]{7,40})(?:[^0-9A-Za-z_./-]|$)`)
)

// isHash reports whether a word can be that of a commit.
func isHash(s string) bool { return hashForm().MatchString(s) }

// FirstHash is the first commit in a text, "" for none, and where it is. A word of
// letters alone, or a number, is none.
func FirstHash(s string) (hash string, at int) {
	for from := 0; from < len(s); {
		m := hashWord().FindStringSubmatchIndex(s[from:])
		if m == nil {
			break
		}
		if word := s[from+m[2] : from+m[3]]; strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef") {
			return word, from + m[2]
		}
		from += m[3]
	}
	return "", 0
}

// startWords come, at the beginning of a text, before the hash of the commit that a
// work tree is at, and so does HEAD anywhere.
var startWords = []string{"@ ", "SHA", "sha:", "HEAD"}

// FindCommit is the commit a text says its work ends with, and where it is:
// the one it calls HEAD or the last; else the last of the first list or sentence
// that names commits.
func FindCommit(text string) (string, int) {
	if hash, at := commitBehind(text[:min(len(text), startBytes)], startWords); hash != "" {
		return hash, at
	}
	if hash, at := commitBehind(text, []string{"HEAD"}); hash != "" {
		return hash, at
	}
	first, found := "", 0
	for from, n := 0, 0; n < maxCommitWords; n++ {
		i := strings.Index(text[from:], "ommit")
		if i < 0 {
			break
		}
		from += i + len("ommit")
		start := scan.LineStart(text, from)
		if before := text[start:from]; strings.HasSuffix(before, "ast commit") || strings.HasSuffix(before, "atest commit") {
			if hash, at := hashBehind(text, from); hash != "" {
				return hash, at
			}
		}
		if first == "" {
			first, found = commitRun(text, start)
		}
	}
	return first, found
}

// maxCommitWords is how many times the word is followed, maxGap how far behind it
// the commit begins, maxHash how long that is.
const (
	maxCommitWords = 100
	maxGap         = 33
	maxHash        = 40
)

// hashBehind is the commit that begins at most maxGap behind an offset, on the same
// line, and its offset.
func hashBehind(text string, from int) (string, int) {
	near, _, _ := strings.Cut(text[from:min(len(text), from+maxGap+maxHash+1)], "\n")
	if hash, at := FirstHash(near); hash != "" && at <= maxGap {
		return hash, from + at
	}
	return "", 0
}

// commitBehind is the first commit that is behind one of some words.
func commitBehind(text string, words []string) (string, int) {
	best, found := "", len(text)
	for _, word := range words {
		for from := 0; from < found; {
			i := strings.Index(text[from:found], word)
			if i < 0 {
				break
			}
			from += i + len(word)
			if hash, at := hashBehind(text, from); hash != "" {
				best, found = hash, at
			}
		}
	}
	return best, found
}

// commitRun is the last commit of the line that starts at an offset and of those
// that follow it at once; or, below a heading, of the first lines that have any.
func commitRun(text string, start int) (string, int) {
	hash, found := "", 0
	heading := strings.HasPrefix(text[start:], "#")
	for at := start; at < len(text); {
		end := scan.LineEnd(text, at)
		line := text[at:end]
		if at > start && strings.HasPrefix(line, "#") {
			break
		}
		switch h, i := lastHash(line); {
		case h != "":
			hash, found = h, at+i
		case hash != "" && strings.Trim(line, "|-: \n") != "", hash == "" && !heading:
			return hash, found
		}
		at = end
	}
	return hash, found
}

// lastHash is the last commit in a line, and where it is.
func lastHash(line string) (string, int) {
	last, at := "", 0
	for from := 0; from < len(line); {
		hash, i := FirstHash(line[from:])
		if hash == "" {
			break
		}
		last, at, from = hash, from+i, from+i+len(hash)
	}
	return last, at
}
