package brief

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"handex/cmd/internal/digest"
	"handex/index"
	"handex/parse"
)

// maxTermText is how much of each handoff is looked at for terms.
const maxTermText = 6 << 10

// A term is a word of a project's own, and what tells how likely it matters next.
type term struct {
	word     string // as it was first written
	handoffs int    // that have it
	seen     int    // position of the last of them, to count each once
	newest   bool   // the newest handoff has it
}

// terms are the words that recent handoffs, newest first, keep using: names of
// files, identifiers, words that are not everybody's. One that many of them have
// comes first, and of two alike the shorter.
func terms(handoffs []*index.Handoff) []string {
	if len(handoffs) < 2 {
		return nil
	}
	found := make(map[string]*term, 2048)
	for i, h := range handoffs {
		n := 0
		for _, text := range textsOf(h) {
			addTerms(found, text, i)
			if n += len(text); n > maxTermText {
				break
			}
		}
	}
	var list []*term
	for _, t := range found {
		if t.handoffs > 1 || t.newest && isName(t.word) {
			list = append(list, t)
		}
	}
	weight := func(t *term) int { return t.handoffs * 120 / (utf8.RuneCountInString(t.word) + 12) }
	slices.SortFunc(list, func(a, b *term) int {
		return cmp.Or(weight(b)-weight(a), strings.Compare(a.word, b.word))
	})
	words := make([]string, min(len(list), maxTerms))
	for i := range words {
		if words[i] = list[i].word; !isName(words[i]) && strings.ToUpper(words[i]) != words[i] {
			words[i] = strings.ToLower(words[i])
		}
	}
	return words
}

// maxTerms is how many terms are kept.
const maxTerms = 120

func textsOf(h *index.Handoff) []string {
	texts := []string{h.Title, h.Goal}
	for _, s := range h.Sections {
		if _, usual := parse.KindOf(s.Heading); !usual {
			texts = append(texts, s.Heading)
		}
		texts = append(texts, s.Body)
	}
	return texts
}

// addTerms counts the words of a text of handoff i.
func addTerms(found map[string]*term, text string, i int) {
	text = text[:min(len(text), maxTermText)]
	start, plainWord := -1, true
	for at, r := range text {
		switch {
		case inWord(r):
			if start < 0 {
				start, plainWord = at, true
			}
			plainWord = plainWord && r >= 'a' && r <= 'z'
		case start >= 0:
			addTerm(found, text[start:at], plainWord, i)
			start = -1
		}
	}
	if start >= 0 {
		addTerm(found, text[start:], plainWord, i)
	}
}

// inWord reports whether words and names of files are made of a character.
func inWord(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '-' <= r && r <= '9', r == '_':
		return true // - . / and the digits stand together
	case r < utf8.RuneSelf, r >= digest.FirstUnspaced:
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// addTerm counts a word of handoff i; plainWord says that it has small letters of
// ASCII alone.
func addTerm(found map[string]*term, word string, plainWord bool, i int) {
	key := word
	if !plainWord {
		word = strings.Trim(word, "./-_")
		if len(word) < 4 || len(word) > 60 || isNumber(word) || len(word) == 4 && !isName(word) {
			return
		}
		key = strings.ToLower(word)
	} else if len(word) < 5 || len(word) > 60 {
		return
	}
	t := found[key]
	if t == nil {
		if everyday()[key] {
			return
		}
		t = &term{word: word, seen: -1}
		found[key] = t
	}
	if t.seen != i {
		t.seen = i
		t.handoffs++
		t.newest = t.newest || i == 0
	}
}

// isName reports whether a word is one of a program's: a path, an identifier.
func isName(word string) bool {
	return strings.ContainsAny(word, "_/.") || strings.IndexFunc(word[1:], unicode.IsUpper) >= 0 && strings.IndexFunc(word, unicode.IsLower) >= 0
}

// isNumber reports whether a word is a number, a date, a version or a hash.
func isNumber(word string) bool {
	digits, letters := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > letters
}

// everyday are words of five letters and more that any handoff can have: those of
// grammar, and those of the work that all agents do.
var everyday = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 800)
	for w := range strings.FieldsSeq(`
about above across actual aren couldn didn doesn hasn haven isn shouldn wasn weren wouldn actually after again against ahead alone along already also although always among another anything anyway
around away back based because become becomes been before behind being below beside besides better between beyond both bring but
called came cannot carry catch cause certain change changed changes check checked checks clean cleanly clear clearly close closed
come comes complete completed completely confirm confirmed consider contains correct correctly could create created creates current
currently decide decided default detail details didn't different directly does doesn't doing done don't down during each earlier
early easy either else empty enough entire entirely entry especially even every everything exact exactly example except exist
existing exists expected explicit extra fails false fairly final finally find finding first fixed fixes follow following follows
found fresh from full fully further future gave general gets getting given gives going good great handle handled handles hard
having hence here however https http immediately important include included includes including inside instead isn't issue issues
itself just keep keeping keeps kind knew know known large last later latest least leave leaves left less level like likely line
lines list listed little local long longer look looks made main make makes making many matter matters means meant might minor
missing more most move moved much must name named names near nearly need needed needs never next none note noted notes nothing
number often once only open opened order original other others otherwise over overall part parts pass passed passes passing past
path paths pending perhaps place plain please point points possible present previous previously prior probably problem problems
proper properly provide provides quick quickly quite rather reach read reading ready real really reason recent recently related
remain remaining remains remove removed requires required result results return returns right rules running runs safe said same
save saved says second section seen separate session sessions several should show shown shows side similar simple simply since
single small some something soon specific start started starts state status stay stays step steps still stop such sure system
take taken takes task tasks than that their them then there therefore these they thing things third this those though three
through thus time times today together told total toward towards tried true truly turn under unless until update updated updates
upon used useful user users uses using usually value values various very want wants wasn't ways well went were what whatever when
where whether which while whole whose will with within without word words work worked working works worth would write writes
written wrong year yesterday your handoff handoffs purpose summary context commit commits committed branch added adding implement
implemented implementation verify verified verification successfully agent agents claude codex critical priority action actions
item items file files folder project projects output input source sources question questions blocker blockers gotcha gotchas risk
risks decision decisions reflection learned uncertain opportunities deferred ensure absent accept accepted allow allowed anyone apply applied
approach approved asked asks audit blocked board broken build building built calls called caught child children claim code command
commands count counts criteria deleted deliberately design detect discovered document documentation documents dropped error errors
existing failed failing failure features field fields finding findings finished fixing fixture generic gained green hello helper
helpers history honest index install installed landed layer limit limits live logic machine manual manually match matched matches
measured merge merged method missed model models modified module modules nobody optional outcome owner parent parts pattern
patterns phase phases pinned pipeline plans planned process product production prompt proof proven public pushed quality query
range record recorded references regression rejected release report reports resolved response resume reuse review reviewed scope
script scripts search session shape share shared shipped showing silent silently size stale standing stopped string strings suite
surface table target targets tested testing tests text title touched tries truth twice type types undocumented untouched usage
validate validation version versions waited warning warnings watch wired`) {
		m[w] = true
	}
	return m
})
