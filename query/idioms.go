package query

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/OWNER/handex/query/internal/text"
)

// adjectives are the words for states, of one or two words, with the condition that each
// means; "" is no condition.
var adjectives = map[string]string{
	"all": "", "open": "is:open", "unresolved": "is:open", "closed": "is:closed", "escalated": "is:escalated",
	"latest": "is:latest", "newest": "is:latest", "superseded": "is:superseded", "stale": "is:stale",
	"valid": "is:valid", "invalid": "is:invalid", "legacy": "is:legacy", "blocked": "is:blocked",
	"pending": "is:pending", "sent": "is:sent", "failed": "is:failed", "completed": "is:completed",
	"finished": "is:completed", "delegated": "is:delegated", "waiting": "is:waiting",
	"acknowledged": "is:acked", "flawed": "is:warned", "handed over": "is:delegated", "old format": "is:legacy",
	"overwritten": "is:earlier", "replaced": "is:superseded", "stuck": "is:blocked",
}

// A phrase is an idiom of fixed words.
type phrase struct{ words, as, directive string }

// dates are the phrases for a date that count only behind another idiom.
var dates = []string{
	"today", "yesterday", "this week", "this month", "this quarter", "this year", "last week", "last month",
	"last quarter", "last year",
}

// phrases are all others, the longer of two that begin alike first.
var phrases = []phrase{
	{"failed approaches", "approach:failed", ""},
	{"handoffs waiting for me", "is:open is:waiting", ""},
	{"waiting for me", "is:open is:waiting", ""},
	{"needs human", "is:open is:waiting", ""},
	{"who needs me", "is:open is:waiting", ""},
	{"newest first", "sort:date-desc", "sort"},
	{"oldest first", "sort:date-asc", "sort"},
}

var nouns = map[string]string{
	"handoff": "", "handoffs": "", "sessions": "", "escalation": "is:escalated", "escalations": "is:escalated",
	"blockers": "has:blockers", "gotchas": "has:gotchas", "risks": "has:risks", "approaches": "has:approaches",
}

// idiom is a run of words and what it is read as.
type idiom struct {
	words int
	as    string // query text
	// directive idioms are allowed only at the top level; then as is one.
	directive string
	// wrong is the index of a word that spoils the idiom, 0 for none: what the
	// words before it promise must be a field or a date.
	wrong int
}

// readIdiom matches the longest idiom at the start of words, all bare and in
// lower case; nil if there is none. Some idioms count only behind another.
func readIdiom(words []string, behind bool) *idiom {
	return cmp.Or(phraseIdiom(words, behind), latestIdiom(words), countIdiom(words), adjectiveIdiom(words),
		sinceIdiom(words, behind))
}

// latestIdiom = ( "latest" | "newest" | "last" ) , [ int ] , [ "handoffs" ] , "per" , gfield .
func latestIdiom(words []string) *idiom {
	if w := words[0]; w != "latest" && w != "newest" && w != "last" {
		return nil
	}
	i, keep := 1, ""
	if n, err := strconv.Atoi(at(words, i)); err == nil && n > 0 {
		i, keep = i+1, " keep:"+strconv.Itoa(n)
	}
	if w := at(words, i); w == "handoffs" || w == "handoff" {
		i++
	}
	if at(words, i) != "per" || i+1 >= len(words) {
		return nil
	}
	return fieldIdiom("latest-per", words, i+1, keep)
}

// countIdiom = "count" , ( "by" | "per" ) , gfield .
func countIdiom(words []string) *idiom {
	if len(words) < 3 || words[0] != "count" || words[1] != "by" && words[1] != "per" {
		return nil
	}
	return fieldIdiom("count-by", words, 2, "")
}

// fieldIdiom returns an idiom that ends with a field to group by, the word i.
func fieldIdiom(directive string, words []string, i int, more string) *idiom {
	found := &idiom{words: i + 1, as: directive + ":" + words[i] + more, directive: directive}
	if !lookup(words[i]).groups() {
		found.wrong = i
	}
	return found
}

// phraseIdiom reads one of the phrases, behind another idiom or not.
func phraseIdiom(words []string, behind bool) *idiom {
	text := strings.Join(words[:min(len(words), 4)], " ") + " "
	for _, p := range phrases {
		if strings.HasPrefix(text, p.words+" ") {
			return &idiom{words: strings.Count(p.words, " ") + 1, as: p.as, directive: p.directive}
		}
	}
	for _, d := range dates {
		if behind && strings.HasPrefix(text, d+" ") {
			return &idiom{words: strings.Count(d, " ") + 1, as: "date:" + strings.ReplaceAll(d, " ", "-")}
		}
	}
	return nil
}

// adjectiveIdiom = adjective , { adjective } , noun .
func adjectiveIdiom(words []string) *idiom {
	var as []string
	for i := 0; i < len(words); i++ {
		if condition, ok := nouns[words[i]]; ok && i > 0 {
			as = appendNew(as, condition)
			if len(as) == 0 {
				as = []string{"*"}
			}
			return &idiom{words: i + 1, as: strings.Join(as, " ")}
		}
		condition, ok := adjectives[words[i]+" "+at(words, i+1)]
		if ok {
			i++
		} else if condition, ok = adjectives[words[i]]; !ok {
			return nil
		}
		as = appendNew(as, condition)
	}
	return nil
}

// appendNew leaves out what is empty or there already.
func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// sinceIdiom = ( "since" | "until" | "before" | "after" ) , date .
func sinceIdiom(words []string, behind bool) *idiom {
	if !slices.Contains([]string{"since", "until", "before", "after"}, words[0]) {
		return nil
	}
	for n := min(len(words)-1, 3); n > 0; n-- {
		if date := strings.Join(words[1:1+n], "-"); IsDate(date) {
			return &idiom{words: 1 + n, as: words[0] + ":" + date}
		}
	}
	if behind && len(words) > 1 && len(text.Suggest(words[1], dateWords)) > 0 {
		return &idiom{words: 2, as: words[0] + ":" + words[1], wrong: 1}
	}
	return nil
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// idiom reads an idiom from the run of bare lower-case words here, or nothing.
func (p *parser) idiom(behind bool) *node {
	words := p.run()
	if len(words) == 0 || p.inField {
		return nil
	}
	found := readIdiom(words, behind)
	if behind && found == nil {
		if found = inIdiom(words); found == nil {
			found = p.inProject()
		}
	}
	if found == nil {
		return nil
	}
	run := p.tokens[p.pos : p.pos+found.words]
	n := &node{kind: nodeIdiom, idiom: found, start: run[0].Start, end: run[len(run)-1].End, token: run[found.wrong]}
	if found.directive != "" && p.depth > 0 {
		return p.nested(found.directive, n.start, n.end)
	}
	spelled, err := parseNodes(found.as)
	if err != nil {
		p.err = n.blame(err)
		return nil
	}
	n.kids = []*node{spelled.root}
	for _, d := range spelled.directives {
		for _, kid := range d.kids {
			kid.start, kid.end = n.token.Start, n.token.End
		}
		d.start, d.end, d.idiom = n.start, n.end, found
		p.directives = append(p.directives, d)
	}
	p.pos += found.words
	if found.wrong == 0 {
		p.notes = append(p.notes, `read "`+p.text[n.start:n.end]+`" as `+found.as)
	}
	return n
}

// inIdiom = "in" , ( month | year | "progress" ) .
func inIdiom(words []string) *idiom {
	if words[0] != "in" || len(words) < 2 {
		return nil
	}
	if words[1] == "progress" {
		return &idiom{words: 2, as: "is:in-progress"}
	}
	for n := min(len(words)-1, 2); n > 0; n-- {
		if date := strings.Join(words[1:1+n], "-"); inDate().MatchString(date) && IsDate(date) {
			return &idiom{words: 1 + n, as: "date:" + date}
		}
	}
	return nil
}

// inDate is how a date that "in" can be said of begins: a year, or the name of a month.
var inDate = lazy(`^(?:\d{4}(?:-|$)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:-\d{4})?$)`)

// inProject reads "in" and the name of a project, which may have capitals. What follows
// an article is no name.
func (p *parser) inProject() *idiom {
	if p.peek().Text != "in" || p.peek().Kind != KindWord || p.tokens[p.pos+1].Kind != KindWord ||
		p.tokens[p.pos+2].Kind == KindNear {
		return nil
	}
	name := p.tokens[p.pos+1].Text
	if slices.Contains([]string{"the", "a", "an", "my", "our", "your", "this", "that", "all", "any", "each", "every"},
		name) {
		return nil
	}
	return &idiom{words: 2, as: "project:" + name}
}

// run returns the bare lower-case words from here on. One that NEAR binds is not among
// them.
func (p *parser) run() (words []string) {
	to := p.pos
	for ; p.tokens[to].Kind == KindWord && isBare(p.tokens[to].Text); to++ {
		words = append(words, p.tokens[to].Text)
	}
	if p.tokens[to].Kind == KindNear && len(words) > 0 {
		words = words[:len(words)-1]
	}
	return words
}

func isBare(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return unicode.IsUpper(r) || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("-:_@", r)
	})
}

// noteNegatedIdiom adds a note that NOT takes one word and not the idiom it begins.
func (p *parser) noteNegatedIdiom(op Token) {
	words := p.run()
	if len(words) < 2 {
		return
	}
	found := phraseIdiom(words, false)
	if found == nil || found.directive != "" {
		found = adjectiveIdiom(words)
	}
	if found != nil {
		p.notes = append(p.notes, p.text[op.Start:op.End]+` takes only the word "`+words[0]+
			`"; for the idiom write -(`+strings.Join(words[:found.words], " ")+")")
	}
}
