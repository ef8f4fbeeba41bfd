package brief

import (
	"fmt"
	"strings"
	"time"

	"handex/cmd/internal/render"
)

// ComposeOptions says how a briefing is put together.
type ComposeOptions struct {
	Budget Budget
	// Now is what ages are counted to.
	Now time.Time
	// KeepSecrets leaves what looks like a credential as it is.
	KeepSecrets bool
}

// firstPart is how many characters of a briefing stand alone: agents show no more
// of one that is too long for them.
const firstPart = 2000

// order is the order in which lines find room, those that are needed most first:
// each step takes some more of a section. Cut is what finds none, so the last
// steps first. A section of which a line found no room takes no other.
var order = []struct {
	name string
	n    int
}{
	{"addressed", 2},
	{"escalations", 2},
	{"overtaken", 1},
	{"last", 3},
	{"foreign", 3},
	{"next", 3},
	{"blockers", 2},
	{"gotchas", 2},
	{"state", 3},
	{"next", 3},
	{"decisions", 1},
	{"next", 8},
	{"done", 2},
	{"other", 3},
	{"questions", 1},
	{"failed", 1},
	{"done", 3},
	{"other", 3},
	{"questions", 2},
	{"blockers", 2},
	{"earlier", 2},
	{"gotchas", 3},
	{"escalations", 3},
	{"overtaken", 2},
	{"decisions", 3},
	{"failed", 3},
	{"earlier", 3},
	{"other", 4},
	{"done", 4},
	{"foreign", 7},
	{"next", 30},
	{"gotchas", 20},
	{"state", 10},
	{"questions", 10},
	{"blockers", 10},
	{"decisions", 10},
	{"failed", 10},
	{"earlier", 8},
	{"done", 10},
	{"other", 10},
}

// Compose picks what is told: as much as the budget holds of what the shape makes
// of it. What a budget of more than 2,000 characters adds comes behind what one of
// 2,000 would say. It is nil where there is nothing to tell. The same facts, shape
// and options give the same briefing.
func Compose(f *Facts, s Shape, o ComposeOptions) *Briefing {
	if f.Empty() {
		return nil
	}
	c := &composer{facts: f, shape: s, budget: o.Budget, now: o.Now, cleaner: cleaner{keepSecrets: o.KeepSecrets}}
	c.out = &Briefing{Total: f.Total}
	c.out.Project = clip(c.line(f.Project), longestName)
	if n := len(f.Escalations); n > 0 {
		c.out.Message = fmt.Sprintf("handex: open requests for human review in this project: %d", n)
	}
	c.list()
	c.used = c.lengths(s.open(c.out) + s.end(c.out))
	c.reserve(false)
	if len(f.Terms) > 0 && o.Budget.N >= leastTerms {
		c.kept = min(termRoom, o.Budget.N/4)
	}
	c.fill(true)
	c.out.First = len(c.out.Blocks)
	if o.Budget.measure(strings.Repeat("x", firstPart)) < o.Budget.N {
		c.fill(false)
	}
	c.out.Closing = c.closing(true)
	return c.out
}

// A section is a block as far as it is known: its lines, what was needed most
// first.
type section struct {
	Block
	taken  int
	closed bool // a line found no room
	tidied int  // lines that are fit to be told
	masked int  // credentials in the last of them
	most   int  // characters a line of it may have
}

type composer struct {
	cleaner
	facts    *Facts
	shape    Shape
	budget   Budget
	now      time.Time
	sections []*section
	kept     int    // room for the terms
	told     string // the quotes taken, in lower case
	used     [2]int // of the first part, and of all
	reserved [2]int // of that, for the closing
	out      *Briefing
}

// fill takes lines in the order of need and lays the blocks out in the order of
// reading, that of the sections.
func (c *composer) fill(first bool) {
	from := map[string]int{}
	for _, s := range c.sections {
		from[s.Name] = s.taken
		s.closed = false
	}
	c.take(from, first)
	if first && c.kept > 0 {
		c.kept = 0
		c.reserve(true)
		c.addTerms()
		c.reserve(false)
		for _, s := range c.sections {
			s.closed = s.Name == "terms"
		}
		c.take(from, first)
	}
	for _, s := range c.sections {
		if lines := s.Lines[from[s.Name]:s.taken]; len(lines) > 0 {
			c.out.Blocks = append(c.out.Blocks, Block{s.Name, c.head(s, first), lines})
		}
	}
}

// take takes lines in the order of need; from is how many of each section were
// taken by the part before.
func (c *composer) take(from map[string]int, first bool) {
	for _, step := range order {
		if s := c.section(step.name); s != nil {
			for n := 0; n < step.n && c.takes(s, from[s.Name], first); n++ {
				s.taken++
			}
		}
	}
}

// takes reports whether the next line of a section finds room, and takes it.
func (c *composer) takes(s *section, from int, first bool) bool {
	c.tidy(s)
	if s.closed || s.taken == len(s.Lines) {
		return false
	}
	after, fits := c.after(s, from, first)
	if !fits {
		s.closed = true
		return false
	}
	c.used = after
	c.masked += s.masked
	s.masked = 0
	c.told += strings.ToLower(s.Lines[s.taken].Quote) + "\n"
	return true
}

// lengths is how much a text takes of the first part, and of all.
func (c *composer) lengths(text string) [2]int {
	return [2]int{Budget{firstPart, 'c'}.measure(text), c.budget.measure(text)}
}

// reserve keeps room for the closing: as it is now, or as it can still become.
func (c *composer) reserve(done bool) {
	var now [2]int
	for _, fact := range c.closing(done) {
		n := c.lengths(c.shape.closing(fact))
		now[0] += n[0]
		now[1] += n[1]
	}
	for i := range now {
		c.used[i] += now[i] - c.reserved[i]
	}
	c.reserved = now
}

// after is how much is used once the next line of a section is taken, and whether
// that is within the bounds.
func (c *composer) after(s *section, from int, first bool) (used [2]int, fits bool) {
	text := c.shape.line(s.Lines[s.taken])
	if s.taken == from {
		text = c.shape.head(Block{s.Name, c.head(s, first), nil}) + text + c.shape.tail()
	}
	used = c.lengths(text)
	used[0] += c.used[0]
	used[1] += c.used[1]
	return used, (!first || used[0]+c.kept <= firstPart) && used[1]+c.kept <= c.budget.N
}

func (c *composer) section(name string) *section {
	for _, s := range c.sections {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (c *composer) head(s *section, first bool) string {
	if first {
		return s.Head
	}
	return "More: " + strings.ToLower(s.Head[:1]) + s.Head[1:]
}

// closing are the facts about the briefing itself. Before lines are taken they are
// as long as they can become.
func (c *composer) closing(done bool) []string {
	var cut []string
	for _, s := range c.sections {
		if n := len(s.Lines) - s.taken; n > 0 && s.Name != "last" {
			cut = append(cut, fmt.Sprintf("+%d %s", n, s.Name))
		}
	}
	var list []string
	switch last := c.facts.Last; {
	case len(cut) > 0 && last != nil:
		list = append(list, strings.Join(cut, ", ")+" more: handex show "+last.ID)
	case len(cut) > 0:
		list = append(list, strings.Join(cut, ", ")+" more: handex search")
	case last != nil:
		list = append(list, "All of it: handex show "+last.ID)
	}
	masked := c.masked
	if !done && !c.keepSecrets {
		masked += 99
	}
	if masked > 0 {
		list = append(list, render.Several(masked, "credential")+" masked.")
	}
	if n := c.facts.Comments; n > 0 {
		list = append(list, fmt.Sprintf("%s left out.", render.Several(n, "hidden HTML comment")))
	}
	if len(c.facts.Foreign) > 0 {
		list = append(list, "Handoffs that came with a clone are named only; handex trust "+folderName(c.facts.WorkTree)+" has them told in full.")
	}
	return list
}

// folderName is a path that can stand in a line of ours, DIR for any other.
func folderName(path string) string {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/._-", r)
	}
	if path == "" || len(path) > 200 || strings.IndexFunc(path, odd) >= 0 {
		return "DIR"
	}
	return path
}
