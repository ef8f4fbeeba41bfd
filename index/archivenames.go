package index

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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
	if ext := discover.Extension(filepath.Base(s.Origin)); isExtension(ext) {
		c.name += ext
	}
	return c
}

// sidecar is the name of the sidecar of a content.
func (c *archived) sidecar() string { return c.key + "-" + c.sum + sidecarEnd }

// has reports whether a content has a digest, of which the index keeps the first half.
func (c *archived) has(sum string) bool { return sum != "" && strings.HasPrefix(c.sum, sum) }

// parseName returns the content that a name of the archive is of; rest is how it ends.
func parseName(name string) (c *archived, rest string, ok bool) {
	const length = keyLength + 1 + sumLength
	if len(name) < length || name[keyLength] != '-' {
		return nil, "", false
	}
	c, rest = &archived{key: name[:keyLength], sum: name[keyLength+1 : length], name: name}, name[length:]
	return c, rest, isHex(c.key) && isHex(c.sum) && (rest == sidecarEnd || isExtension(rest))
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


// errChecksum says that a file of the archive was changed.
var errChecksum = errors.New("checksum mismatch")

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

// list returns the names in the archive, and the contents that have a sidecar, by the
// key of their path.
func (a *archive) list() (names []string, contents map[string][]*archived, err error) {
	if names, err = fsx.ReadNames(a.Dir); err != nil {
		return nil, nil, err
	}
	described := map[string]bool{}
	for _, name := range names {
		described[name] = strings.HasSuffix(name, sidecarEnd)
	}
	contents = map[string][]*archived{}
	for _, name := range names {
		if c, rest, ok := parseName(name); ok && rest != sidecarEnd && described[c.sidecar()] {
			contents[c.key] = append(contents[c.key], c)
		}
	}
	return names, contents, nil
}
