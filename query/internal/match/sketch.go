package match

import (
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
)

// A Sketch is enough of a text to estimate how many lines it shares with another: the
// smallest hashes of its lines, each line taken once (bottom-k MinHash). Of a text of few
// lines it has all.
type Sketch []uint32

const sketchLines = 64

// sketchFunction implements handex_sketch(column...), the columns being TextColumns.
func sketchFunction(args []any) (any, error) {
	var hashes []uint32
	for _, arg := range args {
		for line := range strings.SplitSeq(stringArg(arg), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				hashes = append(hashes, hashOf(line))
			}
		}
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	var sketch []byte
	for _, h := range hashes[:min(len(hashes), sketchLines)] {
		sketch = binary.LittleEndian.AppendUint32(sketch, h)
	}
	return base64.RawStdEncoding.EncodeToString(sketch), nil
}

// hashOf returns a hash whose every bit depends on every byte, so that the smallest
// hashes are a fair sample. It is the same in each run: maphash is not.
func hashOf(s string) uint32 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(len(s)) * prime
	for ; len(s) >= 8; s = s[8:] {
		chunk := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = bits.RotateLeft64((h^chunk)*prime, 29)
	}
	for i := range len(s) {
		h = bits.RotateLeft64((h^uint64(s[i]))*prime, 29)
	}
	h = (h ^ h>>32) * prime
	return uint32(h >> 32)
}

// alikeShare is the share of lines, of those that either text has, from which two texts
// are versions of one.
const alikeShare = 0.8

// IsAlike reports whether two texts share almost all lines. A text without lines shares
// none.
func (x Sketch) IsAlike(y Sketch) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	// The sample is the smallest hashes of both together; each sketch has its own.
	both, all := 0, 0
	for i, j := 0, 0; all < sketchLines && (i < len(x) || j < len(y)); all++ {
		switch {
		case j == len(y) || i < len(x) && x[i] < y[j]:
			i++
		case i == len(x) || y[j] < x[i]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	return float64(both) >= alikeShare*float64(all)
}

// ParseSketch reads a sketch that handex_sketch wrote; anything else is an empty one.
func ParseSketch(text string) (s Sketch) {
	b, err := base64.RawStdEncoding.DecodeString(text)
	for ; err == nil && len(b) >= 4; b = b[4:] {
		s = append(s, binary.LittleEndian.Uint32(b))
	}
	return s
}
