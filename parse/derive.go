package parse

import (
	"path"
	"regexp"
	"strings"
)

// derive fills in what follows from fields and sections.
func (r *reader) derive(d *Document) {
	for i := range d.Sections {
		s := &d.Sections[i]
		if s.Kind == State {
			r.stateFields(d, s)
		}
		switch s.Kind {
		case Approaches, Worked, Failed, Partial:
			d.Approaches = append(d.Approaches, splitApproaches(s)...)
		case Files:
			d.Files = append(d.Files, filesOf(*s)...)
		}
		d.Items = append(d.Items, ItemsOf(s.Kind, s.Body, s.bodyLine())...)
	}
	d.Blocked = blocked(d)
	if name := r.format.legacyWithout; name != "" && d.Key == "" {
		_, versioned := d.field(name)
		d.Legacy = !versioned
	}
}

// bodyLine is the line a section's body starts on.
func (s Section) bodyLine() int {
	if s.Level > 0 {
		return s.Span.Line + 1
	}
	return s.Span.Line
}

// inherit gives a section under an unknown or weak heading the kind of the
// section it stands in, and takes it from nobody above it.
func inherit(sections []Section) []Section {
	var above []Section // one of each level, outermost first
	for i := range sections {
		s := &sections[i]
		if s.Level == 0 {
			above = above[:0]
			if s.Heading != "" {
				above = append(above, *s)
			}
			continue
		}
		for len(above) > 0 && above[len(above)-1].Level >= s.Level {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			parent := above[len(above)-1]
			if s.Kind == Other || !weakKinds[parent.Kind] && (weakKinds[s.Kind] || s.Kind != wholeKind(s.Heading)) {
				s.Kind = parent.Kind
			}
		}
		above = append(above, *s)
	}
	return sections
}

var boldLabel = regexp.MustCompile(`(?m)^[ \t>]*(?:[-*+]\s+)?(?:\*\*|__)([^*_\n]{2,60}?)(?:\s*[:：.])?(?:\*\*|__)[ \t]*[:：]?`)

// splitBold makes sections of lines that are a bold heading ("**Next steps:**"),
// in handoffs whose real headings say nothing.
func splitBold(sections []Section) []Section {
	for _, s := range sections {
		if s.Kind == Next || s.Kind == Done || s.Kind == Gotchas || s.Kind == Risks {
			return sections
		}
	}
	var out []Section
	for _, s := range sections {
		out = append(out, s.splitLabels()...)
	}
	return out
}

func (s Section) splitLabels() []Section {
	var out []Section
	rest := s
	rest.Body = ""
	from := 0
	if !strings.Contains(s.Body, "**") && !strings.Contains(s.Body, "__") {
		return []Section{s}
	}
	for _, m := range boldLabel.FindAllStringSubmatchIndex(s.Body, -1) {
		kind := kindOf(s.Body[m[2]:m[3]])
		if weakKinds[kind] && kind != Decisions {
			continue
		}
		rest.Body = s.Body[from:m[0]]
		if rest.Body != "" || rest.Heading != "" {
			out = append(out, rest)
		}
		line := s.bodyLine() + strings.Count(s.Body[:m[0]], "\n")
		label := s.Body[m[2]:m[3]]
		rest = Section{Kind: kind, Heading: label, Slug: slug(label), Span: s.Span}
		rest.Span.Line = line
		from = m[1]
	}
	if out == nil {
		return []Section{s}
	}
	rest.Body = s.Body[from:]
	return append(out, rest)
}

var (
	workedMark  = regexp.MustCompile(`✅|✓|✔|(?i)\bworked\b|\bsucce(?:ss|eded)|\bfonctionne`)
	failedMark  = regexp.MustCompile(`❌|✗|✘|(?i)\bfailed\b|\bdidn'?t work\b|\bdid not work\b|\béchou`)
	partialMark = regexp.MustCompile(`⚠|(?i)\bpartial`)
)

// splitApproaches reads the outcomes of what was tried and splits the body by
// them, so that a search in "failed" finds the failed ones only.
func splitApproaches(s *Section) []Approach {
	var out []Approach
	line := s.bodyLine()
	kind := s.Kind
	for text := range strings.SplitAfterSeq(s.Body, "\n") {
		if _, ok := itemText(text); ok || hasLeadMark(text) {
			kind = outcomeKind(text, s.Kind)
			out = append(out, Approach{Text: strings.TrimSpace(trimItem(text)), Outcome: outcomeName(kind), Line: line})
		} else if strings.HasPrefix(text, "#") {
			kind = s.Kind
		}
		s.Parts = addPart(s.Parts, kind, text)
		line++
	}
	if len(s.Parts) == 1 && s.Parts[0].Kind == s.Kind {
		s.Parts = nil
	}
	return out
}

func trimItem(text string) string {
	if item, ok := itemText(text); ok {
		return item
	}
	return text
}

func outcomeKind(text string, def Kind) Kind {
	switch {
	case partialMark.MatchString(text):
		return Partial
	case failedMark.MatchString(text):
		return Failed
	case workedMark.MatchString(text):
		return Worked
	default:
		return def
	}
}

func outcomeName(k Kind) string {
	if k == Approaches {
		return ""
	}
	return string(k)
}

// addPart adds text to the last part if that is of the kind.
func addPart(parts []Part, k Kind, text string) []Part {
	if text == "" {
		return parts
	}
	if n := len(parts); n > 0 && parts[n-1].Kind == k {
		parts[n-1].Text += text
		return parts
	}
	return append(parts, Part{k, text})
}

// gitFields are what a state section says in lines of any format.
var gitFields = set("branch", "commit")

// stateFields reads "Phase: 4/6 | Progress: 60%" out of a state section and
// splits its blockers off; formats without such lines still name the branch
// there.
func (r *reader) stateFields(d *Document, s *Section) {
	var raws []rawField
	line := s.bodyLine()
	for text := range strings.SplitAfterSeq(s.Body, "\n") {
		kind := State
		for piece := range strings.SplitSeq(text, " | ") {
			label, value, ok := keyed(piece)
			if !ok {
				continue
			}
			if kindOf(label) == Blockers && !strings.HasPrefix(text, "#") {
				kind = Blockers
				continue
			}
			if !r.format.stateKeys && !gitFields[knownKeys[normalKey(label)].field] {
				continue
			}
			raws = append(raws, rawField{key: label, label: label, value: value, span: Span{Line: line, EndLine: line}})
		}
		s.Parts = addPart(s.Parts, kind, text)
		line++
	}
	if len(s.Parts) == 1 && s.Parts[0].Kind == State {
		s.Parts = nil
	}
	own := &Document{}
	r.fields(own, raws)
	for _, f := range own.Fields {
		if _, have := d.field(f.Key); !have || strings.HasPrefix(f.Key, "meta.") {
			d.Fields = append(d.Fields, f)
		}
	}
}

// keyed splits "- **Key:** value" and "Key: value".
func keyed(line string) (label, value string, ok bool) {
	if !strings.ContainsAny(line, ":：") {
		return "", "", false
	}
	line = strings.TrimSpace(line)
	line = line[dressed(line):]
	line = strings.ReplaceAll(line, "**", "")
	m := plainKey.FindStringSubmatchIndex(line)
	if m == nil {
		return "", "", false
	}
	return line[m[2]:m[3]], cleanValue(line[m[1]:]), true
}

// blocked reports a blocked status or a blocker that is not "none".
func blocked(d *Document) bool {
	for _, f := range d.Fields {
		if f.Key == "status" && f.Value == "blocked" {
			return true
		}
		if strings.HasPrefix(f.Key, "meta.") && kindOf(f.Label) == Blockers && !saysNone(f.Value) && f.Value != "false" && f.Value != "0" {
			return true
		}
	}
	for _, s := range d.Sections {
		if len(s.Parts) == 0 && s.Kind == Blockers && !saysNone(s.Body) {
			return true
		}
		for _, p := range s.Parts {
			if _, value, ok := keyed(p.Text); p.Kind == Blockers && (ok && !saysNone(value) || !ok && !saysNone(p.Text)) {
				return true
			}
		}
	}
	return false
}

var (
	titleLead = regexp.MustCompile(`(?i)^(?:auto-generated\s+|session\s+|context\s+|agent\s+|project\s+)*(?:hand-?\s?off|handover|hand-over)(?:\s+(?:document|doc|notes?|report|summary|file))?\b(?:\s+#?[0-9]+)?[\s:—–|·-]*`)
	titleDate = regexp.MustCompile(`^\(?[0-9]{4}-[0-9]{2}-[0-9]{2}[a-z]?(?:[T ,]*[0-9]{1,2}[:h]?[0-9]{2}(?::[0-9]{2})?\s*(?:Z|UTC)?)?\)?[\s:—–|·-]*`)
	titleMood = regexp.MustCompile(`\s*\(([^()]{1,40})\)\s*$`)
)

// title takes from the heading the words and the date every handoff begins
// with; a mood in parentheses behind the date is kept as meta.mood.
func (r *reader) title(d *Document, head string) {
	if f, ok := d.field("title"); ok {
		d.Title = f.Value
		return
	}
	t := plain(head)
	if rest := titleLead.ReplaceAllString(t, ""); rest != t {
		t = titleDate.ReplaceAllString(rest, "")
		if m := titleMood.FindStringSubmatch(" " + t); m != nil && strings.TrimSpace(t) == strings.TrimSpace(m[0]) {
			d.Fields = append(d.Fields, Field{Key: "meta.mood", Label: "mood", Value: m[1], Span: d.Span.firstLine()})
			t = ""
		}
	}
	d.Title = strings.TrimSpace(t)
}

func (s Span) firstLine() Span {
	return Span{Start: s.Start, End: s.Start, Line: s.Line, EndLine: s.Line}
}

var ledgerLine = regexp.MustCompile(`^\s*[-*+]\s+\[([ xX])\].*\]\(([^()]+)\)`)

// neighbours reads what stands in other files: the ledger's mark, the prose of
// a manifest.
func (r *reader) neighbours(d *Document) {
	if r.format.ledger != "" {
		if text, err := r.neighbour(r.format.ledger); err == nil {
			d.Processed = processed(text, path.Base(r.src.Path))
		}
	}
	if f, ok := d.field(r.format.prose); ok && r.format.prose != "" {
		r.prose(d, f)
	}
}

// processed answers the ledger's word on one file.
func processed(ledger, name string) *bool {
	for line := range strings.SplitSeq(ledger, "\n") {
		m := ledgerLine.FindStringSubmatch(line)
		if m != nil && path.Base(m[2]) == name {
			done := m[1] != " "
			return &done
		}
	}
	return nil
}
