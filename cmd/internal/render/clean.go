package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text safe to print: control characters are written ^X, invisible and private
// ones <U+XXXX>, and bytes that are not UTF-8 \xXX. Newlines and tabs stay. Clean does not
// change a text that is clean.
func Clean(text string) string {
	return clean(text, "\n\t")
}

// Path returns the name of a file or folder as one line that is safe to print. Unlike Line,
// it keeps blanks as they are.
func Path(name string) string { return clean(name, "") }

// Line returns text as one line that is safe to print, as Clean does. Each run of white
// space becomes one space, and white space at the ends is removed.
func Line(text string) string {
	return clean(strings.Join(strings.Fields(text), " "), "")
}

// clean makes text safe to print, as Clean describes. The control characters in keep stay
// as they are.
func clean(text, keep string) string {
	i := firstUnsafe(text, keep)
	if i < 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text[:i])
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case safe(r, keep):
			b.WriteString(text[i : i+size])
		case r < 0x80:
			b.WriteByte('^')
			b.WriteByte(byte(r) ^ 0x40)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
		i += size
	}
	return b.String()
}

// firstUnsafe returns the byte offset of the first character of text that is not safe to
// print, or -1 if all are safe.
func firstUnsafe(text, keep string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") || !safe(r, keep) {
			return i
		}
	}
	return -1
}

// safe reports whether a terminal shows r as itself, or r is one of the control characters
// in keep. unicode.IsGraphic is not enough: some marks and letters have no shape, and text
// can be smuggled in them.
func safe(r rune, keep string) bool {
	if r < 0x7F {
		return r >= ' ' || strings.IndexByte(keep, byte(r)) >= 0
	}
	return unicode.IsGraphic(r) && !unicode.Is(shapeless, r)
}

// shapeless are characters that are graphic by their class but have no shape: joiners,
// fillers and the variation selectors that ordinary text does not use.
var shapeless = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFE00, Hi: 0xFE0D, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1}},
}

// Untagged replaces each < that can begin a tag by a similar sign, so that a model does not
// take any of the text for markup of its own.
func Untagged(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if text[i] == '<' && (i+1 == len(text) || !strings.ContainsRune(" =-0123456789", rune(text[i+1]))) {
			b.WriteString("‹")
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
