// Package metadata knows what the labels of metadata mean in any format, and what
// their values say: fields, statuses, priorities, relations to other handoffs.
package metadata

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/signs"
)

//go:embed words.txt
var words string

// A row is a row of words.txt: the name of a field, status, relation or priority, and
// the words that mean it.
type row struct {
	name  string
	words []string
}

// rows returns the rows of words.txt by what they are about.
var rows = sync.OnceValue(func() map[string][]row {
	m := map[string][]row{}
	for head, terms := range scan.Lexicon(words) {
		about, name, _ := strings.Cut(head, " ")
		for i, w := range terms {
			terms[i] = strings.Trim(w, `"`)
		}
		m[about] = append(m[about], row{name, terms})
	}
	return m
})

// Known returns the field and rank of a label.
var Known = sync.OnceValue(func() map[string]Key {
	m := map[string]Key{}
	for _, r := range rows()["field"] {
		for i, label := range r.words {
			m[label] = Key{r.name, i}
		}
	}
	return m
})

// A Key is the field that a label means, and the rank of the label among those of
// the field.
type Key struct {
	Field string
	Rank  int
}

// meanings returns a function that maps each word in the rows of words.txt about something,
// such as "relation", to the name of its row.
func meanings(about string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for _, r := range rows()[about] {
			for _, w := range r.words {
				m[w] = r.name
			}
		}
		return m
	})
}

// Relations returns the labels under which other handoffs are named, and Priorities
// those of the words and signs that items carry.
var (
	Relations  = meanings("relation")
	Priorities = meanings("priority")
)

// MetaKey returns the name of the field for a label that no canonical field has, as the
// query language writes it: meta.thread_url.
func MetaKey(label string) string {
	return "meta." + strings.ReplaceAll(scan.Slug(label), "-", "_")
}

// Modifiers are the words before a label that leave its meaning as it is.
var Modifiers = scan.Set(`current session project working git feature active overall final latest last handoff local
	document`)

// FieldOf returns the field that a label means, "" for none. Words before the label that
// change nothing are passed over, as in "Project branch".
func FieldOf(label string) string {
	if open := strings.IndexByte(label, '('); open > 0 {
		label = strings.TrimRight(label[:open], " ")
	}
	key := scan.NormalKey(label)
	for {
		if k, ok := Known()[key]; ok {
			return k.Field
		}
		word, rest, ok := strings.Cut(key, " ")
		if !ok || !Modifiers[word] {
			return ""
		}
		key = rest
	}
}

// Headings are the headings of sections whose lines are metadata.
var Headings = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, of := range []string{"", "session ", "handoff ", "document ", "project "} {
		for _, what := range []string{"metadata", "meta", "info", "information", "header", "identification", "chain"} {
			m[of+what] = true
		}
	}
	return m
})

// Status returns the status of the query language's closed list that a status line means, ""
// if it means none. The words at the beginning of the line decide, otherwise those anywhere
// in it.
func Status(raw string) string {
	s := strings.ToLower(strings.TrimSpace(scan.Plain(raw)))
	if st := statusOf(scan.TrimMarks(s)); st != "" {
		return st
	}
	if st := statusOf(s); st != "" {
		return st
	}
	return statusWithin(strings.ReplaceAll(s, "_", " "))
}

// maxStatus is how much of a phrase is searched for the words of a status.
const maxStatus = 200

// statusWithin returns the status that the first of the words in a phrase means,
// "" for none. Words such as "blocked" behind one for completed work make it in-progress:
// something is left to do.
func statusWithin(s string) string {
	if len(s) > maxStatus {
		s = s[:scan.RuneBoundary([]byte(s), maxStatus)]
	}
	first, inWord := "", false
	for at, r := range s {
		begins := !inWord
		inWord = unicode.IsLetter(r) && r < scan.FirstUnspaced
		if !begins {
			continue
		}
		switch st := statusOf(s[at:]); {
		case st == "" || st == "blocked" && signs.IsDenied(s[:at]):
		case first == "":
			first = st
		case first == "completed" && (st == "blocked" || st == "in-progress"):
			return "in-progress"
		}
	}
	return first
}

// statusOf returns the status whose words a phrase in lower case begins with, "" for none.
func statusOf(s string) string {
	for _, r := range rows()["status"] {
		for _, w := range r.words {
			if strings.HasPrefix(s, w) && endsWord(s[len(w):], w) {
				return r.name
			}
		}
	}
	return ""
}

// endsWord reports whether word w ends where rest begins, so that rest does not go on with
// letters or digits of the same word.
func endsWord(rest, w string) bool {
	last, _ := utf8.DecodeLastRuneInString(w)
	next, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(last) || last > unicode.MaxLatin1 || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// Priority returns the priority that a value such as "High (see below)" begins with, as a
// word of the closed list. It returns v unchanged if v begins with none or other words
// follow.
func Priority(v string) string {
	word, rest, _ := strings.Cut(strings.TrimSpace(v), " ")
	p := Priorities()[strings.ToLower(word)]
	if next, _ := utf8.DecodeRuneInString(rest); p == "" || rest != "priority" &&
		(unicode.IsLetter(next) || unicode.IsDigit(next)) {
		return v
	}
	return p
}

var idSplit = scan.Pattern(`[\s,;]+`)

// ItemIDs returns the ids of work items in a list or, if list is nil, in a line that
// separates them by blanks, commas or semicolons.
func ItemIDs(list []string, line string) []string {
	ids := list
	if ids == nil {
		ids = idSplit().Split(line, -1)
	}
	var out []string
	for _, id := range ids {
		if id = strings.Trim(id, "`\"' "); id != "" {
			out = append(out, id)
		}
	}
	return out
}
