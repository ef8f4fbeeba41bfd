package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"handex/index"
)

// JSON writes any value on one line, its keys as its tags say.
func JSON(w io.Writer, value any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	_, err := w.Write(escape(b.Bytes()))
	return err
}

// escape writes what is not safe to print as \u: in JSON it can only stand
// inside strings, which stay the same.
func escape(text []byte) []byte {
	if firstUnsafe(string(text), "\n") < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case safe(r, "\n"):
			out = append(out, text[i:i+size]...)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
		i += size
	}
	return out
}

// AnswerJSON writes the answer as one object: query, totals, hits.
func AnswerJSON(w io.Writer, a Answer) error {
	e, err := a.envelope()
	if err != nil {
		return err
	}
	hits := make([]any, len(a.Rows))
	for i, r := range a.Rows {
		if hits[i], err = a.wireRow(r); err != nil {
			return err
		}
	}
	e.Hits = &hits
	return JSON(w, e)
}

// count is the JSON of a count.
type count struct {
	Schema int       `json:"schema"`
	Query  queryInfo `json:"query"`
	Total  int       `json:"total"`
}

// CountJSON writes how many handoffs a query found as one object.
func CountJSON(w io.Writer, a Answer, total int) error {
	return JSON(w, count{Schema, a.queryInfo(), total})
}

// reported is the JSON of a report.
type reported struct {
	Schema int       `json:"schema"`
	Query  queryInfo `json:"query"`
	Index  indexInfo `json:"index"`
	Report any       `json:"report"`
}

// EnvelopeJSON writes a report as one object: the query it is restricted to and what
// the index is like, as of an answer, and the report.
func EnvelopeJSON(w io.Writer, a Answer, report any) error {
	return JSON(w, reported{Schema, a.queryInfo(), a.indexInfo(), report})
}

// AnswerJSONL writes an object a line: a "hit" each, and last a "summary",
// which is the answer without its hits.
func AnswerJSONL(w io.Writer, a Answer) error {
	for _, r := range a.Rows {
		hit, err := a.wireRow(r)
		if err != nil {
			return err
		}
		switch h := hit.(type) {
		case Wire:
			hit = typed{"hit", h}
		case object:
			hit = append(object{{"type", "hit"}}, h...)
		}
		if err := JSON(w, hit); err != nil {
			return err
		}
	}
	e, err := a.envelope()
	if err != nil {
		return err
	}
	e.Type = "summary"
	return JSON(w, e)
}

// HitJSONL writes one hit as AnswerJSONL does.
func HitJSONL(w io.Writer, h index.Hit) error { return JSON(w, typed{"hit", WireHit(h)}) }

// typed is a hit on a line of its own.
type typed struct {
	Type string `json:"type"`
	Wire
}

// handoff is the JSON of show.
type handoff struct {
	Schema int `json:"schema"`
	Wire
}

// HandoffJSON writes all that is known of a handoff as one object.
func HandoffJSON(w io.Writer, h Wire) error {
	return JSON(w, handoff{Schema, h})
}
