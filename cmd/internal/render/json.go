package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// Schema is the version of the JSON that commands write. Within a version, members are only
// added.
const Schema = 1

// JSON writes any value as JSON on one line. Characters that are not safe to print are
// escaped.
func JSON(w io.Writer, value any) error {
	e := newEncoder()
	if err := e.encode(value); err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	e.text.WriteByte('\n')
	_, err := w.Write(escape(e.text.Bytes()))
	return err
}

// escape replaces characters that are not safe to print by \u escapes. In JSON they can
// only be inside strings, whose values stay the same.
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

// object is a JSON object whose members keep their order. Left out are members whose value
// is an empty text, list or map, a zero time or fraction, or nil; whole numbers and
// booleans are written unless they are passed through nonzero. Times are written in UTC.
type object []member

// member is a name and a value of an object.
type member struct {
	name  string
	value any
}

// always is a value that is written even if it is empty.
type always struct{ value any }

// MarshalJSON returns the object as JSON, so that json can encode objects inside other
// values.
func (o object) MarshalJSON() ([]byte, error) {
	e := newEncoder()
	err := e.object(o)
	return e.text.Bytes(), err
}

// An encoder writes values as JSON without spaces: objects itself, other values with json.
type encoder struct {
	text  bytes.Buffer
	other *json.Encoder
}

func newEncoder() *encoder {
	e := &encoder{}
	e.other = json.NewEncoder(&e.text)
	e.other.SetEscapeHTML(false)
	return e
}

// encode appends a value as JSON. It writes objects itself, as package json would encode
// each again for every object around it.
func (e *encoder) encode(value any) error {
	switch v := value.(type) {
	case object:
		return e.object(v)
	case []object:
		e.text.WriteByte('[')
		for i, o := range v {
			if i > 0 {
				e.text.WriteByte(',')
			}
			if err := e.object(o); err != nil {
				return err
			}
		}
		e.text.WriteByte(']')
		return nil
	case time.Time:
		value = v.UTC()
	case date:
		value = v.UTC()
	}
	if err := e.other.Encode(value); err != nil {
		return err
	}
	e.text.Truncate(e.text.Len() - 1) // the newline
	return nil
}

// object appends an object as JSON, without the members that are empty.
func (e *encoder) object(o object) error {
	e.text.WriteByte('{')
	first := true
	for _, m := range o {
		if kept, ok := m.value.(always); ok {
			m.value = kept.value
		} else if isEmpty(m.value) {
			continue
		}
		if !first {
			e.text.WriteByte(',')
		}
		first = false
		if err := e.encode(m.name); err != nil {
			return err
		}
		e.text.WriteByte(':')
		if err := e.encode(m.value); err != nil {
			return err
		}
	}
	e.text.WriteByte('}')
	return nil
}

// isEmpty reports whether an object leaves out a member with this value.
func isEmpty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []object:
		return len(v) == 0
	case float64:
		return v == 0
	case interface{ IsZero() bool }:
		return v.IsZero()
	}
	switch v := reflect.ValueOf(value); v.Kind() { //nolint:exhaustive // the others are never empty
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil()
	default:
		return false
	}
}

// nonzero returns value, or nil if it is the zero value of its type, so that an object
// leaves it out.
func nonzero[T comparable](value T) any {
	var zero T
	if value == zero {
		return nil
	}
	return value
}

// Each returns the results of f for the items of a list, nil for an empty list.
func Each[A, B any](list []A, f func(A) B) []B {
	out := slices.Grow([]B(nil), len(list))
	for _, a := range list {
		out = append(out, f(a))
	}
	return out
}

// all returns the results of f for the items of a list, as a value that an object writes
// even if it is empty.
func all[A, B any](list []A, f func(A) B) always { return always{append([]B{}, Each(list, f)...)} }
