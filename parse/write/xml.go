package write

import (
	"strings"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
)

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// An element is an XML text in the making.
type element struct {
	*writer
	strings.Builder
	used map[string]bool
}

// xml returns the draft as one XML element.
func (w *writer) xml() string {
	x := &element{writer: w, used: map[string]bool{outline.MetadataTag: true}}
	x.WriteString("<" + w.layout.Root + ">\n")
	x.metadata()
	w.stateSection()
	w.fileSection()
	w.sortSections()
	isFree := func(tag string, _ parse.Kind) bool { return !x.used[tag] }
	w.namedSections(x.isTag, isFree, func(tag string) string { return "<" + tag + ">" }, x.part)
	x.WriteString("</" + w.layout.Root + ">\n")
	return x.String()
}

// metadata writes the metadata: an element that contains one for each fact.
func (x *element) metadata() {
	x.WriteString("  <" + outline.MetadataTag + ">\n")
	place := func(f parse.Field) (tag, kept string) {
		if tag = tagName(f.Label); tag == "" {
			return "", "an item of <details>"
		}
		return tag, "<" + tag + "> in " + outline.MetadataTag
	}
	x.facts(x.remaining.WorkItems, place, x.fact)
	x.WriteString("  </" + outline.MetadataTag + ">\n")
}

// fact writes one fact as an element of the metadata.
func (x *element) fact(tag, value string) {
	text := xmlEscapes.Replace(value)
	if rest, ok := strings.CutSuffix(text, "`"); ok {
		text = rest + "&#96;" // a tag beside a back quote reads as a mention of one
	}
	x.WriteString("    <" + tag + ">" + text + "</" + tag + ">\n")
}

// tagName returns a label as the name of an element, "" if it cannot be one.
func tagName(label string) string {
	tag := strings.ReplaceAll(label, " ", "_")
	if outline.NameAt(tag, 0) != tag || strings.Contains(tag, ":") || len(tag) >= 3 && strings.EqualFold(tag[:3], "xml") {
		return ""
	}
	return tag
}

// isTag reports whether the heading of a section can be the tag of the section: it is a name
// that no element has, and reads as one of the section's kind.
func (x *element) isTag(s DraftSection) bool {
	return s.Body != "" && outline.LowerTag().MatchString(s.Heading) && tagName(s.Heading) != "" && !x.used[s.Heading] &&
		!scan.HasLinePrefix(s.Body, "#") && x.read.KindOf(outline.Section{Key: s.Heading}) == s.Kind
}

// part writes an element with a text, indented by one step.
func (x *element) part(tag, body string) {
	x.used[tag] = true
	x.WriteString("  <" + tag + ">\n")
	for line := range strings.SplitSeq(xmlEscapes.Replace(body), "\n") {
		if line = strings.TrimRight(line, " \t"); line != "" {
			line = "    " + line
		}
		x.WriteString(line + "\n")
	}
	x.WriteString("  </" + tag + ">\n")
}
