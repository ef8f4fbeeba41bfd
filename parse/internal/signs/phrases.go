package signs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"handex/parse/internal/scan"
)

// A phrase is a line as the signs of states see it: its words in lower case,
// parted at hyphens and underscores, and its punctuation as words of their own.
type phrase []string

// maxPhraseWords is how much of a line is looked at.
const maxPhraseWords = 120

func phraseOf(line string) phrase { return appendPhrase(nil, line) }

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

func (p phrase) at(i int) string {
	if i < 0 || i >= len(p) {
		return ""
	}
	return p[i]
}

// clauseEnds part a line into clauses.
var clauseEnds = scan.Set(".", ";", ",", "|", "(", ")", "—", "–", "!", "?", "→")

// before reports whether one of words is among the n words before i, in the
// same clause.
func (p phrase) before(i, n int, words map[string]bool) bool {
	for j := i - 1; j >= 0 && j >= i-n && !clauseEnds[p[j]]; j-- {
		if words[p[j]] {
			return true
		}
	}
	return false
}

// after is before for the n words behind i.
func (p phrase) after(i, n int, words map[string]bool) bool {
	for j := i + 1; j < len(p) && j <= i+n && !clauseEnds[p[j]]; j++ {
		if words[p[j]] {
			return true
		}
	}
	return false
}

// ends reports whether a clause or a label ends at i.
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

// denied reports whether one of the three words before i takes what is said there
// back, or makes it a possibility.
func (p phrase) denied(i int, words map[string]bool) bool { return p.before(i, 3, words) }

// settledAfter reports whether what is behind i says that it is settled: "none",
// "resolved".
func (p phrase) settledAfter(i int) bool {
	for j := i + 1; j <= i+4 && j < len(p); j++ {
		if settled[p[j]] {
			return true
		}
	}
	return false
}
