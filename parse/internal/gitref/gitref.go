// Package gitref finds the branch and the commit that a text says its work is on.
package gitref

import (
	"slices"
	"strings"
	"unicode"

	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/scan"
)

// notBranches are words in the place of a branch's name.
var notBranches = scan.Set("none n/a na no not the detached unknown unborn - — tbd all see same new merged a this")

// BranchName returns the branch name that the value of a field begins with, without quotes
// and marks, or "" if it begins with none.
func BranchName(v string) string {
	v = strings.TrimLeft(v, "*_ ")
	if inner, ok := strings.CutPrefix(v, "`"); ok {
		v, _, _ = strings.Cut(inner, "`")
	}
	v = strings.TrimLeft(v, "`'\"")
	isEnd := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`,;()|*→'\"<>", r) }
	if end := strings.IndexFunc(v, isEnd); end >= 0 {
		v = v[:end]
	}
	v = strings.TrimRight(v, ".:@")
	if name, hash, ok := strings.Cut(v, "@"); ok && isHash(hash) {
		v = name
	}
	if notBranches[strings.ToLower(v)] || strings.Contains(v, "YYYY") || isHash(v) &&
		strings.ContainsAny(v, "0123456789") {
		return ""
	}
	return v
}

// branchWords come before the name of a branch; notOwn before branchWords where
// it is not the branch that the work is on.
var (
	branchWords = []string{"branch", "Branch", "BRANCH", "브랜치", "ブランチ", "分支", "branche", "Branche"}
	notOwn      = strings.Fields(`new separate base target default from other parent merge protected per experimental`)
)

// branchSigns are in each line that names a branch.
var (
	branchSigns = []string{"ranch", "RANCH"}
	promptSigns = []string{"@ ", "브랜치", "ブランチ", "分支"}
)

// startBytes is how much of a text is searched for less certain signs.
const startBytes = 8 << 10

// branchLines is how far into a text a sentence names the branch of the work.
const branchLines = 100

// FindBranch returns the branch that a text says the work is on, and its offset. A line that
// has the word ("on branch `x`", "Branch: x", "| branch | `x` |") comes before one that says
// where commits are ("on local `master`", "pushed to main"), which counts only if sentences
// is set.
func FindBranch(text string, sentences bool) (string, int) {
	if name, at := scanLines(text, branchSigns, branchNamed); name != "" {
		return name, at
	}
	start := text[:min(len(text), startBytes)]
	if name, at := scanLines(start, promptSigns, branchNamed); name != "" || !sentences {
		return name, at
	}
	return scanLines(start, placeWords, branchPlaced)
}

// scanLines returns the first value that find returns for a line, and its offset. It calls
// find with the lines outside of code that contain one of words, and their numbers.
func scanLines(text string, words []string, find func(line string, n int) string) (string, int) {
	var code scan.Fences
	n, last, known := 1, 0, false
	for from := scan.IndexAnyOf(text, 0, words); from >= 0; {
		if !known {
			code, known = scan.FencesOf(text), true
		}
		start, end := scan.LineStart(text, from), scan.LineEnd(text, from)
		n += strings.Count(text[last:start], "\n")
		if last = start; !code.Contains(start) {
			if v := find(text[start:end], n); v != "" {
				return v, start + max(strings.Index(text[start:end], v), 0)
			}
		}
		from = scan.IndexAnyOf(text, end, words)
	}
	return "", 0
}

// branchNamed returns the branch that line n of a text names with a word for "branch" or as
// a prompt of a shell, or "" if it names none.
func branchNamed(line string, n int) string {
	if strings.HasPrefix(line, "#  ") {
		return "" // an example in a comment
	}
	if name := branchAt(line); n <= branchLines && name != "" {
		return name
	}
	if _, rest, ok := strings.Cut(line, "On branch "); ok && isBranch(BranchName(rest)) {
		return BranchName(rest)
	}
	for _, word := range branchWords {
		i := strings.Index(line, word)
		if i < 0 || !isOwnBranch(line[:i]) {
			continue
		}
		rest := strings.TrimLeft(line[i+len(word):], " *_|\t")
		colon := strings.IndexByte(rest[:min(len(rest), maxBranchLabel)], ':')
		if colon >= 0 && !strings.Contains(rest[:colon], "`") {
			rest = strings.TrimLeft(rest[colon+1:], " *_")
		}
		named := strings.HasPrefix(rest, "`") && (n <= branchLines || scan.MarkWidth(line) == i)
		name := BranchName(rest)
		// Without quotes only a trunk, or a name with a slash, is surely a branch's.
		if !named && (colon < 0 || !isLabel(line[:i]) || !trunks[name] && !strings.Contains(name, "/")) {
			continue
		}
		if isBranch(name) && !strings.Contains(rest[:min(len(rest), len(name)+10)], "merged") {
			return name
		}
	}
	return ""
}

// isLabel reports whether the text before a word such as "branch" on its line lets the word
// begin a label: it is empty but for marks, modifiers such as "current", and the end of
// another field.
func isLabel(before string) bool {
	before = before[scan.MarkWidth(before):]
	if i := strings.LastIndexAny(before, "|·("); i >= 0 {
		before = before[i+1:]
	}
	for word := range strings.FieldsSeq(before) {
		if word = strings.ToLower(scan.TrimMarks(word)); word != "" && !metadata.Modifiers[word] {
			return false
		}
	}
	return true
}

// maxBranchLabel is how far behind the word a colon ends a label: "Branch at
// handoff:".
const maxBranchLabel = 16

// placeWords come before the branch on which commits are.
var placeWords = []string{"on `", "on local `", "pushed to ", "push to "}

// ownWork are words in a line that says where the commits of a session are.
var ownWork = []string{"ommits ", "unpushed", "UNPUSHED", "NOT pushed", "all pushed", "(pushed", "ahead of"}

// branchPlaced returns the branch on which line n of a text says that the commits of the
// session are, or "" if it says so of none.
func branchPlaced(line string, n int) string {
	if n > branchLines || !scan.ContainsAny(line, ownWork) {
		return ""
	}
	for _, word := range placeWords {
		_, rest, ok := strings.Cut(line, word)
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(strings.TrimLeft(rest, "`*"), "origin/")
		if name := BranchName(rest); trunks[name] || strings.HasPrefix(word, "on") && strings.Contains(name, "/") &&
			!strings.Contains(name, ".") && isBranch(name) {
			return name
		}
	}
	return ""
}

// branchAt returns the branch in a line such as "feat/x @ 936d147", as prompts of shells
// show it, or "" if there is none.
func branchAt(line string) string {
	before, after, ok := strings.Cut(line, " @ ")
	if !ok {
		return ""
	}
	before = strings.TrimRight(before, "`*")
	name := before[strings.LastIndexAny(before, " \t(`*")+1:]
	if hash, _ := FirstHash(after[:min(len(after), 14)]); hash == "" || !isBranch(name) {
		return ""
	}
	return name
}

// isOwnBranch reports whether the word "branch" behind this text means the branch that the
// work is on. It does not behind words such as "base" or "new".
func isOwnBranch(before string) bool {
	before = strings.TrimRight(before, " *_-")
	return !slices.ContainsFunc(notOwn, func(w string) bool {
		return len(before) >= len(w) && strings.EqualFold(before[len(before)-len(w):], w)
	})
}

var trunks = scan.Set("main master develop dev trunk staging")

// isBranch reports whether a name can be that of a branch by the rules of git.
func isBranch(name string) bool {
	return len(name) > 1 && len(name) < 120 && !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "/") &&
		!strings.Contains(name, "..") && !strings.ContainsAny(name, "~^:?*[\\{}$=") &&
		strings.ContainsFunc(name, unicode.IsLetter)
}

// A hash is a word of its own: no part of a path or of a name.
var (
	hashForm = scan.Pattern(`^[0-9a-f]{7,40}$`)
	hashWord = scan.Pattern(`(?:^|[^0-9A-Za-z_./-])([0-9a-f]{7,40})(?:[^0-9A-Za-z_./-]|$)`)
)

// isHash reports whether a word can be the hash of a commit.
func isHash(s string) bool { return hashForm().MatchString(s) }

// FirstHash returns the first hash of a commit in a text, "" for none, and its offset. A
// word of letters alone, or a number, is no hash.
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

// FindCommit returns the commit that a text says its work ends with, and its offset: the one
// it calls HEAD or the last; else the last of the first list or sentence that names commits.
// It returns "" if there is none.
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

// hashBehind returns the commit that begins at most maxGap bytes behind an offset, on the
// same line, and its offset; "" for none.
func hashBehind(text string, from int) (string, int) {
	near, _, _ := strings.Cut(text[from:min(len(text), from+maxGap+maxHash+1)], "\n")
	if hash, at := FirstHash(near); hash != "" && at <= maxGap {
		return hash, from + at
	}
	return "", 0
}

// commitBehind returns the first commit that closely follows one of some words in a text,
// and its offset; "" for none.
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

// commitRun returns the last commit in a run of lines that name commits, and its offset. The
// run starts with the line at offset start or, if that is a heading, with the first line
// below it that names a commit.
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

// lastHash returns the last hash of a commit in a line, "" for none, and its offset.
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
