package query_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// word draws a bare word: a piece, several run together, or one that stands in
// a handoff.
func (d drawer) word() string {
	if chance(d.T, 2) {
		texts := d.someone().texts("")
		slices.Sort(texts)
		if words := strings.Fields(oneOf(d.T, texts...)); len(words) > 0 {
			return strings.Trim(oneOf(d.T, words...), `"()|-!/\,.`)
		}
	}
	if chance(d.T, 4) {
		return strings.Join(strings.Fields(drawText(d.T, "word", 3)), "")
	}
	return strings.Join(strings.Fields(oneOf(d.T, textPieces...)), "")
}

// text draws a piece of text with everything that can be around it.
func (d drawer) text() string {
	if chance(d.T, 5) {
		return d.near()
	}
	return d.textValue()
}

// textValue draws what also may stand behind the name of a text field.
func (d drawer) textValue() string {
	switch rapid.IntRange(0, 11).Draw(d.T, "text") {
	case 0:
		return d.phrase()
	case 1:
		return d.phrase() + "*"
	case 2:
		return d.cut(d.word()) + "*"
	case 3:
		return "*" + escaped(d.word()) + "*"
	case 4:
		return "*" + escaped(drawText(d.T, "part", 2)) + oneOf(d.T, "*", "")
	case 5:
		return "/" + oneOf(d.T, sortedKeys(regexes)...) + "/"
	case 6:
		return oneOf(d.T, "tokne~", "refreshign~", "fixd~", "cafa~", "refresh~", "ötken~", "jwts~")
	case 7:
		return "(" + d.textOr(d.word()) + oneOf(d.T, " OR ", " ", " -") + d.textOr(d.phrase()) + ")"
	case 8:
		return "*"
	}
	return d.textOr(d.word())
}

// textOr is s, or a word where s is nothing.
func (d drawer) textOr(s string) string {
	if s == "" {
		return oneOf(d.T, "token", "x")
	}
	return s
}

// phrase draws quoted text, half of the time a stretch of a handoff's.
func (d drawer) phrase() string {
	text := drawText(d.T, "phrase", 3)
	if chance(d.T, 2) {
		texts := d.someone().texts("")
		slices.Sort(texts)
		words := strings.Fields(oneOf(d.T, texts...))
		if n := len(words); n > 0 {
			from := rapid.IntRange(0, n-1).Draw(d.T, "from")
			text = strings.Join(words[from:rapid.IntRange(from+1, n).Draw(d.T, "to")], oneOf(d.T, " ", "  ", "\n"))
		}
	}
	if chance(d.T, 4) {
		text = strings.ToLower(text)
	}
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	if chance(d.T, 8) {
		return "“" + text + "”"
	}
	return `"` + text + `"`
}

// cut leaves some of the first letters.
func (d drawer) cut(s string) string {
	runes := []rune(s)
	return string(runes[:min(len(runes), rapid.IntRange(2, 4).Draw(d.T, "letters"))])
}

// near draws words that stand near each other in a handoff, or any.
func (d drawer) near() string {
	if forms := nearForms(d.someone()); len(forms) > 0 && chance(d.T, 2) {
		return oneOf(d.T, forms...)
	}
	operator := oneOf(d.T, "NEAR", "NEAR/0", "NEAR/1", "NEAR/2", "NEAR/5")
	list := []string{d.nearPart(), d.nearPart()}
	if chance(d.T, 3) {
		list = append(list, d.nearPart())
	}
	return "(" + strings.Join(list, " "+operator+" ") + ")"
}

func (d drawer) nearPart() string {
	switch rapid.IntRange(0, 3).Draw(d.T, "part") {
	case 0:
		return oneOf(d.T, `"token refresh"`, `"fix one"`, `"one tok"*`, `"x"`)
	case 1:
		return oneOf(d.T, "tok*", "re*", "fi*")
	}
	return oneOf(d.T, "token", "fix", "one", "two", "refresh", "JWT", "a.b", "x", "token_refresh")
}

// escaped takes the meaning from all signs.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`()"-!:*?|/\,=<>{} `, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("\n", `\ `, "\u00a0", `\ `, "\u2028", `\ `).Replace(b.String())
}

// nearForms ask for words of a handoff with as many between as there are, and
// with one less.
func nearForms(h *handoff) []string {
	var list []string
	texts := h.texts("")
	slices.Sort(texts)
	for _, text := range texts {
		words := foldedWords(text)
		for i := 2; i < len(words); i++ {
			if strings.ContainsFunc(words[0]+words[i], spacelessLetter) {
				continue // found as parts of words, whose place nobody knows
			}
			list = append(list, fmt.Sprintf("(%s NEAR/%d %s)", words[i], i-1, words[0]), fmt.Sprintf("(%s NEAR/%d %s)", words[0], i-2, words[i]))
		}
	}
	return list
}
