package index

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"handex/index/internal/discover"
	"handex/index/internal/fsx"
)

const (
	sidecarEnd = ".origin.json"
	maxSidecar = 64 << 10
	temporary  = ".new-"

	keyLength, sumLength = 16, 64
)

// An archived is a content of the archive, by its name: the key of the path it was
// at, its SHA-256, and the extension it had.
type archived struct {
	key, sum, name string
	size           int64
	mtime          int64   // of the copy, in nanoseconds
	written        int64   // nanoseconds, as the index has it
	about          sidecar // once it was read
}

// newArchived names a content. The extension is left out unless it is a plain one.
func newArchived(s sidecar) *archived {
	c := &archived{key: originKey(s.Origin), sum: s.SHA256}
	c.name = c.key + "-" + c.sum
	if ext := discover.Extension(filepath.Base(s.Origin)); ext != sidecarEnd && isExtension(ext) {
		c.name += ext
	}
	return c
}

// sidecar is the name of the sidecar of a content.
func (c *archived) sidecar() string { return c.key + "-" + c.sum + sidecarEnd }

// has reports whether a content has a digest, of which the index keeps the first half.
func (c *archived) has(sum string) bool { return sum != "" && strings.HasPrefix(c.sum, sum) }

// cutName takes a name of the archive apart; rest is how it ends.
func cutName(name string) (key, sum, rest string, ok bool) {
	const length = keyLength + 1 + sumLength
	if len(name) < length || name[keyLength] != '-' {
		return "", "", "", false
	}
	key, sum, rest = name[:keyLength], name[keyLength+1:length], name[length:]
	return key, sum, rest, isHex(key) && isHex(sum) && (rest == sidecarEnd || isExtension(rest))
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// isExtension reports whether the end of a name is none, or a dot, letters and digits.
func isExtension(ext string) bool {
	if ext == "" {
		return true
	}
	return ext[0] == '.' && len(ext) > 1 && len(ext) < 14 && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// originKey is how names in the archive begin of what was at a path.
func originKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:keyLength/2])
}

// readSidecar reads what is known of a content.
func readSidecar(path string) (sidecar, error) {
	text, err := fsx.ReadHead(path, maxSidecar)
	if err != nil {
		return sidecar{}, err
	}
	var s sidecar
	if err := json.Unmarshal(text, &s); err != nil {
		return sidecar{}, fmt.Errorf("%s: %w", path, err)
	}
	if !filepath.IsAbs(s.Origin) || s.Origin != filepath.Clean(s.Origin) {
		return sidecar{}, fmt.Errorf("%s: origin %q is no absolute path", path, s.Origin)
	}
	return s, nil
}

// describe reads the sidecar of a content, once.
func (a *archive) describe(c *archived) error {
	if c.about.Origin != "" {
		return nil
	}
	s, err := readSidecar(a.path(c.sidecar()))
	if err == nil && originKey(s.Origin) != c.key {
		err = errChecksum
	}
	if err == nil {
		s.SHA256 = c.sum
		c.about = s
	}
	return err
}

// stat fills in what the disk says of a content, and reports whether there is one: a
// crash can leave an empty file. One that cannot be looked at counts as there.
func (a *archive) stat(c *archived) bool {
	st, err := fsx.Lstat(a.path(c.name))
	c.size, c.mtime = st.Size, st.MtimeNS
	return err == nil && st.Size > 0 || err != nil && !fsx.Vanished(err)
}

func (a *archive) readNames() ([]string, error) { return fsx.ReadNames(a.Dir) }

// pairNames lists the contents that have a sidecar, by the key of their path.
func pairNames(names []string) map[string][]*archived {
	described := map[string]bool{}
	for _, name := range names {
		described[name] = strings.HasSuffix(name, sidecarEnd)
	}
	list := map[string][]*archived{}
	for _, name := range names {
		key, sum, rest, ok := cutName(name)
		if c := (&archived{key: key, sum: sum, name: name}); ok && rest != sidecarEnd && described[c.sidecar()] {
			list[key] = append(list[key], c)
		}
	}
	return list
}
