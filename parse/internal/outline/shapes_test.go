package outline_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/parsetest"
	"github.com/OWNER/handex/parse/internal/source"
)

// A shape is what a test expects of an outline, in the notation of show.
type shape struct {
	head     string
	fields   []string
	sections []string
	problems []string
}

// show writes an outline in one line for a field (`key = "value"`, `= null`,
// `= [item | item]`), "key: body" for a section, "severity rule:line message"
// for a problem.
func show(o outline.Outline) shape {
	s := shape{head: o.Head}
	for _, f := range o.Fields {
		value := fmt.Sprintf("%q", f.Value)
		if f.List != nil {
			value = "[" + strings.Join(f.List, " | ") + "]"
		}
		if f.Null {
			value = "null"
		}
		s.fields = append(s.fields, f.Key+" = "+value)
	}
	for _, sec := range o.Sections {
		s.sections = append(s.sections, sec.Key+": "+sec.Body)
	}
	for _, p := range o.Problems {
		s.problems = append(s.problems, fmt.Sprintf("%s %s:%d %s", p.Severity, p.Rule, p.Line, p.Message))
	}
	return s
}

type shapeCase struct {
	name, text string
	want       shape
}

func checkShapes(t *testing.T, read func(string) outline.Outline, cases []shapeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := read(c.text)
			if diff := cmp.Diff(c.want, show(o), cmp.AllowUnexported(shape{})); diff != "" {
				t.Error(diff)
			}
			checkPlaces(t, c.text, o)
		})
	}
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkPlaces fails where an outline's places are not in the text or not in
// its order.
func checkPlaces(t failer, text string, o outline.Outline) {
	t.Helper()
	span := func(what string, s source.Span) {
		t.Helper()
		if s.Start < 0 || s.End < s.Start || s.End > len(text) {
			t.Fatalf("%s: span %v is outside of %d bytes", what, s, len(text))
		}
		line := 1 + strings.Count(text[:s.Start], "\n")
		last := line + strings.Count(strings.TrimSuffix(text[s.Start:s.End], "\n"), "\n")
		if s.Line != line || s.EndLine != last {
			t.Fatalf("%s: span %v is on lines %d to %d", what, s, line, last)
		}
	}
	pos := 0
	for _, f := range o.Fields {
		span("field "+f.Key, f.Span)
		if f.Span.Start < pos {
			t.Fatalf("field %s at %v stands before %d", f.Key, f.Span, pos)
		}
		pos = f.Span.Start
	}
	pos = 0
	for _, s := range o.Sections {
		span("section "+s.Key, s.Span)
		if s.Span.Start < pos {
			t.Fatalf("section %s at %v stands before %d", s.Key, s.Span, pos)
		}
		pos = s.Span.End
		if n := strings.Count(s.Body, "\n") + 1; s.Body != "" && n != len(s.Lines) {
			t.Fatalf("section %s has %d lines, and places for %d", s.Key, n, len(s.Lines))
		}
		for _, n := range s.Lines {
			if n < s.Span.Line || n > s.Span.EndLine {
				t.Fatalf("section %s at %v holds line %d: %q %+v", s.Key, s.Span, n, text, s)
			}
		}
	}
	if o.HeadEnd < 0 || o.HeadEnd > len(text) {
		t.Fatalf("head ends at %d of %d", o.HeadEnd, len(text))
	}
	for _, p := range o.Problems {
		if p.Rule == "" || p.Message == "" || p.Line < 0 || p.Line > 1+strings.Count(text, "\n") {
			t.Fatalf("odd problem %+v", p)
		}
	}
}

var longWord = regexp.MustCompile(`[A-Za-z]{6,}`)

// checkWords fails where a word of the text is in no part of the outline. The
// keys of the entries that head a list item are left out by design, and so is
// the XML declaration.
func checkWords(t failer, text string, o outline.Outline) {
	t.Helper()
	kept := []string{o.Head, "description summary version encoding standalone"}
	kept = append(kept, o.Roots...)
	for _, f := range o.Fields {
		kept = append(kept, f.Key, f.Value)
	}
	for _, s := range o.Sections {
		kept = append(kept, s.Key, s.Body)
	}
	all := strings.Join(kept, "\n")
	for _, w := range longWord.FindAllString(text, -1) {
		if !strings.Contains(all, w) {
			t.Fatalf("the word %q of\n%s\nis lost: %+v", w, text, o)
		}
	}
}

// checkMutants reads mutants of each text, at least 500 in all.
func checkMutants(t *testing.T, read func(string) outline.Outline, signs string, texts ...string) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		for i := range max(6, 2*len(texts)) {
			text := parsetest.Mutant(t, texts[i%len(texts)], signs)
			o := read(text)
			checkPlaces(t, text, o)
			checkWords(t, text, o)
		}
	})
}

// checkQuick reads texts made to be slow. The bound is far above what they
// take (under 0.4 s) and far below what a quadratic reader would.
func checkQuick(t *testing.T, read func(string) outline.Outline, texts map[string]string) {
	t.Helper()
	bound := 5 * time.Second // what is quadratic takes longer
	for name, text := range texts {
		start := time.Now()
		o := read(text)
		if took := time.Since(start); took > bound {
			t.Errorf("%s: %d bytes took %s", name, len(text), took)
		}
		checkPlaces(t, text, outline.Outline{HeadEnd: o.HeadEnd, Problems: o.Problems})
	}
}

// filled repeats a piece up to a size.
func filled(piece string, size int) string { return strings.Repeat(piece, size/len(piece)) }

// numbered is the lines made of a format, up to a size.
func numbered(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

const (
	mebi = 1 << 20
	// yamlSize stays under the limit of what is read as YAML.
	yamlSize = 250 << 10
)

func fuzzShape(f *testing.F, read func(string) outline.Outline, seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
		checkPlaces(t, text, read(text))
	})
}
