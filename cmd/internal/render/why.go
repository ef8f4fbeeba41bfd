package render

import (
	"io"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Verdict is what becomes of a file.
type Verdict struct {
	Path     string  `json:"path"`
	Exists   bool    `json:"exists"`
	Folder   bool    `json:"folder,omitempty"`  // Indexed is whether it is searched
	Indexed  bool    `json:"indexed"`           // or would be, if it existed
	Root     string  `json:"root,omitempty"`    // the folder that contains it
	Rule     string  `json:"rule"`              // what decided
	Skipped  string  `json:"skipped,omitempty"` // why it is not, though its path says so
	Handoffs []Found `json:"handoffs,omitempty"`
}

// Found is a handoff that was read from a file.
type Found struct {
	ID       string   `json:"id"`
	Format   string   `json:"format"`
	Project  string   `json:"project"`
	Problems []object `json:"problems,omitempty"`

	problems []parse.Problem
}

// FoundIn returns what a verdict says about a handoff.
func FoundIn(h *index.Handoff) Found {
	return Found{h.ID, h.Format, h.Project, each(h.Problems, problemObject), h.Problems}
}

// pathly returns a path as the value of a fact.
func pathly(path string) []Span {
	if path == "" {
		return nil
	}
	return []Span{{Text: Path(path)}}
}

// Why writes a verdict.
func Why(w io.Writer, v Verdict, o Options) error {
	indexed := "no"
	switch {
	case v.Indexed && v.Exists:
		indexed = "yes"
	case v.Indexed:
		indexed = "it would be, but there is no such file"
	case !v.Exists:
		indexed = "no, and there is no such file"
	}
	what := "indexed"
	if v.Folder {
		what = "searched"
	}
	facts := []fact{
		{"path", pathly(v.Path)},
		{what, []Span{{indexed, Bold}}},
		{"because", plainly(v.Rule)},
		{"but", plainly(v.Skipped)},
		{"root", pathly(v.Root)},
	}
	for _, h := range v.Handoffs {
		facts = append(facts,
			fact{"handoff", []Span{{h.ID, Yellow}, {Text: "  as " + Line(h.Format) + " of " + Line(h.Project)}}})
	}
	p := &printer{Options: o, w: w}
	p.facts(facts...)
	for _, h := range v.Handoffs {
		p.problems(h.problems)
	}
	return p.err
}
