package gen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// page is a text in the making. Phrases that it must hold are worked into its
// first sentences.
type page struct {
	bytes.Buffer

	rng     *rand.Rand
	words   *vocabulary
	phrases []string
}

func newPage(h handoff, words *vocabulary) *page {
	p := &page{rng: h.rng, words: words, phrases: h.phrases}
	p.Grow(h.size + 1024)
	return p
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.Buffer, format, args...) }

func (p *page) word() string { return p.words.word(p.rng) }

func (p *page) phrase() string {
	if len(p.phrases) == 0 {
		return p.word()
	}
	next := p.phrases[0]
	p.phrases = p.phrases[1:]
	return next
}

// clause writes n words in one line, with a file's name or a commit now and
// then, as handoffs have them.
func (p *page) clause(n int) {
	for i := range n {
		if i > 0 {
			p.WriteByte(' ')
		}
		switch {
		case i == 2:
			p.WriteString(p.phrase())
		case p.rng.IntN(60) == 0:
			p.printf("`%s`", p.file())
		case p.rng.IntN(150) == 0:
			p.printf("%07x", p.rng.IntN(1<<28))
		default:
			p.WriteString(p.word())
		}
	}
}

func (p *page) sentence() {
	start := p.Len()
	p.clause(6 + p.rng.IntN(14))
	capitalize(p.Bytes()[start:])
	p.WriteByte('.')
}

func (p *page) paragraph() {
	for i := range 2 + p.rng.IntN(4) {
		if i > 0 {
			p.WriteByte(' ')
		}
		p.sentence()
	}
	p.WriteByte('\n')
}

// done reports whether the text is until bytes long and holds its phrases.
func (p *page) done(until int) bool { return p.Len() >= until && len(p.phrases) == 0 }

// items writes up to eight list items, each after the mark, or until done.
func (p *page) items(mark string, until int) {
	for range 3 + p.rng.IntN(6) {
		p.WriteString(mark)
		if p.rng.IntN(3) == 0 {
			p.printf("**%s %s**: ", title(p.word()), p.word())
		}
		p.clause(5 + p.rng.IntN(16))
		p.WriteByte('\n')
		if p.done(until) {
			return
		}
	}
}

// block is a list, a paragraph, a table or code.
func (p *page) block(until int) {
	switch n := p.rng.IntN(20); {
	case n < 10:
		p.items("- ", until)
	case n < 11:
		p.items("- [ ] ", until)
	case n < 12:
		p.items("1. ", until)
	case n < 18:
		p.paragraph()
	case n < 19:
		p.printf("```sh\ngo test ./%s -run %s\n# %s\n```\n", p.word(), title(p.word()), p.word())
	default:
		p.printf("| %s | %s |\n|---|---|\n", p.word(), p.word())
		for range 3 {
			p.printf("| %s | %s %s |\n", p.word(), p.word(), p.word())
		}
	}
}

// fill writes blocks, at least one, until done.
func (p *page) fill(until int) {
	for {
		p.block(until)
		if p.done(until) {
			return
		}
		p.WriteByte('\n')
	}
}

// sections writes a section of Markdown for each heading, of equal sizes.
func (p *page) sections(size int, headings ...string) {
	start := p.Len()
	for i, h := range headings {
		p.printf("\n%s\n\n", h)
		p.fill(start + (size-start)*(i+1)/len(headings))
	}
}

func (p *page) file() string {
	return fmt.Sprintf("%s/%s_%s.%s", p.word(), p.word(), p.word(), pick(p.rng, []string{"go", "ts", "py", "sql", "md"}))
}

func (p *page) branch() string {
	return pick(p.rng, []string{"feature/", "fix/", "chore/"}) + p.word() + "-" + p.word()
}

func (p *page) line(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = p.word()
	}
	return title(strings.Join(words, " "))
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func capitalize(b []byte) {
	if 'a' <= b[0] && b[0] <= 'z' {
		b[0] -= 'a' - 'A'
	}
}
