package topic

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// A clue is what one term is worth for one kind.
type clue struct {
	kind   int
	points int
}

// A terminology has what each term is worth, by how the term is looked up.
type terminology struct {
	whole    map[string][]clue // words and phrases of single blanks
	stems    map[string][]clue // beginnings of words
	unspaced map[string][]clue // parts of words in scripts without spaces
	longest  int               // runes of the longest in unspaced
}

// maxPhrase is how many words the longest phrase of the lexicon has.
const maxPhrase = 5

var terms = sync.OnceValue(func() *terminology {
	t := &terminology{whole: map[string][]clue{}, stems: map[string][]clue{}, unspaced: map[string][]clue{}}
	for _, row := range lexicon() {
		if row.points == 0 {
			continue
		}
		c := clue{kindIndex(row.kind), row.points}
		for _, term := range row.terms {
			switch stem, isStem := strings.CutSuffix(term, "*"); {
			case scan.IsUnspaced(term):
				note(t.unspaced, term, c)
				t.longest = max(t.longest, len([]rune(term)))
			case isStem:
				note(t.stems, stem, c)
			default:
				note(t.whole, term, c)
			}
		}
	}
	return t
})

// note adds to in that a term is worth c. A term counts once for each kind, with the most
// points: without their accents the words of several languages are one.
func note(in map[string][]clue, term string, c clue) {
	for i, old := range in[term] {
		if old.kind == c.kind {
			in[term][i].points = max(old.points, c.points)
			return
		}
	}
	in[term] = append(in[term], c)
}

// termShare times its length is how long a zone is in which a term of a script
// without spaces counts whole.
// A term at either end of a zone is more often a word of its own: edgeShare.
const (
	termShare = 3
	edgeShare = 5
)

// phraseAt returns what the longest term is worth that words begin with, and how many words
// it has; nil and 0 if there is none.
func phraseAt(words []string) ([]clue, int) {
	t := terms()
	for n := min(len(words), maxPhrase); n > 0; n-- {
		if clues := t.whole[strings.Join(words[:n], " ")]; clues != nil {
			return clues, n
		}
	}
	word := strings.Trim(words[0], "'’*_-")
	if clues := t.whole[word]; clues != nil {
		return clues, 1
	}
	for end := len(word); end > 2; end-- {
		if clues := t.stems[word[:end]]; clues != nil {
			return clues, 1
		}
	}
	return nil, 0
}

// eachTerm calls found for each term of a zone, which is a part of a heading, with what it
// is worth for kinds and the share of these points that counts there, in percent. share is
// that of the zone.
func eachTerm(zone string, share int, found func(term string, clues []clue, share int)) {
	words := strings.FieldsFunc(zone, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",.;!?\"()[]", r)
	})
	if len(words) > maxHeadingWords {
		share = share * shareLong / 100
	}
	if scan.IsUnspaced(zone) {
		eachUnspaced(zone, share, found)
	}
	part := shareMain
	for i := 0; i < len(words); {
		clues, n := phraseAt(words[i:])
		if n == 0 {
			if prepositions[words[i]] && i > 0 {
				part = shareObject
			}
			i++
			continue
		}
		found(strings.Join(words[i:i+n], " "), clues, share*part/100)
		i += n
	}
}

// eachUnspaced does what eachTerm does, for the terms of scripts without spaces. Of those
// that start at one character the longest counts.
func eachUnspaced(zone string, share int, found func(term string, clues []clue, share int)) {
	runes := []rune(zone)
	for i := 0; i < len(runes); {
		n := 0
		if runes[i] >= scan.FirstUnspaced {
			for n = min(len(runes)-i, terms().longest); n > 0; n-- {
				term := string(runes[i : i+n])
				if clues := terms().unspaced[term]; clues != nil {
					// Without spaces a term may be a part of any word: in a long zone
					// it says less.
					part := share * termShare * n / len(runes)
					if i == 0 || i+n == len(runes) {
						part = share * edgeShare * n / len(runes)
					}
					found(term, clues, min(share, part))
					break
				}
			}
		}
		i += max(n, 1)
	}
}

// prepositions begin the part of a heading that says what its main word is for.
var prepositions = scan.FoldedSet(`for of from before after beyond in by with per pour de du des para do da für von
	för av från di del della`)

// zonePoints returns the points that the terms of a zone give to each kind; share is what
// they count, in percent.
func zonePoints(zone string, share int) scores {
	var t scores
	eachTerm(zone, share, func(_ string, clues []clue, share int) {
		for _, c := range clues {
			t[c.kind] += int16(c.points * share / 100)
		}
	})
	return t
}

// zoneShare returns what the terms of part i of a heading count, in percent. before has the
// points of the parts before it.
func zoneShare(i int, before scores) int {
	switch {
	case i == 0:
		return shareMain
	case before == (scores{}):
		return shareAlone
	}
	return shareAside
}

// Shares of a term's points, in percent, by where it is in a heading.
const (
	shareMain   = 100
	shareAside  = 60 // behind a dash or colon, or in parentheses
	shareAlone  = 90 // there, where the rest of the heading says nothing
	shareObject = 50 // behind a preposition: "commands for the next session"
	shareLong   = 50 // in a sentence
)

// scores is the points for each kind, in the order of kinds.
type scores [len(kinds)]int16

func (t *scores) add(o scores) {
	for i := range t {
		t[i] += o[i]
	}
}

// decide returns the kind with the most points, Other if none has enough. Of equal
// kinds the first in kinds wins.
func (t *scores) decide() Kind {
	best, most := Other, int16(0)
	for i, k := range kinds {
		if k != Other && t[i] > most {
			best, most = k, t[i]
		}
	}
	least := int16(minLoose)
	if Strict[best] {
		least = minStrict
	}
	if most < least || most <= t[kindIndex(Other)] {
		return Other
	}
	return best
}

// The points a kind needs. Kinds for "what is next", "what blocks" and the like
// need more, for a section that is taken for one wrongly is worse than
// a section of no kind.
const (
	minStrict = 6
	minLoose  = 4
)

//go:embed terms.txt
var termsText string

// A lexiconRow is a row of terms.txt: usual headings where points is 0.
type lexiconRow struct {
	kind   Kind
	points int
	terms  []string
}

// lexicon is the table of terms.txt, without the accents of its terms, which many
// leave out.
var lexicon = sync.OnceValue(func() []lexiconRow {
	var rows []lexiconRow
	for head, terms := range scan.Lexicon(scan.FoldAccents(termsText)) {
		kind, points, _ := strings.Cut(head, " ")
		rows = append(rows, lexiconRow{Kind(kind), scan.Atoi(points), terms})
	}
	return rows
})

// usualHeadings are the kinds of whole headings.
var usualHeadings = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for _, row := range lexicon() {
		if row.points > 0 {
			continue
		}
		for _, heading := range row.terms {
			m[heading] = row.kind
		}
	}
	return m
})

// maxHeadingWords is where a heading becomes a sentence, in which a term is an
// ordinary word.
const maxHeadingWords = 9

// joiners are the signs that mean "and"; a slash among blanks parts a heading
// as a dash does.
var joiners = strings.NewReplacer("’", "'", "_", " ", "&", " and ", " / ", " / ", "/", " and ")

// headingParts returns the parts of a heading in lower case, without numbers and signs
// around them: first the main one, then what is behind dashes and colons, then what is
// in brackets. whole is the heading without brackets.
func headingParts(head string) (whole string, parts []string) {
	s := joiners.Replace(withoutPaths(scan.FoldAccents(strings.ToLower(scan.SplitCamel(scan.Plain(head))))))
	s, inside := splitBrackets(s)
	s = unnumber(s)
	for _, p := range append(dashes().Split(s, -1), inside...) {
		if p = joinFields(unnumber(p)); p != "" {
			parts = append(parts, p)
		}
	}
	return joinFields(s), parts
}

func joinFields(s string) string { return strings.Join(strings.Fields(s), " ") }

// splitBrackets splits a text into what is outside of brackets and what is in them.
func splitBrackets(s string) (rest string, inside []string) {
	var b strings.Builder
	for {
		open := strings.IndexAny(s, "([（【")
		if open < 0 {
			break
		}
		r, size := utf8.DecodeRuneInString(s[open:])
		shut := strings.IndexRune(s[open+size:], closing[r])
		if shut < 0 {
			break
		}
		b.WriteString(s[:open] + " ")
		inside = append(inside, s[open+size:open+size+shut])
		s = s[open+size+shut+utf8.RuneLen(closing[r]):]
	}
	b.WriteString(s)
	return b.String(), inside
}

var closing = map[rune]rune{'(': ')', '[': ']', '（': '）', '【': '】'}

// dashes split a heading: colons, long dashes and arrows, and other signs that are among
// blanks.
var dashes = scan.Pattern(`[—:：→]| [–|/·-] `)

// numbering begins a heading: "1.2", "a)" or "Step 3:".
var numbering = scan.Pattern(`^(?:[0-9]+(?:\.[0-9]+)* |(?:(?i:step|part|section) +|§ *)?` +
	`(?:[0-9]+(?:\.[0-9]+)*|[ivxIVX]{1,5}|[0-9A-Za-z])[.):] )`)

// unnumber removes the numbering of a heading, and the signs around it.
func unnumber(s string) string {
	s = scan.TrimMarks(s)
	return scan.TrimMarks(s[len(numbering().FindString(s)):])
}
