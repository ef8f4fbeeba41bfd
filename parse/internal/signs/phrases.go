package signs

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// A phrase is a line as a list of words in lower case. Hyphens and underscores separate
// words, and punctuation marks are words of their own.
type phrase []string

// maxPhraseWords is how much of a line is looked at.
const maxPhraseWords = 120

func phraseOf(line string) phrase { return appendPhrase(nil, line) }

// appendPhrase appends the words of a line to a phrase, up to maxPhraseWords.
func appendPhrase(p phrase, line string) phrase {
	start := -1
	flush := func(end int) {
		if start >= 0 {
			p = append(p, strings.ToLower(line[start:end]))
			start = -1
		}
	}
	for i, r := range line {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '\'', r == '’':
			if start < 0 {
				start = i
			}
		default:
			flush(i)
			if r != ' ' && r != '-' && r != '_' && r != '*' && r != '`' && r != '"' && r != '\t' {
				p = append(p, line[i:i+utf8.RuneLen(r)])
			}
		}
		if len(p) >= maxPhraseWords {
			return p
		}
	}
	flush(len(line))
	return p
}

// some reports whether a condition is true for the index of one of the words.
func (p phrase) some(is func(i int) bool) bool {
	for i := range p {
		if is(i) {
			return true
		}
	}
	return false
}

// at returns word i, "" if there is none.
func (p phrase) at(i int) string {
	if i < 0 || i >= len(p) {
		return ""
	}
	return p[i]
}

// clauseEnds part a line into clauses.
var clauseEnds = scan.Set(". ; , | ( ) — – ! ? →")

// before reports whether one of words is among the n words before i, in the
// same clause.
func (p phrase) before(i, n int, words map[string]bool) bool { return p.near(i, -1, n, words) }

// after is like before, for the n words behind i.
func (p phrase) after(i, n int, words map[string]bool) bool { return p.near(i, 1, n, words) }

// near reports whether one of words is among the n words before i (step is -1) or behind it
// (step is 1), in the same clause.
func (p phrase) near(i, step, n int, words map[string]bool) bool {
	for ; n > 0; n-- {
		if i += step; p.at(i) == "" || clauseEnds[p[i]] {
			return false
		}
		if words[p[i]] {
			return true
		}
	}
	return false
}

// ends reports whether word i ends a clause or a label, or is behind the last word.
func (p phrase) ends(i int) bool {
	w := p.at(i)
	return w == "" || w == ":" || w == "：" || clauseEnds[w]
}

// alone reports whether the word at i begins a cell of a table that has little
// more.
func (p phrase) alone(i int) bool {
	if p.at(i-1) != "|" {
		return false
	}
	for j := i + 1; j <= i+4; j++ {
		if w := p.at(j); w == "|" || w == "" || w == "—" || w == "(" {
			return true
		}
	}
	return false
}

// denied reports whether one of the three words before i is in words, which deny what word i
// says or make it a possibility.
func (p phrase) denied(i int, words map[string]bool) bool { return p.before(i, 3, words) }

// settledAfter reports whether one of the four words behind i says that the matter is
// settled: "none", "resolved".
func (p phrase) settledAfter(i int) bool {
	return slices.ContainsFunc(p[min(i+1, len(p)):min(i+5, len(p))], func(w string) bool { return settled[w] })
}

// triggers are beginnings of words, in small letters, one of which a line with a
// sign has: most lines have none, and are not taken apart.
var triggers = scan.Phrases(`block|wait|await|hold|stuck|proceed|nothing|gated|user|owner|operator|human|maintainer|
	stakeholder|client|founder|moderator|mod |customer|your|decision|approv|sign|ahead|input|action|manual|
	permission|clarif|ratif|ok|hands|bloqu|bloccat|warte|aguardando|attente|attesa|freigabe|entscheidung|validation|
	valider|manuels|precisa|décider|väntar|kräver`)

// triggersBy are the triggers by the lower bits of their first two bytes.
var triggersBy = sync.OnceValue(func() *[32][32][]string {
	var t [32][32][]string
	for _, w := range triggers {
		at := &t[w[0]&31][w[1]&31]
		*at = append(*at, w)
	}
	return &t
})

// Next returns the offset of the next word, from an offset on, that begins like a word of a
// sign, or of the next East Asian or Cyrillic letter; -1 if there is none. Text before that
// has no sign.
func Next(text string, from int) int {
	by := triggersBy()
	for i := from; i+1 < len(text); i++ {
		switch scan.ScriptOf[text[i]] {
		case scan.NoLetter:
			continue
		case scan.Eastern:
			return i
		case scan.Latin:
			for _, w := range by[text[i]&31][text[i+1]&31] {
				if len(text)-i >= len(w) && strings.EqualFold(text[i:i+len(w)], w) {
					return i
				}
			}
		}
		for i+1 < len(text) && (scan.ScriptOf[text[i+1]] == scan.Latin || scan.ScriptOf[text[i+1]] == scan.Accented) {
			i++
		}
	}
	return -1
}

// overWords say that what a line names is over.
var overWords = scan.Set("resolved cleared unblocked lifted longer fixed satisfied done closed landed")

// IsOver reports whether a line says that what it names is over: it is struck through or
// ticked, or contains a word such as "resolved" that nothing denies.
func IsOver(line string) bool {
	if isStruck(line) {
		return true
	}
	p := phraseOf(line)
	return p.some(func(i int) bool {
		isFalse := p.at(i+1) == ":" && p.at(i+2) == "false"
		return overWords[p[i]] && (p[i] != "longer" || p.at(i-1) == "no") && !isFalse && !p.denied(i, notOver) &&
			!slices.ContainsFunc(p[:i], isCondition)
	})
}

// notOver are words that deny a word of overWords behind them.
var notOver = scan.Set("not no never n't isn't aren't wasn't yet nothing neither un half partly partially")

// isCondition reports whether a word says that something is to happen first.
func isCondition(w string) bool {
	return conditions[w] || w == "before" || w == "if" || w == "till" || w == "waits" || w == "wait"
}

// isStruck reports whether a line contains strikethrough or a tick.
func isStruck(line string) bool {
	return strings.Contains(line, "~~") || strings.Contains(line, "✅") || strings.Contains(line, "[x]") ||
		strings.Contains(line, "[X]")
}

// doneStatuses are the statuses of a record that is done, and so says nothing about now.
var doneStatuses = scan.Set("completed complete done resolved closed merged shipped passed cancelled superseded")

// isDoneStatus reports whether word i begins "status: done" or the like, which says that a
// record in one line is done.
func (p phrase) isDoneStatus(i int) bool {
	return p[i] == "status" && p.at(i+1) == ":" && doneStatuses[p.at(i+2)]
}

// IsDenied reports whether one of the last three words of a text, such as "not", denies the
// word that follows the text.
func IsDenied(before string) bool {
	p := phraseOf(before)
	return p.denied(len(p), denials)
}
