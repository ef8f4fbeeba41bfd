package index

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// EncodeV2 names the handoff folder of a project folder as contract version 2
// does: `sed 's/[^a-zA-Z0-9-]/-/g'` in a UTF-8 locale, byte for byte. A
// character of several bytes becomes one dash; a newline and bytes that are no
// character stay, as sed does not match them. Several folders can have one
// name, so a name is never decoded.
func EncodeV2(path string) string {
	return encode(path, func(s string, r rune, size int) (width, dashes int) {
		switch {
		case r == '\n':
			return 1, 0
		case r != utf8.RuneError || size > 1:
			return size, 1
		}
		if width = longForm(s); width > 0 {
			return width, 1
		}
		return 1, 0
	})
}

// EncodeV1 is EncodeV2 for contract version 1: `tr '/.' '-'`.
func EncodeV1(path string) string {
	return strings.NewReplacer("/", "-", ".", "-").Replace(path)
}

// encodeBytes is EncodeV2 in the C locale: one dash for each byte.
func encodeBytes(path string) string {
	return encode(path, func(_ string, r rune, size int) (int, int) {
		if r == '\n' {
			return 1, 0
		}
		return size, size
	})
}

// encodeUTF16 is how JavaScript programs encode: one dash for each unit of
// UTF-16, newlines too.
func encodeUTF16(path string) string {
	return encode(path, func(_ string, r rune, size int) (int, int) { return size, utf16.RuneLen(r) })
}

// encode replaces what is not a letter, digit or dash of ASCII. fold is asked
// about the rest of the path, whose first rune is r: how many bytes to take,
// and how many dashes to put for them; 0 keeps them.
func encode(path string, fold func(rest string, r rune, size int) (width, dashes int)) string {
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		width, dashes := fold(path[i:], r, size)
		if isPlain(r) || dashes == 0 {
			b.WriteString(path[i : i+width])
		} else {
			b.WriteString("----"[:dashes])
		}
		i += width
	}
	return b.String()
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
}

// longForm returns the length of the character beyond Unicode that s begins
// with, or 0: the C library still reads the UTF-8 of 1993, up to 6 bytes.
func longForm(s string) int {
	var size int
	var least byte // of the second byte: less is an overlong form
	switch first := s[0]; {
	case first == 0xf4:
		size, least = 4, 0x90
	case first >= 0xf5 && first <= 0xf7:
		size, least = 4, 0x80
	case first == 0xf8:
		size, least = 5, 0x88
	case first > 0xf8 && first <= 0xfb:
		size, least = 5, 0x80
	case first == 0xfc:
		size, least = 6, 0x84
	case first == 0xfd:
		size, least = 6, 0x80
	}
	if size == 0 || len(s) < size || s[1] < least {
		return 0
	}
	for _, b := range []byte(s[1:size]) {
		if b&0xc0 != 0x80 {
			return 0
		}
	}
	return size
}

// encodings returns the names that path has had in folders of handoffs and of
// transcripts, each once.
func encodings(path string) []string {
	names := []string{EncodeV2(path)}
	for _, name := range []string{EncodeV1(path), encodeBytes(path), encodeUTF16(path)} {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
