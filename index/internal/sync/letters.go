package sync

import (
	"bytes"
	"path/filepath"
	"strings"

	"handex/index/internal/discover"
)

// isHandedOver reports whether the file is a text that a manifest names. It is read
// with that, and would be found twice.
func (o *outcome) isHandedOver(now int64) bool {
	dir, name := filepath.Split(o.Path)
	dir = strings.ToLower(filepath.ToSlash(filepath.Clean(dir)))
	if discover.LetterRule(dir, strings.ToLower(name)) == "" {
		return false
	}
	for _, manifest := range []string{"../meta/handoff.yaml", "../meta/handoff-log.yaml", "../meta/handoff.yml", "../meta/handoff-log.yml"} {
		if data, err := o.neighbour(manifest, now); err == nil && bytes.Contains(data, []byte("discussion/"+name)) {
			return true
		}
	}
	return false
}
