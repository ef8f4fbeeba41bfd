package render

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/OWNER/handex/query"
)

// Explanation is how a query is read and answered.
type Explanation struct {
	Schema       int       `json:"schema"`
	Query        queryInfo `json:"query"`
	Tree         string    `json:"tree"`
	Leaves       []leaf    `json:"leaves,omitempty"`
	SQL          string    `json:"sql,omitempty"`
	Args         []any     `json:"args,omitempty"`
	Steps        []Step    `json:"steps,omitempty"`
	Hits         int       `json:"hits"`
	Milliseconds int64     `json:"milliseconds"`
}

// Step is a condition by itself: how many handoffs meet it, and how long it
// took to find out.
type Step struct {
	Source       string `json:"source"`
	Rows         int    `json:"rows"`
	Microseconds int64  `json:"microseconds"`
}

// leaf is a piece of text as it is looked for.
type leaf struct {
	Source string   `json:"source"`
	Forms  []string `json:"forms,omitempty"`
	Match  string   `json:"match,omitempty"`
	Marks  string   `json:"marks,omitempty"`
	Check  string   `json:"check,omitempty"`
}

// Explain collects what handex explain shows of a query and its plan.
func Explain(q *query.Query, p *query.Plan) Explanation {
	notes := append(append([]string{}, q.Notes...), p.Notes...)
	return Explanation{
		Schema: Schema, Query: queryInfo{q.Text, q.Source(), notes}, Tree: q.Canonical(),
		Leaves: each(p.Leaves, func(l query.Leaf) leaf { return leaf{l.Source, l.Forms, l.Match, l.Marks, l.Check} }),
	}
}

// Explained writes an explanation.
func Explained(w io.Writer, e Explanation, o Options) error {
	facts := []fact{{"query", plainly(e.Query.Canonical)}, {"tree", plainly(e.Tree)}}
	for _, note := range e.Query.Notes {
		facts = append(facts, fact{"note", plainly(note)})
	}
	for _, l := range e.Leaves {
		facts = append(facts, fact{"text", []Span{{Text: Line(l.Source)}, {"  " + Line(l.describe()), Dim}}})
	}
	if e.SQL != "" {
		facts = append(facts, fact{"sql", plainly(e.SQL)}, fact{"args", plainly(argsText(e.Args))})
	}
	for _, s := range e.Steps {
		facts = append(facts, fact{"step", []Span{
			{Text: Line(s.Source) + "  " + strconv.Itoa(s.Rows)},
			paren(milliseconds(s.Microseconds)),
		}})
	}
	facts = append(facts, fact{"hits", []Span{{Text: strconv.Itoa(e.Hits)}, paren(fmt.Sprintf("%d ms", e.Milliseconds))}})
	p := &printer{Options: o, w: w}
	p.facts(facts...)
	return p.err
}

// milliseconds writes microseconds, to the tenth.
func milliseconds(micro int64) string {
	return strconv.FormatFloat(float64(micro)/1000, 'f', 1, 64) + " ms"
}

// describe returns how a leaf is looked for.
func (l leaf) describe() string {
	const most = 400 // bytes of an expression, which may name thousands of words
	text := "reads all texts"
	if match := cmp.Or(l.Match, l.Marks); len(match) > most {
		text = "index " + strings.ToValidUTF8(match[:most], "") + "…"
	} else if match != "" {
		text = "index " + match
	}
	if l.Check != "" {
		text += "; checked " + l.Check
	}
	return text
}

// argsText returns the arguments of a statement, texts in quotes.
func argsText(args []any) string {
	list := make([]string, len(args))
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			list[i] = strconv.Quote(text)
		} else {
			list[i] = fmt.Sprint(arg)
		}
	}
	return "[" + strings.Join(list, " ") + "]"
}
