package match

import (
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A Sketch is enough of a text to estimate how many lines it shares with another (bottom-k
// MinHash): the number of its file, the hash of the names of its file and project, and the
// smallest hashes of its lines, each line taken once. The sketch of a text of few lines has
// the hashes of all.
type Sketch struct {
	file  int64
	name  uint32
	lines []uint32
}

const sketchLines = 64

// sketchFunction implements handex_sketch(column...): the sketch of a text in the columns
// SearchedColumns.
func sketchFunction(args []any) (any, error) {
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = stringArg(arg)
	}
	return sketchOf(texts), nil
}

// nameHash returns the hash of the names of a file and its project, ignoring case.
func nameHash(name string) uint32 { return hashOf(strings.ToLower(name)) }

// sketchOf returns the sketch of a text as base64, without the number of its file. columns
// has the text, in the columns SearchedColumns.
func sketchOf(columns []string) string {
	var hashes []uint32
	name := ""
	for i, text := range columns {
		if i >= len(TextColumns) {
			name = text
			continue
		}
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				hashes = append(hashes, hashOf(line))
			}
		}
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	sketch := binary.LittleEndian.AppendUint32(nil, nameHash(name))
	for _, h := range hashes[:min(len(hashes), sketchLines)] {
		sketch = binary.LittleEndian.AppendUint32(sketch, h)
	}
	return base64.RawStdEncoding.EncodeToString(sketch)
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

// IsVersionOf reports whether two sketches are of two files that have the same name, in
// projects of the same name, and share almost all lines. A text without lines is no version.
func (s Sketch) IsVersionOf(other Sketch) bool {
	x, y := s.lines, other.lines
	if s.name != other.name || s.file == other.file || len(x) == 0 || len(y) == 0 {
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

// ParseSketch returns the sketch in a text: the number of a file, a blank, and what
// handex_sketch wrote. For any other text it returns an empty one.
func ParseSketch(text string) Sketch {
	number, rest, _ := strings.Cut(text, " ")
	file, err := strconv.ParseInt(number, 10, 64)
	b, err2 := base64.RawStdEncoding.DecodeString(rest)
	if err != nil || err2 != nil || len(b) < 4 {
		return Sketch{}
	}
	s := Sketch{file: file, name: binary.LittleEndian.Uint32(b)}
	for b = b[4:]; len(b) >= 4; b = b[4:] {
		s.lines = append(s.lines, binary.LittleEndian.Uint32(b))
	}
	return s
}
