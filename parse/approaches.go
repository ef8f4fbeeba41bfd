package parse

import (
	"regexp"
	"strings"
)

var (
	workedMark  = regexp.MustCompile(`✅|✓|✔|(?i)\bworked\b|\bsucce(?:ss|eded)|\bfonctionne`)
	failedMark  = regexp.MustCompile(`❌|✗|✘|(?i)\bfailed\b|\bdidn'?t work\b|\bdid not work\b|\béchou`)
	partialMark = regexp.MustCompile(`⚠|(?i)\bpartial`)
)

// splitApproaches reads the outcomes of what was tried and splits the body by
// them, so that a search in "failed" finds the failed ones only.
func splitApproaches(p *piece) []Approach {
	var out []Approach
	parts := parter{body: p.Body, kind: p.Kind}
	n, at := 0, 0
	for line := range strings.SplitAfterSeq(p.Body, "\n") {
		if _, ok := itemText(line); ok || hasLeadMark(line) {
			kind := outcomeKind(line, p.Kind)
			parts.cut(at, kind)
			out = append(out, Approach{Text: strings.TrimSpace(trimItem(line)), Outcome: outcomeName(kind), Line: p.line(n)})
		} else if strings.HasPrefix(line, "#") {
			parts.cut(at, p.Kind)
		}
		n, at = n+1, at+len(line)
	}
	p.Parts = parts.done(p.Kind)
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
