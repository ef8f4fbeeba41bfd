package gen

import (
	"bytes"
	_ "embed" // for the templates
	"fmt"
	"path"
	"strings"
	"text/template"
	"time"
)

//go:embed handoffs.tmpl
var source string

var templates = template.Must(template.New("").Parse(source))

// page is a text that is being written by the template of its kind. Methods that the
// template calls and that return "" write to it. Phrases that it must contain are put into
// its first sentences.
type page struct {
	bytes.Buffer
	handoff

	words *vocabulary
}

// write returns the texts of the handoff's files by their paths: the handoff, and for a
// manifest its discussion.
func (h handoff) write(words *vocabulary) (map[string][]byte, error) {
	files := map[string][]byte{}
	write := func(path, kind string) error {
		p := &page{handoff: h, words: words}
		p.Grow(h.size + 1024)
		err := templates.ExecuteTemplate(&p.Buffer, kind, p)
		files[path] = p.Bytes()
		return err
	}
	if h.kind == "manifest" { // its prose first, which is drawn first
		if err := write(path.Join(path.Dir(path.Dir(h.path)), h.Discussion()), "discussion"); err != nil {
			return nil, err
		}
	}
	return files, write(h.path, h.kind)
}

// Discussion returns the path of a manifest's discussion file, relative to the folder that
// contains meta.
func (h handoff) Discussion() string {
	return fmt.Sprintf("discussion/%03d-codex-response.md", h.size%1000)
}

// Day returns the handoff's day.
func (h handoff) Day() string { return h.At.Format(time.DateOnly) }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.Buffer, format, args...) }

// Word returns a random word.
func (p *page) Word() string { return p.words.word(p.rng) }

// Pick returns one of the words at random.
func (p *page) Pick(from ...string) string { return pick(p.rng, from) }

// Number returns a random number from first to first+n-1.
func (p *page) Number(first, n int) int { return first + p.rng.IntN(n) }

// Commit returns a random abbreviated commit id.
func (p *page) Commit() string { return fmt.Sprintf("%07x", p.rng.IntN(1<<28)) }

// phrase returns the next phrase that the text must contain, or a random word if there are
// no more.
func (p *page) phrase() string {
	if len(p.phrases) == 0 {
		return p.Word()
	}
	next := p.phrases[0]
	p.phrases = p.phrases[1:]
	return next
}

// clause writes n words without a line break, now and then with a file name or a commit
// among them, as handoffs have them.
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
			p.WriteString(p.Commit())
		default:
			p.WriteString(p.Word())
		}
	}
}

// sentence writes a random sentence.
func (p *page) sentence() {
	start := p.Len()
	p.clause(6 + p.rng.IntN(14))
	capitalize(p.Bytes()[start:])
	p.WriteByte('.')
}

// paragraph writes two to five sentences and a line end.
func (p *page) paragraph() {
	for i := range 2 + p.rng.IntN(4) {
		if i > 0 {
			p.WriteByte(' ')
		}
		p.sentence()
	}
	p.WriteByte('\n')
}

// done reports whether the text has at least until bytes and contains all its phrases.
func (p *page) done(until int) bool { return p.Len() >= until && len(p.phrases) == 0 }

// items writes three to eight list items, each after mark, and stops when done(until).
func (p *page) items(mark string, until int) {
	for range 3 + p.rng.IntN(6) {
		p.WriteString(mark)
		if p.rng.IntN(3) == 0 {
			p.printf("**%s %s**: ", title(p.Word()), p.Word())
		}
		p.clause(5 + p.rng.IntN(16))
		p.WriteByte('\n')
		if p.done(until) {
			return
		}
	}
}

// block writes a random block: a list, a paragraph, code or a table. A list stops when
// done(until).
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
		p.printf("```sh\ngo test ./%s -run %s\n# %s\n```\n", p.Word(), title(p.Word()), p.Word())
	default:
		p.printf("| %s | %s |\n|---|---|\n", p.Word(), p.Word())
		for range 3 {
			p.printf("| %s | %s %s |\n", p.Word(), p.Word(), p.Word())
		}
	}
}

// fill writes blocks, at least one, until done(until).
func (p *page) fill(until int) {
	for {
		p.block(until)
		if p.done(until) {
			return
		}
		p.WriteByte('\n')
	}
}

// Sections writes a Markdown section for each heading, of equal sizes, until the text has a
// percentage of the handoff's size. It returns "".
func (p *page) Sections(percent int, headings ...string) string {
	start, size := p.Len(), p.size*percent/100
	for i, h := range headings {
		p.printf("\n%s\n\n", h)
		p.fill(start + (size-start)*(i+1)/len(headings))
	}
	return ""
}

// Elements writes an XML element with a list for each tag, of equal sizes. It returns "".
func (p *page) Elements(tags ...string) string {
	start := p.Len()
	for i, tag := range tags {
		p.printf("  <%s>\n", tag)
		for until := start + (p.size-start-400)*(i+1)/len(tags); ; {
			p.items("    - ", until)
			if p.done(until) {
				break
			}
		}
		p.printf("  </%s>\n", tag)
	}
	return ""
}

// Folded writes a YAML key with a long value, folded as the library of flow-guardian does
// it. It returns "".
func (p *page) Folded(key string) string {
	until := p.Len() + (p.size-400)/3
	p.printf("%s: >-\n", key)
	for {
		p.WriteString("  ")
		p.sentence()
		p.WriteByte('\n')
		if p.done(until) {
			return ""
		}
	}
}

// Files writes two to five lines, each a random file name between before and after. It
// returns "".
func (p *page) Files(before, after string) string {
	for range 2 + p.rng.IntN(4) {
		p.printf("%s%s%s\n", before, p.file(), after)
	}
	return ""
}

// file returns a random file name with a folder.
func (p *page) file() string {
	return fmt.Sprintf("%s/%s_%s.%s", p.Word(), p.Word(), p.Word(), p.Pick("go", "ts", "py", "sql", "md"))
}

// Branch returns a random name of a branch.
func (p *page) Branch() string {
	return p.Pick("feature/", "fix/", "chore/") + p.Word() + "-" + p.Word()
}

// Line returns n random words, capitalized as a title.
func (p *page) Line(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = p.Word()
	}
	return title(strings.Join(words, " "))
}

// title returns s with its first byte in upper case.
func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// capitalize changes the first byte of b to upper case if it is a lower-case letter.
func capitalize(b []byte) {
	if 'a' <= b[0] && b[0] <= 'z' {
		b[0] -= 'a' - 'A'
	}
}
