package parse

// The shape readers and their results, opened for the tests.

type (
	Outline struct {
		Head     string
		HeadEnd  int
		Fields   []RawField
		Sections []RawSection
		Problems []Problem
		Docs     int
		Roots    []string
	}
	RawField struct {
		Key, Label, Value string
		Span              Span
		Null              bool
		List              []string
	}
	RawSection struct {
		Key, Heading string
		Level        int
		Body         string
		Lines        []int
		Span         Span
	}
)

func ReadYAML(text string) Outline { return opened(readYAML(text)) }

func ReadJSON(text string) Outline { return opened(readJSON(text)) }

func ReadXML(text string, known func(string) bool) Outline { return opened(readXML(text, known)) }

func opened(o outline) Outline {
	out := Outline{Head: o.head, HeadEnd: o.headEnd, Problems: o.problems, Docs: o.docs, Roots: o.roots}
	for _, f := range o.fields {
		out.Fields = append(out.Fields, RawField{f.key, f.label, f.value, f.span, f.null, f.list})
	}
	for _, s := range o.sections {
		out.Sections = append(out.Sections, RawSection{s.key, s.heading, s.level, s.body, s.lines, s.span})
	}
	return out
}
