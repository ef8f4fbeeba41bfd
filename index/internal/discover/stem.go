package discover

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A stem is a file's name without its extension, split into words.
type stem struct {
	words []string // lower case
	text  string   // the words between dashes: "-next-session-"
	dated bool     // has a date
	bare  bool     // is the word alone, or the word and what it is of: "HANDOFF.core"
}

// newStem returns the stem of a file name, which must have an extension.
func newStem(name string) stem {
	name = name[:strings.LastIndexByte(name, '.')]
	var s stem
	s.words = splitWords(name)
	s.text = "-" + strings.Join(s.words, "-") + "-"
	s.dated = hasDate(name)
	s.bare = len(s.words) > 0 && (s.words[0] == "handoff" || s.words[0] == "handover") &&
		(len(s.words) == 1 || strings.Contains(name, "."))
	return s
}

// splitWords returns the words of name in lower case. It splits at everything that is not a letter
// or digit, and where a small letter meets a capital.
func splitWords(name string) []string {
	var b strings.Builder
	b.Grow(len(name) + 8)
	var last rune
	for _, r := range name {
		if r == '\'' || r == '’' {
			continue
		}
		if unicode.IsLower(last) && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
		last = r
	}
	return strings.Fields(b.String())
}

// handoffWords are the word handoff in several languages; it counts wherever it is in a name.
var handoffWords = []string{
	"handoff", "handover", "-hand-off", "-hand-over", "交接", "引き継ぎ", "引継", "인수인계", "übergabe", "uebergabe", "passation",
}

// nextPhrases name a file that speaks to the next session.
var nextPhrases = []string{
	"whats-next", "what-is-next", "whatsnext", "next-session", "nextsession", "next-sesh", "continue-here",
	"resume-here", "resume-point", "resume-prompt", "resume-session", "session-resume", "session-closeout",
	"session-close",
	"where-we-left-off", "where-i-left-off", "left-off", "pick-up-here", "pickup-here", "for-next-agent", "next-agent",
	"continuation-prompt", "continue-notes", "session-continuation", "session-transfer", "context-transfer",
}

// sessionPhrases name a file that may be a handoff, or a log, or a manual.
var sessionPhrases = []string{
	"session-summary", "session-log", "session-notes", "session-note", "session-state", "session-report",
	"session-recap", "session-end", "session-wrap", "session-wrapup", "session-context", "session-checkpoint",
	"session-progress", "session-status", "session-journal", "session-record", "session-complete", "end-of-session",
	"end-of-day", "last-session", "current-session", "previous-session", "sessionlog", "sessionsummary",
	"session-logs", "continuation", "continuity", "resumption", "resume-work",
}

// nameHints are parts of the words above: a name without any of them has none.
var nameHints = []string{
	"hand", "session", "next", "resum", "contin", "left", "end-of", "pick", "progress", "response",
	"passation", "uebergabe",
}

// mayName reports whether a name could match the rules: a cheap test that passes every name that
// they match.
func mayName(lower string) bool {
	return containsAny(lower, nameHints) || strings.ContainsFunc(lower, func(r rune) bool { return r >= utf8.RuneSelf })
}

// word returns the first of parts that the name contains, "" if none.
func (s stem) word(parts []string) string {
	for _, part := range parts {
		if strings.Contains(s.text, part) {
			return part
		}
	}
	return ""
}

// isOne reports whether a name is that of one handoff: word begins or ends it, apart from dates and
// numbers, and is not the plural.
func (s stem) isOne(word string) bool {
	words := s.words
	for len(words) > 0 && isVersion(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && isVersion(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	text := "-" + strings.Join(words, "-") + "-"
	word = strings.TrimPrefix(word, "-")
	if strings.HasPrefix(text, "-"+word) && !strings.HasPrefix(text, "-"+word+"s-") {
		return true
	}
	head, tail, _ := strings.Cut(text, word+"-")
	return head != text && (tail == "" || handoffKinds.has(strings.TrimSuffix(tail, "-")))
}

// handoffKinds are words that follow the word handoff in the name of one handoff.
var handoffKinds = wordSet{
	"notes", "note", "summary", "report", "prompt", "todo", "task", "log", "brief", "doc", "final", "update",
	"package", "packet", "message", "memo", "letter", "state", "status", "latest", "draft",
}

// phrase returns the first of phrases that the name contains as whole words, "" if none; the last
// word may be followed by a number ("session-summary2").
func (s stem) phrase(phrases []string) string {
	for _, phrase := range phrases {
		if i := strings.Index(s.text, phrase); i >= 0 && s.text[i-1] == '-' && !isLetter(s.text[i+len(phrase)]) {
			return phrase
		}
	}
	return ""
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= utf8.RuneSelf }

// What a text about handoffs calls itself, right after the word or at the end.
var (
	aboutWords = wordSet{
		"protocol", "protocols", "contract", "contracts", "spec", "specs", "specification", "schema", "schemas",
		"template", "templates", "guide", "guides", "guideline", "guidelines", "format", "formats", "convention",
		"conventions", "policy", "policies", "standard", "standards", "rules", "rubric", "skill", "skills", "howto",
		"tutorial", "faq", "sop", "checklist", "example", "examples", "readme",
	}
	aboutEndings = wordSet{
		"pattern", "patterns", "architecture", "workflow", "workflows", "system", "mechanism", "api", "overview", "reference",
		"instructions", "process", "playbook", "best-practices", "index", "ledger", "command", "procedure", "rfc", "adr",
	}
	aboutPrefixes = wordSet{
		"template", "example", "sample", "about", "how", "understanding", "writing", "creating", "create", "generate",
	}
)

// aboutHandoffs is stem.about for a file name, with a quick test first. lower is name in lower
// case.
func aboutHandoffs(name, lower string) string {
	if !strings.Contains(lower, "handoff") && !strings.Contains(lower, "handover") &&
		!strings.Contains(lower, "template") {
		return ""
	}
	return newStem(name).about()
}

// about returns the rule by which the name is that of a text about handoffs or of a template, "" if
// there is none. A name with a date is that of a handoff: nobody dates a protocol.
func (s stem) about() string {
	if s.dated {
		return ""
	}
	end := len(s.words)
	for end > 0 && isVersion(s.words[end-1]) {
		end--
	}
	for i, w := range s.words[:end] {
		if !strings.Contains(w, "handoff") && !strings.Contains(w, "handover") {
			continue
		}
		if i+1 < end && (aboutWords.has(s.words[i+1]) || aboutEndings.has(s.words[i+1]) && i+2 == end) {
			return "about handoffs: named " + w + " " + s.words[i+1]
		}
		if i > 0 && (aboutPrefixes.has(s.words[i-1]) || aboutPrefixes.has(s.words[0])) {
			return "about handoffs: named " + s.words[0] + " " + w
		}
		if last := s.words[end-1]; i < end-1 && aboutWords.has(last) {
			return "about handoffs: named " + w + " " + last
		}
	}
	if end > 0 && (s.words[end-1] == "template" || s.words[end-1] == "templates") {
		return "a template"
	}
	return ""
}

// isVersion reports whether word is a number, perhaps after a "v".
func isVersion(word string) bool {
	digits := strings.TrimLeft(word, "v")
	return len(word)-len(digits) <= 1 && strings.Trim(digits, "0123456789") == ""
}

// hasDate reports whether a name contains a date of this century, with or without
// separators: 2026-08-03, 20260803, 2026_08_03.
func hasDate(name string) bool {
	for i := 0; i+8 <= len(name); i++ {
		if name[i] != '2' || name[i+1] != '0' || i > 0 && isDigit(name[i-1]) {
			continue
		}
		if datePart(name[i+2:]) {
			return true
		}
	}
	return false
}

// datePart reports whether s begins with yy mm dd, each separated by at most one byte.
func datePart(s string) bool {
	for part := range 3 {
		if part > 0 && s != "" && !isDigit(s[0]) {
			s = s[1:]
		}
		if len(s) < 2 || !isDigit(s[0]) || !isDigit(s[1]) {
			return false
		}
		if part == 1 && (s[0] > '1' || s[:2] == "00" || s[:2] > "12") || part == 2 && (s[0] > '3' || s[:2] == "00") {
			return false
		}
		s = s[2:]
	}
	return true
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
