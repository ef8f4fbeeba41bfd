package digest

import (
	"slices"
	"strings"
)

// A Task is something to do, as one handoff words it.
type Task struct {
	wording Wording
	names   []uint64
}

// TaskOf returns the words of a text, and which of them name something: a ticket, a
// file, an identifier.
func TaskOf(text string) Task {
	t := Task{wording: WordingOf(text)}
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "*_`'\"()[]{}<>.,:;!?—–-")
		if !strings.ContainsAny(word, "-_/#.0123456789") || strings.Trim(word, "0123456789.,:%-/") == "" {
			continue
		}
		h := hashBegin
		for _, r := range strings.ToLower(word) {
			h = hashRune(h, r)
		}
		t.names = append(t.names, h)
	}
	slices.Sort(t.names)
	t.names = slices.Compact(t.names)
	return t
}

// Same reports whether two texts are likely to speak of one task: they are alike, or
// they name the same thing and half of the shorter's words are in both.
func (t Task) Same(other Task) bool {
	if t.wording.Alike(other.wording) {
		return true
	}
	short := min(t.wording.Len(), other.wording.Len())
	return short >= 4 && common(t.names, other.names) > 0 && 2*common(t.wording.words, other.wording.words) >= short
}
