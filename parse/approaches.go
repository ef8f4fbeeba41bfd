package parse

import (
	"slices"
	"strings"

	"handex/parse/internal/scan"
)

// outcomes are the signs and words that say how an approach ended; the first
// that a line holds decides. A word counts where one begins with it.
var outcomes = []struct {
	kind  Kind
	signs []string
	words []string
}{
	{Partial, []string{"⚠"}, []string{"partial", "partiel"}}, //nolint:misspell // words of several languages
	{Failed, []string{"❌", "✗", "✘"}, []string{"failed", "didn't work", "didnt work", "did not work", "échou"}},
	{Worked, []string{"✅", "✓", "✔"}, []string{"worked", "success", "succeeded", "fonctionne"}},
}

// splitApproaches reads the outcomes of what was tried and splits the body by
// them, so that a search in "failed" finds the failed ones only.
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

func outcomeKind(text string, def Kind) Kind {
	text = strings.ToLower(text)
	for _, o := range outcomes {
		if scan.ContainsAny(text, o.signs) || slices.ContainsFunc(o.words, func(word string) bool { return scan.HasWordPrefix(text, word) }) {
			return o.kind
		}
	}
	return def
}

// A partSplitter splits a body into parts.
type partSplitter struct {
	body  string
	kind  Kind
	from  int
	parts []Part
}

// cut begins a part at an offset, unless the text before is of that kind.
func (p *partSplitter) cut(at int, k Kind) {
	if k == p.kind {
		return
	}
	if at > p.from {
		p.parts = append(p.parts, Part{p.kind, p.body[p.from:at]})
	}
	p.from, p.kind = at, k
}

// done returns the parts, none where all is of kind k.
func (p *partSplitter) done(k Kind) []Part {
	if p.from == 0 && p.kind == k {
		return nil
	}
	if p.from < len(p.body) {
		p.parts = append(p.parts, Part{p.kind, p.body[p.from:]})
	}
	return p.parts
}
