// Package paths finds the files that a text names, and what it says was done to them.
package paths

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// actions are the words that say what was done to a file.
var actions = map[string]string{
	"created": "created", "create": "created", "new": "created", "added": "created", "add": "created", "créé": "created",
	"créés": "created", "ajouté": "created", "ajoutés": "created",
	"modified": "modified", "updated": "modified", "update": "modified", "changed": "modified", "change": "modified",
	"edited": "modified", "edit": "modified", "modifié": "modified", "modifiés": "modified",
	"deleted": "deleted", "delete": "deleted", "removed": "deleted", "remove": "deleted", "supprimé": "deleted",
	"supprimés": "deleted",
	"renamed":   "renamed", "rename": "renamed", "moved": "renamed", "move": "renamed", "renommé": "renamed",
	"renommés": "renamed",
}

// A Ref is a path that a section names, and what was done to the file:
// "created", "modified", "deleted", "renamed" or "". Line is that of the body,
// from 0, or -1 for the heading.
type Ref struct {
	Path, Action string
	Line         int
}

// Listed returns the files that the lines of a section about files name. If paths is set,
// the section is a list of paths, and an item that looks like no path is one too.
func Listed(heading, body string, paths bool) []Ref {
	var out []Ref
	def := headingAction(heading)
	for n, line := range strings.Split(body, "\n") {
		text := fileText(line)
		if label := strings.TrimRight(text, "*_ "); strings.HasSuffix(label, ":") {
			def = cmp.Or(headingAction(label), headingAction(heading))
		}
		if !paths && !strings.ContainsAny(text, "./\\") {
			continue
		}
		action := cmp.Or(actionOf(text), def)
		found := pathsIn(text)
		if item, ok := strings.CutPrefix(line, "- "); paths && found == nil && ok && !scan.IsNone(item) {
			found = []string{item}
		}
		for _, path := range found {
			out = append(out, Ref{Path: path, Action: action, Line: n})
		}
	}
	return out
}

// fileText returns a line without bullet, table mark and sign.
func fileText(line string) string {
	text := strings.TrimSpace(line)
	if item, ok := scan.ItemText(line); ok {
		text = item
	} else if strings.HasPrefix(text, "|") {
		text = strings.TrimSpace(strings.Trim(text, "| "))
	}
	return strings.TrimLeft(text, "✅❌⚠️ ")
}

// actionOf returns what a line says was done to its file, "" if it does not say: by the
// first word in parentheses, its first word or its last word.
func actionOf(text string) string {
	_, inside, _ := strings.Cut(text, "(")
	for part := range strings.SplitSeq(inside, "(") {
		if action := actions[scan.FirstWord(part)]; action != "" {
			return action
		}
	}
	if verb, _ := leadVerb(text); verb != "" {
		return actions[verb]
	}
	last := text[strings.LastIndexAny(text, " |")+1:]
	return actions[strings.ToLower(strings.Trim(last, "*_`."))]
}

// leadVerb returns the word for an action that text begins with, and the text behind it. The
// word is "" if there is none, or if it is the beginning of a path.
func leadVerb(text string) (verb, rest string) {
	text = strings.TrimLeft(text, "*_`")
	verb = scan.FirstWord(text)
	if rest = text[min(len(verb), len(text)):]; actions[verb] == "" || rest != "" &&
		strings.IndexByte("./\\-", rest[0]) >= 0 {
		return "", text
	}
	return verb, rest
}

// headingAction returns what a heading says was done to the files below it, "" if it names
// no action or several. "Files changed" names none: new and deleted files are listed there
// as well.
func headingAction(head string) string {
	found := ""
	for w := range strings.FieldsFuncSeq(strings.ToLower(head), func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch action := actions[w]; {
		case action == "" || w == "changed":
		case found != "" && action != found:
			return ""
		default:
			found = action
		}
	}
	return found
}

// pathsIn returns the paths that the text of an item begins with, behind a word for an
// action. If the item begins with other words, the result is the first path with a slash in
// back quotes.
func pathsIn(text string) []string {
	if verb, rest := leadVerb(text); verb != "" {
		text = strings.TrimLeft(rest, ":* —-")
	}
	var out []string
	for {
		path, rest := At(text)
		if path == "" {
			break
		}
		out = append(out, path)
		next := strings.TrimLeft(rest, "`*_]) ")
		if text = strings.TrimLeft(next, ",;+&"); text == next {
			break
		}
		text = strings.TrimLeft(text, " ")
	}
	if out != nil {
		return out
	}
	for span := range strings.SplitSeq(text, "`") {
		if path := quotedPath(span); strings.Contains(path, "/") {
			return []string{path}
		}
	}
	return nil
}

// At returns the path that a text begins with, "" for none, and the text behind the path.
func At(text string) (path, rest string) {
	text = strings.TrimLeft(text, "*_[\"'")
	if inner, ok := strings.CutPrefix(text, "`"); ok {
		if end := strings.IndexByte(inner, '`'); end >= 0 {
			return quotedPath(inner[:end]), inner[end:]
		}
		text = inner
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !isPathRune(r) })
	if end < 0 {
		end = len(text)
	}
	path, rest = text[:end], text[end:]
	if strings.HasSuffix(path, ".") && strings.Contains(path, "/") {
		path = strings.TrimRight(path, ".")
	}
	path = unbalanced(path)
	if !delimited(rest) || !isPath(path) || !hasExtension(path) && !isPlainFolder(path, rest) {
		return "", ""
	}
	return path, rest
}

// quotedPath returns the path that a text in quotes is, without line numbers, or "" if it is
// none. A path may contain blanks, but a command in front of a path makes it none.
func quotedPath(s string) string {
	if i := strings.IndexByte(s, ':'); i > 1 && !strings.HasPrefix(s[i:], "://") && hasExtension(s[:i]) {
		s = s[:i] // line numbers
	}
	first, more, spaced := strings.Cut(s, " ")
	switch {
	case !isPath(s), strings.Contains(s, "://"), spaced && (!strings.Contains(first, "/") || !hasExtension(more)):
		return ""
	case !hasExtension(s) && !strings.Contains(s, "/"):
		return ""
	}
	return s
}

// isPath reports whether s contains letters and one of the characters ".", "/" and "\", as
// paths do.
func isPath(s string) bool {
	return strings.ContainsAny(s, "./\\") && strings.ContainsFunc(s, unicode.IsLetter) && !strings.EqualFold(s, "n/a")
}

func isPathRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.@~()+$/\\-", r)
}

// unbalanced returns a path without a ")" at its end that closes nothing in it.
func unbalanced(path string) string {
	for strings.HasSuffix(path, ")") && strings.Count(path, ")") > strings.Count(path, "(") {
		path = path[:len(path)-1]
	}
	return path
}

// delimited reports whether a word that ends before rest is complete: rest is empty or
// begins with a blank or punctuation.
func delimited(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r) || strings.ContainsRune("`*_]):,;\"'(|—–→-", r)
}

// hasExtension reports whether the last element of a path has an extension like that of a
// file.
func hasExtension(path string) bool {
	base := path[strings.LastIndexAny(path, "/\\")+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 || dot+1 == len(base) || len(base)-dot > 11 || !strings.ContainsFunc(base, unicode.IsLetter) {
		return false
	}
	for i, c := range []byte(base[dot+1:]) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if i == 0 || !scan.IsDigit(c) {
				return false
			}
		}
	}
	return dot == 0 || strings.ContainsFunc(base[:dot], unicode.IsLetter) || strings.Contains(path, "/")
}

// isPlainFolder reports whether a path without an extension is a folder, as "src/auth" is
// and "and/or" among words is not. rest is the text behind the path.
func isPlainFolder(path, rest string) bool {
	switch {
	case !strings.Contains(path, "/"):
		return false
	case strings.Count(path, "/") > 1, strings.HasSuffix(path, "/"), strings.HasPrefix(path, "."), strings.HasPrefix(path,
		"~"):
		return true
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return !unicode.IsLetter(r)
}
