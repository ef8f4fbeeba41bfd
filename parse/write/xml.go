package write

import (
	"strings"

	"handex/parse"
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
)

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// An element is an XML text in the making.
type element struct {
	*writer
	strings.Builder
	used map[string]bool
}

// xml writes the draft as one element.
func (w *writer) xml() string {
	x := &element{writer: w, used: map[string]bool{outline.MetadataTag: true}}
	x.WriteString("<" + w.layout.Root + ">\n")
	x.metadata()
	w.stateSection(func(key, value string) string { return key + ": " + value })
	w.fileSection()
	w.sortSections()
	isFree := func(tag string, _ parse.Kind) bool { return !x.used[tag] }
	w.namedSections(x.isTag, isFree, func(tag string) string { return "<" + tag + ">" }, x.part)
	x.WriteString("</" + w.layout.Root + ">\n")
	return x.String()
}

// metadata writes the facts: those of the specification, then others.
func (x *element) metadata() {
	x.WriteString("  <" + outline.MetadataTag + ">\n")
	for _, s := range x.layout.Keys {
		for _, v := range x.slotValues(s) {
			x.fact(s.Key, v)
		}
	}
	if x.remaining.Title != "" {
		x.remaining.Fields = append([]parse.Field{{Key: "title", Label: "title", Value: x.remaining.Title}}, x.remaining.Fields...)
	}
	for _, id := range x.remaining.WorkItems {
		x.remaining.Fields = append(x.remaining.Fields, parse.Field{Key: "work items", Label: "work_queue_items", Value: id})
	}
	var rest []parse.Field
	for _, f := range x.remaining.Fields {
		kind, isText := textFields[f.Key]
		switch tag := tagName(f.Label); {
		case x.isStateKey(f.Key):
			rest = append(rest, f)
		case isText && f.Value != "":
			x.addLead(kind, f.Key, f.Value)
		case tag == "":
			x.addLoss(f.Key, "an item of <details>")
			x.remaining.Sections = append(x.remaining.Sections, DraftSection{Kind: parse.Other, Body: "- " + f.Label + ": " + f.Value})
		case strings.HasPrefix(f.Key, "meta."):
			x.fact(tag, f.Value)
		case f.Value != "":
			x.addLoss(f.Key, "<"+tag+"> in "+outline.MetadataTag)
			x.fact(tag, f.Value)
		}
	}
	x.remaining.Fields = rest
	x.WriteString("  </" + outline.MetadataTag + ">\n")
}

func (x *element) fact(tag, value string) {
	text := xmlEscapes.Replace(value)
	if rest, ok := strings.CutSuffix(text, "`"); ok {
		text = rest + "&#96;" // a tag beside a back quote reads as a mention of one
	}
	x.WriteString("    <" + tag + ">" + text + "</" + tag + ">\n")
}

// tagName is a label as the name of an element, "" where it is none.
func tagName(label string) string {
	tag := strings.ReplaceAll(label, " ", "_")
	if outline.NameAt(tag, 0) != tag || strings.Contains(tag, ":") || len(tag) >= 3 && strings.EqualFold(tag[:3], "xml") {
		return ""
	}
	return tag
}

// isTag reports whether a heading is a name that reads as an element of its
// kind.
func (x *element) isTag(s DraftSection) bool {
	return s.Body != "" && outline.LowerTag().MatchString(s.Heading) && tagName(s.Heading) != "" && !x.used[s.Heading] &&
		!scan.HasLinePrefix(s.Body, "#") && x.read.KindOf(outline.Section{Key: s.Heading}) == s.Kind
}

// part writes an element with its text, one step in.
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
