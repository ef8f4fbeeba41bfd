package render

import (
	"io"

	"handex/index"
)

// Examined is what an examination of the index found, and what was done about
// it before.
type Examined struct {
	index.Examination
	Done []string
}

// Checkup writes facts, then what was done, then what is not as it should be.
func Checkup(w io.Writer, e *Examined, o Options) error {
	var facts []fact
	for _, f := range e.Facts {
		facts = append(facts, fact{f.Name, plainly(f.Value)})
	}
	for _, done := range e.Done {
		facts = append(facts, fact{"done", plainly(done)})
	}
	for _, f := range e.Findings {
		pieces := []Span{{f.Code + ": ", Bold}, {Text: f.Text}}
		if f.Remedy != "" {
			pieces = append(pieces, paren("handex doctor --fix"))
		}
		facts = append(facts, fact{"finding", pieces})
	}
	if len(e.Findings) == 0 {
		facts = append(facts, fact{"finding", plainly("none")})
	}
	p := &printer{Options: o, w: w}
	p.facts(facts...)
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
