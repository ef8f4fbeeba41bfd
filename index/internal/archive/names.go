package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/OWNER/handex/index/internal/discover"
	"github.com/OWNER/handex/index/internal/fsx"
)

const (
	sidecarEnd = ".origin.json"
	maxSidecar = 64 << 10
	temporary  = ".new-"

	keyLength, sumLength = 16, 64
)

// A Content is a content of the archive. Its name consists of the key of the path it was at, its
// SHA-256, and the extension of the file.
type Content struct {
	key, Sum, Name string
	size           int64
	Mtime          int64   // of the copy, in nanoseconds
	Written        int64   // nanoseconds, as the index has it
	About          Sidecar // once it was read
}

// newContent returns the content that s describes, with its name. The extension is left out unless
// it is a plain one.
func newContent(s Sidecar) *Content {
	c := &Content{key: Key(s.Origin), Sum: s.SHA256}
	c.Name = c.key + "-" + c.Sum
	if ext := discover.Extension(filepath.Base(s.Origin)); isExtension(ext) {
		c.Name += ext
	}
	return c
}

// sidecar returns the name of the content's sidecar.
func (c *Content) sidecar() string { return c.key + "-" + c.Sum + sidecarEnd }

// Has reports whether the content's digest begins with sum: the index keeps the first half of
// digests.
func (c *Content) Has(sum string) bool { return sum != "" && strings.HasPrefix(c.Sum, sum) }

// ParseName returns the content that a name in the archive belongs to; rest is the end of the name,
// after the digest. ok is false if it is not the name of a content or sidecar.
func ParseName(name string) (c *Content, rest string, ok bool) {
	const length = keyLength + 1 + sumLength
	if len(name) < length || name[keyLength] != '-' {
		return nil, "", false
	}
	c, rest = &Content{key: name[:keyLength], Sum: name[keyLength+1 : length], Name: name}, name[length:]
	return c, rest, isHex(c.key) && isHex(c.Sum) && (rest == sidecarEnd || isExtension(rest))
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// isExtension reports whether ext is empty, or a dot and then letters and digits.
func isExtension(ext string) bool {
	if ext == "" {
		return true
	}
	return ext[0] == '.' && len(ext) > 1 && len(ext) < 14 &&
		strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// Key returns the beginning of the names of contents that were at path.
func Key(path string) string {
	return fsx.ContentSum([]byte(path))[:keyLength]
}

// ErrChecksum says that a file of the archive was changed.
var ErrChecksum = errors.New("checksum mismatch")

// readJSON reads the JSON file at path into to. It reads no more than most bytes.
func readJSON(path string, most int64, to any) error {
	text, err := fsx.ReadHead(path, most)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readSidecar reads the sidecar at path and checks that its origin is an absolute path.
func readSidecar(path string) (Sidecar, error) {
	var s Sidecar
	if err := readJSON(path, maxSidecar, &s); err != nil {
		return Sidecar{}, err
	}
	if !filepath.IsAbs(s.Origin) || s.Origin != filepath.Clean(s.Origin) {
		return Sidecar{}, fmt.Errorf("%s: origin %q is not an absolute path", path, s.Origin)
	}
	return s, nil
}

// Describe reads the sidecar of c into c.About, unless that was done before.
func (a *Archive) Describe(c *Content) error {
	if c.About.Origin != "" {
		return nil
	}
	s, err := readSidecar(a.Path(c.sidecar()))
	if err == nil && Key(s.Origin) != c.key {
		err = ErrChecksum
	}
	if err == nil {
		s.SHA256 = c.Sum
		c.About = s
	}
	return err
}

// Stat sets the size and time of c from the disk, and reports whether its file exists and is not
// empty: a crash can leave an empty file. A file whose state cannot be read counts as existing.
func (a *Archive) Stat(c *Content) bool {
	st, err := fsx.Lstat(a.Path(c.Name))
	c.size, c.Mtime = st.Size, st.MtimeNS
	return err == nil && st.Size > 0 || err != nil && !fsx.Vanished(err)
}

// List returns the names in the archive, and the contents that have a sidecar, by the key of their
// path. It is an error if others can write to the archive: they could put words into the index.
func (a *Archive) List() (names []string, contents map[string][]*Content, err error) {
	if err := fsx.CheckPrivate(a.Dir); err != nil && !fsx.Vanished(err) {
		return nil, nil, err
	}
	if names, err = fsx.ReadNames(a.Dir); err != nil {
		return nil, nil, err
	}
	described := map[string]bool{}
	for _, name := range names {
		described[name] = strings.HasSuffix(name, sidecarEnd)
	}
	contents = map[string][]*Content{}
	for _, name := range names {
		if c, rest, ok := ParseName(name); ok && rest != sidecarEnd && described[c.sidecar()] {
			contents[c.key] = append(contents[c.key], c)
		}
	}
	return names, contents, nil
}
