package discover

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// letter is what the manifests of company hand over: a text beside the folder of
// the manifest. One that no manifest names any more is a handoff of its own.
const letter = "discussion/[0-9][0-9][0-9]-*-response.md"

// LetterRule returns the rule that takes a file of a folder as one; "" for others.
// Both are in lower case.
func LetterRule(dir, name string) string {
	if strings.HasSuffix(dir, "/discussion") && doublestar.MatchUnvalidated(letter, "discussion/"+name) {
		return "pattern **/" + letter
	}
	return ""
}
