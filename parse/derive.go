package parse

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/paths"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/topic"
)

// derive adds the sections to a document, and what follows from sections and fields: items,
// files, approaches, whether it is blocked or waiting, and whether it is a legacy manifest.
func (r *reader) derive(d *Document, text []placedSection) {
	d.Sections = slices.Grow(d.Sections, len(text))
	named := map[string]int{}
	for i := range text {
		p := &text[i]
		switch p.Kind {
		case State:
			r.stateFields(d, p)
		case Approaches, Worked, Failed, Partial:
			d.Approaches = append(d.Approaches, splitApproaches(p)...)
		}
		r.files(d, *p, named)
		first := len(d.Items)
		d.Items = topic.AppendItems(d.Items, p.Kind, p.Heading, p.Body, 0)
		for i := range d.Items[first:] {
			it := &d.Items[first+i]
			if it.Line < 0 {
				it.Line = p.Span.Line // the heading
			} else {
				it.Line = p.line(it.Line)
			}
		}
		d.Sections = append(d.Sections, p.Section)
	}
	if r.format.stateKeys && !d.says("status") && saysComplete(d) {
		f, _ := d.Field("progress")
		d.Fields = append(d.Fields, Field{"status", f.Label, "completed", f.Span})
	}
	r.states(d, text)
	if name := r.format.legacyWithout; name != "" && d.Key == "" {
		_, versioned := d.Field(name)
		d.Legacy = !versioned
	}
}

// files adds to a document the files that a section names, each path once. A place that says
// what was done to a file replaces an earlier one that only mentions it. named has the
// indexes in d.Files by path.
func (r *reader) files(d *Document, p placedSection, named map[string]int) {
	var found []paths.Ref
	if p.Kind == Files {
		found = paths.Listed(p.Heading, p.Body, r.isFileList(p))
	}
	listed := len(found)
	ends := map[paths.Ref]bool{} // the last words of names with blanks, by line
	for _, f := range found {
		if i := strings.LastIndexByte(f.Path, ' '); i >= 0 {
			ends[paths.Ref{Path: f.Path[i+1:], Line: f.Line}] = true
		}
	}
	for i, ref := range append(found, paths.Mentioned(p.Heading, p.Body)...) {
		if i >= listed && ends[paths.Ref{Path: ref.Path, Line: ref.Line}] {
			continue
		}
		f := File{Path: ref.Path, Action: ref.Action, Section: p.Kind, Line: p.Span.Line}
		if ref.Line >= 0 {
			f.Line = p.line(ref.Line)
		}
		switch i, have := named[f.Path]; {
		case have && d.Files[i].Action == "" && f.Action != "":
			d.Files[i] = f
		case !have && len(d.Files) < maxFiles:
			named[f.Path] = len(d.Files)
			d.Files = append(d.Files, f)
		}
	}
}

// isFileList reports whether the specification of the format says that a section is a list
// of paths and nothing else.
func (r *reader) isFileList(p placedSection) bool {
	return r.format.layout != nil && slices.ContainsFunc(r.format.layout.Keys, func(s Slot) bool {
		return s.Field == FileList && (scan.NormalKey(s.Key) == scan.NormalKey(p.Heading) || ActionLists[p.Slug])
	})
}

// ActionLists are the lists of files something was done to, beside the one of
// the specification.
var ActionLists = scan.Set("files-created files-modified files-deleted files-renamed")

// maxFiles bounds the files of one document.
const maxFiles = 500

// gitFields are what a state section says in lines of any format.
var gitFields = scan.Set("branch commit")

// stateFields adds the fields in a state section to the document, from lines such as
// "Phase: 4/6 | Progress: 60%", and makes parts of the blockers in the section. In formats
// without such lines it reads only the branch and the commit.
func (r *reader) stateFields(d *Document, p *placedSection) {
	s := stateReader{reader: r, piece: p, parts: partSplitter{body: p.Body, kind: State}}
	n, at := 0, 0
	for line := range strings.SplitAfterSeq(p.Body, "\n") {
		s.line(n, at, line)
		n, at = n+1, at+len(line)
	}
	p.Parts = s.parts.done(State)
	own := &Document{}
	r.fields(own, s.raws, 0)
	for _, f := range own.Fields {
		if _, have := d.Field(f.Key); !have || strings.HasPrefix(f.Key, "meta.") {
			d.Fields = append(d.Fields, f)
		}
	}
	d.Links = append(d.Links, own.Links...)
	d.WorkItems = append(d.WorkItems, own.WorkItems...)
}

// A stateReader reads the lines of a state section: it collects fields, and splits blockers
// off.
type stateReader struct {
	*reader
	piece *placedSection
	parts partSplitter
	raws  []outline.Field
	// below is set after a label of blockers without text. The blockers are then the lines
	// that are indented deeper than indent or, if the label is not a list item itself, the
	// list that follows.
	below  bool
	indent int
	inList bool
}

// line reads line n of the body, counted from 0, which begins at offset at of the body.
func (s *stateReader) line(n, at int, line string) {
	if s.below && s.isBelow(line) {
		return
	}
	s.below = false
	for entry := range strings.SplitAfterSeq(line, " | ") {
		s.entry(n, at, line, strings.TrimSuffix(entry, " | "))
		at += len(entry)
	}
}

// isBelow reports whether a line belongs to the label of blockers above it.
func (s *stateReader) isBelow(line string) bool {
	_, isItem := scan.ItemText(line)
	return scan.Indent(line) > s.indent || isItem && !s.inList
}

// entry reads one of the entries that " | " separates in line n: a label of blockers begins
// a part of the section, and any other known label gives a field. at is the offset of the
// entry in the body.
func (s *stateReader) entry(n, at int, line, entry string) {
	label, value, ok := scan.KeyValue(entry)
	switch {
	case ok && topic.Of(label) == Blockers && !strings.HasPrefix(entry, "#"):
		s.parts.cut(at, Blockers)
		s.below, s.indent = value == "", scan.Indent(line)
		_, s.inList = scan.ItemText(line)
		return
	case ok && (s.format.stateKeys || gitFields[metadata.Known()[scan.NormalKey(label)].Field]):
		s.raws = append(s.raws, outline.Field{Key: label, Label: label, Value: value, Span: s.valueSpan(s.piece.line(n),
			value)})
	}
	s.parts.cut(at, State)
}

// maxLine is how far into a line a value is looked for.
const maxLine = 4 << 10

// valueSpan returns the place of a value in a line of the text, or the whole line if it does
// not contain the value as written.
func (r *reader) valueSpan(line int, value string) Span {
	all := r.linesSpan(line, line)
	i := strings.Index(r.text[all.Start:min(all.End, all.Start+maxLine)], value)
	if i < 0 || value == "" {
		return all
	}
	return Span{Start: all.Start + i, End: all.Start + i + len(value), Line: all.Line, EndLine: all.Line}
}

// outcomes are the signs and words that say how an approach ended; the first
// that a line contains decides. A word counts where one begins with it.
var outcomes = []struct {
	kind  Kind
	signs []string
	words []string
}{
	{Partial, []string{"⚠"}, []string{"partial", "partiel"}}, //nolint:misspell // words of several languages
	{Failed, []string{"❌", "✗", "✘"}, []string{"failed", "didn't work", "didnt work", "did not work", "échou"}},
	{Worked, []string{"✅", "✓", "✔"}, []string{"worked", "success", "succeeded", "fonctionne"}},
}

// splitApproaches returns the items of a section about approaches, each with its outcome,
// and splits the section into parts by outcome, so that a search in "failed" finds the
// failed ones only.
func splitApproaches(p *placedSection) []Approach {
	var out []Approach
	parts := partSplitter{body: p.Body, kind: p.Kind}
	n, at := 0, 0
	for line := range strings.SplitAfterSeq(p.Body, "\n") {
		if text, isItem := scan.ItemText(line); isItem || scan.HasLeadMark(line) {
			a := Approach{Text: text, Line: p.line(n)}
			if !isItem {
				a.Text = strings.TrimSpace(line)
			}
			kind := outcomeKind(line, p.Kind)
			if parts.cut(at, kind); kind != Approaches {
				a.Outcome = string(kind)
			}
			out = append(out, a)
		} else if strings.HasPrefix(line, "#") {
			parts.cut(at, p.Kind)
		}
		n, at = n+1, at+len(line)
	}
	p.Parts = parts.done(p.Kind)
	return out
}

// outcomeKind returns Worked, Failed or Partial by the words and signs of a text, or def if
// it contains none of them.
func outcomeKind(text string, def Kind) Kind {
	text = strings.ToLower(text)
	for _, o := range outcomes {
		if scan.ContainsAny(text, o.signs) ||
			slices.ContainsFunc(o.words, func(word string) bool { return scan.HasWordPrefix(text, word) }) {
			return o.kind
		}
	}
	return def
}

// A partSplitter splits the body of a section into parts that are of one kind each.
type partSplitter struct {
	body  string
	kind  Kind
	from  int
	parts []Part
}

// cut begins a part of kind k at an offset of the body. It does nothing if the text before
// is of kind k already.
func (p *partSplitter) cut(at int, k Kind) {
	if k == p.kind {
		return
	}
	if at > p.from {
		p.parts = append(p.parts, Part{p.kind, p.body[p.from:at]})
	}
	p.from, p.kind = at, k
}

// done returns the parts, or nil if the whole body is of kind k.
func (p *partSplitter) done(k Kind) []Part {
	if p.from == 0 && p.kind == k {
		return nil
	}
	if p.from < len(p.body) {
		p.parts = append(p.parts, Part{p.kind, p.body[p.from:]})
	}
	return p.parts
}
