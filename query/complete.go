package query

import "strings"

// Candidate is a way to finish a word: Text replaces the whole word.
type Candidate struct{ Text, Doc string }

// Completion is how the last word of a query can go on.
type Completion struct {
	Candidates []Candidate
	// Field is set where values of the field can follow, which the index
	// knows; each goes behind Before, and Typed is what there is of it.
	Field, Before, Typed string
}

// Complete finds what the last word of a query can become. An empty word can
// become anything; only a word with a colon has values.
func Complete(word string) Completion {
	sign := ""
	if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "!") {
		sign, word = word[:1], word[1:]
	}
	name := word[:nameEnd(word)]
	rest := word[len(name):]
	if name == "" && rest != "" {
		return Completion{}
	}
	if !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "=") {
		return Completion{Candidates: completeName(sign, word)}
	}
	return completeValue(sign, name, rest)
}

// completeName offers fields and directives.
func completeName(sign, typed string) []Candidate {
	var list []Candidate
	add := func(name, doc string) {
		if strings.HasPrefix(name, strings.ToLower(typed)) {
			list = append(list, Candidate{sign + name, doc})
		}
	}
	for _, f := range fields {
		if strings.HasSuffix(f.Name, ".") {
			add(f.Name, f.Doc)
		} else {
			add(f.Name+":", f.Doc)
		}
	}
	if sign == "" {
		for _, d := range directives {
			add(d.Name+":", d.Doc)
		}
	}
	return list
}

// completeValue offers what may follow the colon.
func completeValue(sign, name, rest string) Completion {
	f := lookup(name)
	if f == nil {
		return Completion{}
	}
	before, typed := sign+name+rest[:1], rest[1:]
	if i := strings.LastIndexByte(typed, ','); i >= 0 && (f.isKey() || f.Kind == fieldControl) {
		before, typed = before+typed[:i+1], typed[i+1:]
	}
	c := Completion{Before: before, Typed: typed}
	for _, v := range f.offers() {
		if strings.HasPrefix(v.Text, strings.ToLower(typed)) {
			c.Candidates = append(c.Candidates, Candidate{before + v.Text, v.Doc})
		}
	}
	if f.Group && (len(f.Values) == 0 || f.Name == "format") {
		c.Field = f.Name
	}
	return c
}

// offers returns the values that need no index.
func (f *Field) offers() []Candidate {
	switch {
	case f.Name == "is":
		var list []Candidate
		for _, s := range states {
			for _, name := range s.Spellings() {
				list = append(list, Candidate{name, s.Doc})
			}
		}
		return list
	case f.Name == "has" || f.Name == "no":
		return plain(thingNames())
	case f.Kind == FieldDate:
		return plain(dateWords)
	case f.names != nil:
		return plain(f.names())
	case f.Name == "member":
		return []Candidate{{Text: "me", Doc: "you, on any machine"}, {Text: here, Doc: "this machine"}}
	}
	return plain(f.Values)
}

func plain(names []string) []Candidate {
	return each(names, func(name string) Candidate {
		if f := lookup(name); f != nil {
			return Candidate{name, f.Doc}
		}
		return Candidate{Text: name}
	})
}
