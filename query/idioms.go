package query

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"handex/query/internal/text"
)

// Idiom is a row of the table of idioms: plain words that are read as
// conditions or directives.
type Idiom struct {
	Form    string
	Doc     string
	Example string
}

var idiomTable = []Idiom{
	{"ADJECTIVE... NOUN", "a state and what to list: open escalations, stale handoffs, pending sessions", "open escalations"},
	{"failed approaches", "an approach was tried and failed", "failed approaches"},
	{"[handoffs] waiting for me, needs human, who needs me", "what is open and asks a person for something", "who needs me"},
	{"latest [N] [handoffs] per FIELD", "only the newest of each value", "latest 3 handoffs per project"},
	{"count by FIELD", "counts instead of hits", "blocked handoffs count by project"},
	{"newest first, oldest first", "order of the hits", "open handoffs oldest first"},
	{"since DATE, until DATE, before DATE, after DATE", "when", "open escalations since yesterday"},
	{"today, yesterday, this week, last month", "when, behind another idiom", "open escalations this week"},
}

// Idioms is the table of idioms in the order of the help; the caller must not
// change it.
func Idioms() []Idiom { return idiomTable }

// adjectives and the condition each stands for; "" is no condition.
var adjectives = map[string]string{
	"all": "", "open": "is:open", "unresolved": "is:open", "closed": "is:closed", "escalated": "is:escalated",
	"latest": "is:latest", "newest": "is:latest", "superseded": "is:superseded", "stale": "is:stale",
	"valid": "is:valid", "invalid": "is:invalid", "legacy": "is:legacy", "blocked": "is:blocked",
	"pending": "is:pending", "sent": "is:sent", "failed": "is:failed", "completed": "is:completed",
	"finished": "is:completed", "delegated": "is:delegated", "waiting": "is:waiting",
}

// phrases are idioms of fixed words, the longer of two that begin alike first.
var phrases = []struct{ words, as string }{
	{"failed approaches", "approach:failed"},
	{"handoffs waiting for me", "is:open is:waiting"},
	{"waiting for me", "is:open is:waiting"},
	{"needs human", "is:open is:waiting"},
	{"who needs me", "is:open is:waiting"},
}

var nouns = map[string]string{
	"handoff": "", "handoffs": "", "sessions": "", "escalation": "is:escalated", "escalations": "is:escalated",
	"blockers": "has:blockers", "gotchas": "has:gotchas", "risks": "has:risks", "approaches": "has:approaches",
}

// idiom is a run of words and what it is read as.
type idiom struct {
	words int
	as    string // query text
	// directive idioms stand only at the top level; then as is one.
	directive string
	// wrong is the index of a word that spoils the idiom, else -1: what the
	// words before it promise must be a field or a date.
	wrong int
	code  string
}

// readIdiom matches the longest idiom at the start of words, all bare and in
// lower case; nil if there is none. isDate tells dates; some idioms count only
// behind another.
func readIdiom(words []string, behind bool, isDate func(string) bool) *idiom {
	for _, read := range []func([]string) *idiom{latestIdiom, countIdiom, orderIdiom, stateIdiom} {
		if i := read(words); i != nil {
			return i
		}
	}
	if i := sinceIdiom(words, behind, isDate); i != nil {
		return i
	}
	if behind {
		return dayIdiom(words)
	}
	return nil
}

// latestIdiom = ( "latest" | "newest" | "last" ) , [ int ] , [ "handoffs" ] , "per" , gfield .
func latestIdiom(words []string) *idiom {
	if w := words[0]; w != "latest" && w != "newest" && w != "last" {
		return nil
	}
	i, keep := 1, 0
	if n, err := strconv.Atoi(at(words, i)); err == nil && n > 0 {
		i, keep = i+1, n
	}
	if w := at(words, i); w == "handoffs" || w == "handoff" {
		i++
	}
	if at(words, i) != "per" || i+1 >= len(words) {
		return nil
	}
	as := "latest-per:" + words[i+1]
	if keep > 0 {
		as += " keep:" + strconv.Itoa(keep)
	}
	return &idiom{words: i + 2, as: as, directive: "latest-per", wrong: wrongField(words, i+1)}
}

// countIdiom = "count" , ( "by" | "per" ) , gfield .
func countIdiom(words []string) *idiom {
	if len(words) < 3 || words[0] != "count" || words[1] != "by" && words[1] != "per" {
		return nil
	}
	return &idiom{words: 3, as: "count-by:" + words[2], directive: "count-by", wrong: wrongField(words, 2)}
}

// orderIdiom = ( "newest" | "oldest" ) , "first" .
func orderIdiom(words []string) *idiom {
	if at(words, 1) != "first" {
		return nil
	}
	switch words[0] {
	case "newest":
		return &idiom{words: 2, as: "sort:date-desc", directive: "sort", wrong: -1}
	case "oldest":
		return &idiom{words: 2, as: "sort:date-asc", directive: "sort", wrong: -1}
	}
	return nil
}

// stateIdiom = phrase | adjective , { adjective } , noun .
func stateIdiom(words []string) *idiom {
	for _, p := range phrases {
		if n := strings.Count(p.words, " ") + 1; len(words) >= n && strings.Join(words[:n], " ") == p.words {
			return &idiom{words: n, as: p.as, wrong: -1}
		}
	}
	return adjectiveIdiom(words)
}

// adjectiveIdiom = adjective , { adjective } , noun .
func adjectiveIdiom(words []string) *idiom {
	var as []string
	for i, w := range words {
		if condition, ok := nouns[w]; ok && i > 0 {
			as = appendNew(as, condition)
			if len(as) == 0 {
				as = []string{"*"}
			}
			return &idiom{words: i + 1, as: strings.Join(as, " "), wrong: -1}
		}
		condition, ok := adjectives[w]
		if !ok {
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
func sinceIdiom(words []string, behind bool, isDate func(string) bool) *idiom {
	switch words[0] {
	case "since", "until", "before", "after":
	default:
		return nil
	}
	for n := min(len(words)-1, 3); n > 0; n-- {
		if date := strings.Join(words[1:1+n], "-"); isDate(date) {
			return &idiom{words: 1 + n, as: words[0] + ":" + date, wrong: -1}
		}
	}
	if behind && len(words) > 1 && len(text.Suggest(words[1], dateWords)) > 0 {
		return &idiom{words: 2, as: words[0] + ":" + words[1], wrong: 1, code: "bad-date"}
	}
	return nil
}

// dayIdiom = "today" | "yesterday" | ( "this" | "last" ) , unit .
func dayIdiom(words []string) *idiom {
	if w := words[0]; w == "today" || w == "yesterday" {
		return &idiom{words: 1, as: "date:" + w, wrong: -1}
	}
	if words[0] != "this" && words[0] != "last" {
		return nil
	}
	switch at(words, 1) {
	case "week", "month", "quarter", "year":
		return &idiom{words: 2, as: "date:" + words[0] + "-" + words[1], wrong: -1}
	}
	return nil
}

func wrongField(words []string, i int) int {
	if groupField(words[i]) == nil {
		return i
	}
	return -1
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// idiom reads an idiom from the run of bare lower-case words here, or nothing.
func (p *parser) idiom(behind bool) *node {
	run := p.run()
	if len(run) == 0 || p.inField {
		return nil
	}
	words := make([]string, len(run))
	for i, t := range run {
		words[i] = t.Text
	}
	found := readIdiom(words, behind, isDate)
	if found == nil || found.words == 1 && !behind {
		return nil
	}
	first, last := run[0], run[found.words-1]
	n := &node{kind: nodeIdiom, idiom: found, start: first.Start, end: last.End, token: first}
	if found.wrong >= 0 {
		n.token = run[found.wrong]
	}
	if found.directive != "" && p.depth > 0 {
		return p.fail("nested-directive", n.start, n.end,
			found.directive+": can stand only at the top level, not inside parentheses, OR or NOT", "move it to the end of the query")
	}
	p.pos += found.words
	p.idiomDirective(n)
	if found.wrong < 0 {
		p.notes = append(p.notes, `read "`+strings.Join(words[:found.words], " ")+`" as `+found.as)
	}
	return n
}

// idiomDirective moves an idiom that is a directive out of the condition.
func (p *parser) idiomDirective(n *node) {
	if n.idiom.directive != "" {
		p.directives = append(p.directives, n)
	}
}

// run is the bare lower-case words from here on. One that NEAR binds is not
// among them.
func (p *parser) run() []Token {
	from, to := p.pos, p.pos
	for p.tokens[to].Kind == KindWord && isBare(p.tokens[to].Text) {
		to++
	}
	if p.tokens[to].Kind == KindNear && to > from {
		to--
	}
	return p.tokens[from:to]
}

func isBare(word string) bool {
	for _, r := range word {
		if unicode.IsUpper(r) || !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '-' && r != ':' && r != '_' && r != '@' {
			return false
		}
	}
	return true
}

// noteNegatedIdiom tells that NOT takes one word and not the idiom it begins.
func (p *parser) noteNegatedIdiom(op Token) {
	run := p.run()
	words := make([]string, len(run))
	for i, t := range run {
		words[i] = t.Text
	}
	if len(words) < 2 {
		return
	}
	if found := stateIdiom(words); found != nil {
		p.notes = append(p.notes, p.text[op.Start:op.End]+` takes only the word "`+words[0]+`"; for the idiom write -(`+strings.Join(words[:found.words], " ")+")")
	}
}
