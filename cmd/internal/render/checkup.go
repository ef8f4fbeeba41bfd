package render

import (
	"io"
	"strconv"

	"github.com/OWNER/handex/index"
)

// Examined is what an examination of the index found, and what was done about
// it before.
type Examined struct {
	index.Examination
	Done []string
}

// Checkup writes what was done, what is not as it should be, and a sentence that sums it
// up. Before, if they are wanted, it writes the facts.
func Checkup(w io.Writer, e *Examined, details bool, o Options) error {
	var facts []fact
	if details {
		facts = each(e.Facts, func(f index.Fact) fact { return fact{f.Name, plainly(f.Value)} })
	}
	for _, done := range e.Done {
		facts = append(facts, fact{"done", plainly(done)})
	}
	fixable := 0
	for _, f := range e.Findings {
		pieces := []Span{{f.Code + ": ", Bold}, {Text: f.Text}}
		if f.Remedy != "" {
			fixable++
			pieces = append(pieces, paren("handex doctor --fix"))
		}
		facts = append(facts, fact{"finding", pieces})
	}
	p := &printer{Options: o, w: w}
	p.facts(facts...)
	found := Several(len(e.Findings), "finding")
	switch {
	case len(e.Findings) == 0:
		p.line(Span{Text: "Nothing is wrong with the index."})
	case fixable == 0:
		p.line(Span{Text: found + "; handex cannot repair any of them."})
	default:
		p.line(Span{Text: found + "; handex doctor --fix repairs " + strconv.Itoa(fixable) + " of them."})
	}
	return p.err
}

// CheckupJSON writes the same as one object.
func CheckupJSON(w io.Writer, e *Examined) error {
	facts := map[string]string{}
	for _, f := range e.Facts {
		facts[f.Name] = f.Value
	}
	return JSON(w, object{
		{"schema", Schema},
		{"healthy", len(e.Findings) == 0},
		{"facts", always{facts}},
		{"done", e.Done},
		{"findings", all(e.Findings, func(f index.Finding) object {
			return object{{"code", always{f.Code}}, {"text", always{f.Text}}, {"remedy", f.Remedy}}
		})},
	})
}
