package parse

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// Parse returns the handoffs in one file: one for most files, one per dated entry for a
// rolling log, never none. It never fails: what is wrong with the file is in the documents'
// Problems, and every word of it is in some document's Head, Sections or Fields. The same
// Source gives the same documents.
//
// It reads at most 4 MiB of text, 1 MiB of structure; parsing takes time linear in the size
// whatever the bytes are.
func Parse(src Source) []*Document {
	if src.Zone == nil {
		src.Zone = time.UTC
	}
	r := &reader{src: src, dec: source.Decode(src.Bytes)}
	r.text, r.lines = r.dec.Text, r.dec.Lines
	if r.format = formatNamed(src.Format); r.format == nil {
		r.format = formatOf(src.Path, r.text)
	}
	docs := r.documents()
	r.markEscalations(docs)
	for i, d := range docs {
		d.Entry = i
		if i == 0 {
			d.Problems = append(r.dec.Problems, d.Problems...)
		}
		if src.Strict {
			d.raise()
		}
		slices.SortStableFunc(d.Problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Line, b.Line))
		})
		r.toFile(d)
	}
	return docs
}

// A reader is the state of reading one file, shared by all steps. Its offsets are those of
// the decoded text.
type reader struct {
	src    Source
	dec    *source.Decoded
	text   string
	lines  source.Lines
	format *format
	// heading is the title of the document in the making.
	heading string
	rest    int // where the text behind the frontmatter starts
}

// documents returns the documents of the file, at least one: past handoffs of a log, records
// of JSON, dated entries, or the file as a whole.
func (r *reader) documents() []*Document {
	if strings.TrimSpace(r.text) == "" {
		d := r.document(outline.Outline{}, entry{})
		d.Problems = append(d.Problems, source.NewProblem("text.empty", Span{}, "the file is empty"))
		return []*Document{d}
	}
	o := r.outline()
	docs := r.pastHandoffs(o)
	if docs == nil && r.format.shape == JSON {
		docs = r.records(o)
	}
	if docs != nil {
		return docs
	}
	for _, e := range r.entries(o) {
		docs = append(docs, r.document(e.outline(o), e))
	}
	return docs
}

// outline reads the text in the format's shape; frontmatter may be before XML and Markdown.
func (r *reader) outline() outline.Outline {
	switch r.format.shape {
	case YAML:
		return outline.ReadYAMLFrom(r.text, 0, r.lines)
	case JSON:
		return outline.ReadJSON(r.text)
	}
	front, rest := r.frontmatter()
	r.rest = rest
	if r.format.shape != XML {
		return joined(front, outline.ReadMarkdown(r.text, rest, r.lines))
	}
	o := outline.ReadXML(r.text, rest, r.lines, func(tag string) bool {
		return r.format.kinds[scan.NormalKey(tag)] != "" || topic.Exact(tag) != Other
	})
	o.Sections = r.splitTags(o.Sections)
	return joined(front, o)
}

// splitTags returns the sections of an XML text, each followed by sections for the Markdown
// headings in its body.
func (r *reader) splitTags(sections []outline.Section) []outline.Section {
	var out []outline.Section
	for _, s := range sections {
		if len(s.Lines) == 0 || !scan.HasLinePrefix(s.Body, "#") {
			out = append(out, s)
			continue
		}
		lines := source.NewLines(s.Body)
		inner := outline.ReadMarkdown(s.Body, 0, lines)
		if len(inner.Sections) > 0 {
			first := s.Lines[min(inner.Sections[0].Span.Line, len(s.Lines))-1]
			s.Body = s.Body[:inner.HeadEnd]
			s.Span.EndLine = max(s.Span.Line, first-1)
			s.Span.End = r.linesSpan(s.Span.EndLine, s.Span.EndLine).End
		}
		out = append(out, s)
		for _, in := range inner.Sections {
			out = append(out, r.placed(in, s.Lines, lines.Line(in.Span.End-len(in.Body))))
		}
	}
	return out
}

// placed returns a section of an element with its line numbers changed from those of
// the element to those of the text. lines maps them; the body starts on line first of
// the element, from 1.
func (r *reader) placed(s outline.Section, lines []int, first int) outline.Section {
	at := func(line int) int { return lines[min(line, len(lines))-1] }
	if s.Body != "" {
		s.Lines = lines[min(first, len(lines))-1 : min(s.Span.EndLine, len(lines))]
	}
	s.Span = r.linesSpan(at(s.Span.Line), at(s.Span.EndLine))
	return s
}

// frontmatter returns the outline of the YAML block that the text begins with, and the
// offset of the text behind it. A "---" that no line of keys follows is a rule, not a block:
// the outline is empty then.
func (r *reader) frontmatter() (outline.Outline, int) {
	start := len(r.text) - len(strings.TrimLeft(r.text, " \t\n"))
	body := scan.LineEnd(r.text, start)
	if strings.TrimRight(r.text[start:body], " \t\n") != "---" {
		return outline.Outline{}, 0
	}
	end, next, closed := frontmatterEnd(r.text, body)
	if end == body {
		return outline.Outline{}, 0
	}
	o := outline.ReadYAMLFrom(r.text[:end], body, r.lines)
	if !closed {
		o.Problems = append(o.Problems, source.NewProblem("frontmatter.unclosed",
			r.lines.Content(r.text, r.lines.Line(start)), "the frontmatter is never closed"))
	}
	return o, next
}

// frontmatterEnd returns where the YAML block that begins at offset body ends, where the
// text behind it begins, and whether a marker closes the block. An unclosed block ends at
// the first heading below its keys. If there is no block, end is body.
func frontmatterEnd(text string, body int) (end, next int, closed bool) {
	hasKeys := false
	for at := body; at < len(text); at = next {
		next = scan.LineEnd(text, at)
		line := strings.TrimRight(text[at:next], "\n \t")
		isHeading := strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "## ")
		switch _, isKey := scan.PlainKey(line, 0); {
		case isKey:
			hasKeys = true
		case !hasKeys && (isHeading || line != "" && !strings.HasPrefix(line, "#")):
			return body, body, false
		case outline.IsMarker(line):
			return at, next, true
		case isHeading:
			return at, at, false
		}
	}
	return body, body, false
}

// joined returns outline o with the fields, problems, sections and head of the frontmatter
// added.
func joined(front, o outline.Outline) outline.Outline {
	o.Fields = append(front.Fields, o.Fields...)
	o.Problems = append(front.Problems, o.Problems...)
	o.Front = front.Sections
	o.Head = withLine(front.Head, o.Head)
	return o
}

// markEscalations sets the Escalations of each document: its lines that contain
// EscalationSignal. If only the undecoded bytes of the file contain the signal, the first
// document gets it as line 0.
func (r *reader) markEscalations(docs []*Document) {
	found := false
	for _, d := range docs {
		for at := d.Span.Start; at < d.Span.End; at = scan.LineEnd(r.text, at) {
			i := strings.Index(r.text[at:d.Span.End], EscalationSignal)
			if i < 0 {
				break
			}
			at, found = at+i, true
			line := r.text[scan.LineStart(r.text, at):scan.LineEnd(r.text, at)]
			d.Escalations = append(d.Escalations, Line{r.lines.Line(at), strings.TrimSpace(line)})
		}
	}
	if !found && bytes.Contains(r.src.Bytes, []byte(EscalationSignal)) {
		docs[0].Escalations = append(docs[0].Escalations, Line{0, EscalationSignal})
	}
}

// toFile converts the spans of a document from offsets of the decoded text to offsets of the
// file.
func (r *reader) toFile(d *Document) {
	d.Span = r.dec.RawSpan(d.Span)
	for i := range d.Fields {
		d.Fields[i].Span = r.dec.RawSpan(d.Fields[i].Span)
	}
	for i := range d.Sections {
		d.Sections[i].Span = r.dec.RawSpan(d.Sections[i].Span)
	}
	for i := range d.Problems {
		d.Problems[i].Span = r.dec.RawSpan(d.Problems[i].Span)
	}
}

// neighbour returns the text of another file, by its path relative to the folder of this
// one. It fails if the source gives no access to other files or rel is empty.
func (r *reader) neighbour(rel string) (string, error) {
	if r.src.Neighbour == nil || rel == "" {
		return "", fmt.Errorf("no neighbours")
	}
	raw, err := r.src.Neighbour(rel)
	if err != nil {
		return "", err
	}
	return source.Decode(raw).Text, nil
}

// raise gives each problem the severity it has in a file that is about to be written, if
// that is higher.
func (d *Document) raise() {
	for i := range d.Problems {
		p := &d.Problems[i]
		if r, ok := RuleOf(p.Rule); ok {
			p.Severity = max(p.Severity, r.Strict)
		}
	}
}
