package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"handex/cmd/internal/hooks"
	"handex/index"
	"handex/query"
)

// argument completes a word that is neither a command nor a flag.
func (l *typedLine) argument() []query.Candidate {
	p := l.positional()
	if p == nil {
		return nil
	}
	switch p.Name {
	case "query":
		return l.condition()
	case "name|query":
		if len(l.words) == 0 {
			return append(begins(l.word, l.reportNames()), l.condition()...)
		}
		return l.condition()
	case "path|query":
		if strings.ContainsAny(l.word, "/.") {
			return []query.Candidate{{Text: files}}
		}
		return append(l.condition(), query.Candidate{Text: files})
	case "field":
		return begins(l.word, countable())
	case "id|path", "other":
		if strings.ContainsAny(l.word, "/.") {
			return []query.Candidate{{Text: files}}
		}
		return begins(l.word, l.newest())
	case "path":
		return []query.Candidate{{Text: files}}
	case "dir":
		return []query.Candidate{{Text: folders}}
	case "shell":
		return begins(l.word, texts(shells))
	case "topic":
		topics := []query.Candidate{{Text: "query"}, {Text: "fields"}, {Text: "is"}, {Text: "dates"}}
		return begins(l.word, append(topics, commands(l.parser.Model.Node)...))
	case "agent":
		return begins(l.word, texts(hooks.Names()))
	case "name":
		return begins(l.word, l.savedNames())
	}
	return nil
}

// positional is the argument that is being typed; the last takes all others.
func (l *typedLine) positional() *kong.Positional {
	args := l.node.Positional
	if len(args) == 0 {
		return nil
	}
	return args[min(len(l.words), len(args)-1)]
}

// condition completes a word of a query.
func (l *typedLine) condition() []query.Candidate {
	c := query.Complete(l.word)
	list := c.Candidates
	if name, typed, ok := strings.Cut(strings.TrimLeft(l.word, "-!"), ":"); ok {
		before := l.word[:len(l.word)-len(typed)]
		switch name {
		case "query":
			return begins(l.word, prefixed(before, l.savedNames()))
		case "agent":
			return append(l.values("from", before, typed), l.values("to", before, typed)...)
		}
	}
	if c.Field != "" {
		live := l.values(c.Field, c.Before, c.Typed)
		known := func(x query.Candidate) bool {
			return slices.ContainsFunc(live, func(y query.Candidate) bool { return x.Text == y.Text })
		}
		list = slices.Concat(live, slices.DeleteFunc(list, known))
	}
	return list
}

// countable are the fields of values, latest-per and the like.
func countable() []query.Candidate {
	var list []query.Candidate
	for _, f := range query.Fields() {
		if f.Group {
			list = append(list, query.Candidate{Text: f.Name, Doc: f.Doc})
		}
	}
	return list
}

func (l *typedLine) savedNames() []query.Candidate {
	c, err := l.config()
	if err != nil {
		return nil
	}
	var list []query.Candidate
	for _, q := range c.Queries {
		list = append(list, query.Candidate{Text: q.Name, Doc: q.Text})
	}
	return list
}

// values are the values of a field that the index holds and that begin as
// typed, the most common first.
func (l *typedLine) values(field, before, typed string) []query.Candidate {
	everything, err := query.Parse("", query.Env{})
	if err != nil {
		return nil
	}
	counts, ok := everything.Counts(field)
	if !ok {
		return nil
	}
	typed = strings.TrimPrefix(typed, `"`)
	var list []query.Candidate
	for _, b := range l.ask(counts).Buckets {
		if len(list) == maxCandidates {
			break
		}
		value := b.Values[0]
		if value == "" || !hasPrefixFold(value, typed) {
			continue
		}
		if written, ok := writeValue(field, value); ok {
			list = append(list, query.Candidate{Text: before + written, Doc: handoffs(b.Count)})
		}
	}
	return list
}

func handoffs(n int) string {
	if n == 1 {
		return "1 handoff"
	}
	return fmt.Sprintf("%d handoffs", n)
}

// writeValue writes a value so that a query reads it as just this one: in
// quotes if it needs them.
func writeValue(field, value string) (string, bool) {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	for _, written := range []string{value, quoted} {
		q, err := query.Parse(field+":"+written, query.Env{})
		if err != nil {
			continue
		}
		if key, ok := q.Expr.(query.Key); ok && key.Value == value && (key.Op == query.KeyEqual || key.Op == query.KeyExact) {
			return written, true
		}
	}
	return "", false
}

// newest are the ids of the newest handoffs.
func (l *typedLine) newest() []query.Candidate {
	q, err := query.Parse("", query.Env{})
	if err != nil {
		return nil
	}
	var list []query.Candidate
	for _, h := range l.ask(q).Hits {
		list = append(list, query.Candidate{Text: h.ID, Doc: h.Date.Format(time.DateOnly) + " " + h.Project + " " + h.Goal})
	}
	return list
}

// patience is how long a person waits for candidates.
const patience = 200 * time.Millisecond

// ask asks the index as it is; what it does not answer in time is nothing.
func (l *typedLine) ask(q *query.Query) *index.Result {
	ctx, stop := context.WithTimeout(l.ctx, patience)
	defer stop()
	nothing := &index.Result{}
	if l.known != nil {
		return l.known(q)
	}
	options, err := l.indexOptions()
	if err != nil || options.Dir == "" {
		return nothing
	}
	roots, err := l.chosen()
	if err != nil {
		return nothing
	}
	options.ReadOnly = true
	s, err := index.Open(ctx, options)
	if err != nil {
		return nothing
	}
	defer func() { _ = s.Close() }()
	found, err := s.Search(ctx, q, index.SearchOptions{Roots: roots, NoSnippets: true})
	if err != nil || found == nil {
		return nothing
	}
	return found
}
