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
		pieces := []piece{{f.Code + ": ", bold}, {text: f.Text}}
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
	type finding struct {
		Code   string `json:"code"`
		Text   string `json:"text"`
		Remedy string `json:"remedy,omitempty"`
	}
	out := struct {
		Schema   int               `json:"schema"`
		Healthy  bool              `json:"healthy"`
		Facts    map[string]string `json:"facts"`
		Done     []string          `json:"done,omitempty"`
		Findings []finding         `json:"findings"`
	}{Schema, len(e.Findings) == 0, map[string]string{}, e.Done, []finding{}}
	for _, f := range e.Facts {
		out.Facts[f.Name] = f.Value
	}
	for _, f := range e.Findings {
		out.Findings = append(out.Findings, finding{f.Code, f.Text, string(f.Remedy)})
	}
	return JSON(w, out)
}
