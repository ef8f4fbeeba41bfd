package gitinfo

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's names of contents
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"path/filepath"
	"regexp"
	"unicode/utf16"

	"github.com/OWNER/handex/index/internal/fsx"
)

// hashes returns by what the repository may name contents: SHA-1, and SHA-256 unless its
// configuration does not set extensions.objectFormat. Whatever else has that key, git
// has no content of a name that is not one of its own.
func (w *WorkTree) hashes() []func() hash.Hash {
	config, err := fsx.ReadHead(filepath.Join(w.common, "config"), fsx.MaxFile)
	if err == nil && !bytes.Contains(bytes.ToLower(config), []byte("objectformat")) {
		return []func() hash.Hash{sha1.New}
	}
	return []func() hash.Hash{sha1.New, sha256.New}
}

// namesOf returns the names that git gives to a text: as it is, and with the line ends,
// the marks of ident and the encoding that git may have changed when it wrote it.
func namesOf(raw []byte, hashes []func() hash.Hash) []string {
	var names []string
	seen := map[string]bool{}
	for _, decoded := range [][]byte{raw, decodeUTF16(raw)} {
		plain := withoutCR(decoded)
		for _, data := range [][]byte{
			decoded, plain, identMark.ReplaceAll(decoded, ident),
			identMark.ReplaceAll(plain, ident),
		} {
			if seen[string(data)] {
				continue
			}
			seen[string(data)] = true
			for _, hash := range hashes {
				names = append(names, nameOf(hash(), data))
			}
		}
	}
	return names
}

// identMark is what git makes of ident where a file has that attribute.
var (
	identMark = regexp.MustCompile(`\$Id:[^$\n]*\$`)
	ident     = []byte("$$Id$$") // in the words of a replacement
)

// decodeUTF16 returns a text in UTF-8 if its first bytes say that it is in UTF-16.
func decodeUTF16(raw []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	case !bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		return raw
	}
	units := make([]uint16, len(raw)/2-1)
	for i := range units {
		units[i] = order.Uint16(raw[2*i+2:])
	}
	return []byte(string(utf16.Decode(units)))
}

func withoutCR(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// normalOf returns a text in UTF-8, with the line ends and the marks of ident that git
// keeps of one that has been added with such attributes.
func normalOf(raw []byte) []byte {
	return identMark.ReplaceAll(withoutCR(decodeUTF16(raw)), ident)
}

func nameOf(h hash.Hash, data []byte) string {
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data))
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// IsContent reports whether git would name a text so, or name it so after making
// its line ends the ones it keeps.
func IsContent(raw []byte, blob string) bool {
	name := func(data []byte) string { return nameOf(sha1.New(), data) } //nolint:gosec // git's names
	return name(raw) == blob || name(withoutCR(raw)) == blob
}
