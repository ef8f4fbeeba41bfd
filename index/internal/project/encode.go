package project

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// EncodeV2 returns the name of the handoff folder of a project folder as contract
// version 2 does: `sed 's/[^a-zA-Z0-9-]/-/g'` in a UTF-8 locale, byte for byte. A
// character of several bytes becomes one dash; a newline and bytes that are no
// character stay, as sed does not match them. Several folders can have one name, so a
// name is never decoded.
func EncodeV2(path string) string {
	return encode(path, func(r rune, size int) (dashes int) {
		if r == '\n' || r == utf8.RuneError && size == 1 {
			return 0
		}
		return 1
	})
}

// EncodeV1 is like EncodeV2 for contract version 1: `tr '/.' '-'`.
func EncodeV1(path string) string {
	return strings.NewReplacer("/", "-", ".", "-").Replace(path)
}

// encodeBytes is like EncodeV2 in the C locale: one dash for each byte.
func encodeBytes(path string) string {
	return encode(path, func(r rune, size int) int {
		if r == '\n' {
			return 0
		}
		return size
	})
}

// encodeUTF16 encodes a path as JavaScript programs do: one dash for each unit of
// UTF-16, newlines too.
func encodeUTF16(path string) string {
	return encode(path, func(r rune, _ int) int { return utf16.RuneLen(r) })
}

// encode replaces what is not a letter, digit or dash of ASCII by as many dashes
// as fold returns for a rune and its size in bytes; with 0 it stays.
func encode(path string, fold func(r rune, size int) (dashes int)) string {
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if dashes := fold(r, size); isPlain(r) || dashes == 0 {
			b.WriteString(path[i : i+size])
		} else {
			b.WriteString("----"[:dashes])
		}
		i += size
	}
	return b.String()
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
}

// Encodings returns the names that path has had in folders of handoffs and of
// transcripts, each once.
func Encodings(path string) []string {
	names := []string{EncodeV2(path)}
	for _, name := range []string{EncodeV1(path), encodeBytes(path), encodeUTF16(path)} {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
