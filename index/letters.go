package index

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// letter is what the manifests of company hand over: a text beside the folder of
// the manifest. One that no manifest names any more is a handoff of its own.
const letter = "discussion/[0-9][0-9][0-9]-*-response.md"

// letterRule returns the rule that takes a file of a folder as one; "" for others.
// Both are in lower case.
func letterRule(dir, name string) string {
	if strings.HasSuffix(dir, "/discussion") && doublestar.MatchUnvalidated(letter, "discussion/"+name) {
		return "pattern **/" + letter
	}
	return ""
}

// isHandedOver reports whether the file is a text that a manifest names. It is read
// with that, and would be found twice.
func (o *outcome) isHandedOver(now int64) bool {
	dir, name := filepath.Split(o.Path)
	dir = strings.ToLower(filepath.ToSlash(filepath.Clean(dir)))
	if letterRule(dir, strings.ToLower(name)) == "" {
		return false
	}
	for _, manifest := range []string{"../meta/handoff.yaml", "../meta/handoff-log.yaml", "../meta/handoff.yml", "../meta/handoff-log.yml"} {
		if data, err := o.neighbour(manifest, now); err == nil && bytes.Contains(data, []byte("discussion/"+name)) {
			return true
		}
	}
	return false
}
