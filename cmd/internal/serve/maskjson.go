package serve

import (
	"bytes"
	"encoding/json"

	"handex/cmd/internal/render"
)

// maskJSON masks each string of a JSON text by itself: what is masked cannot reach
// over its end, and all else stays as it is.
func maskJSON(text []byte, mask func(string) string) []byte {
	if mask == nil {
		return text
	}
	var out bytes.Buffer
	for len(text) > 0 {
		start := bytes.IndexByte(text, '"')
		if start < 0 {
			break
		}
		end := start + endOfString(text[start:])
		out.Write(text[:start])
		out.Write(maskString(text[start:end], mask))
		text = text[end:]
	}
	out.Write(text)
	return out.Bytes()
}

// endOfString is where the string that a text begins with ends.
func endOfString(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func maskString(literal []byte, mask func(string) string) []byte {
	var value string
	if err := json.Unmarshal(literal, &value); err != nil {
		return literal // it is none; whoever reads the text will say so
	}
	masked := mask(value)
	if masked == value {
		return literal
	}
	var out bytes.Buffer
	if err := render.JSON(&out, masked); err != nil {
		return literal
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
