package report

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"handex/cmd/internal/digest"
	"handex/cmd/internal/render"
	"handex/index"
	"handex/parse"
)

// perGroup bounds the items of a group where lists are bounded at all.
const perGroup = 5

// maxRead bounds the handoffs of a group that are read whole.
const maxRead = 200

// perGroup is how many items a group shows.
func (b *builder) perGroup() int {
	if b.o.Most < 0 {
		return b.most()
	}
	return max(perGroup, b.o.Most/4)
}

// done tells what got done, by groups, the newest first; what is said twice once. Of
// a handoff that does not say what it did, what it was about.
func (b *builder) done() error {
	groups, err := b.groups(b.o.By)
	if err != nil || len(groups) == 0 {
		return err
	}
	s := Section{Name: Done, Title: "What got done", Numbers: []Number{b.r.Handoffs}}
	t := told{}
	for i, g := range groups {
		if len(s.Groups) == b.most() {
			s.Omitted = len(groups) - i
			break
		}
		items, err := b.doneOf(g)
		if err != nil {
			return err
		}
		b.take(&s, g, b.fresh(t, items))
	}
	b.also(t, s.Items)
	b.add(s)
	return nil
}

// take adds a group and its items to a section, unless it has none: then it says
// what others said before, or nothing.
func (b *builder) take(s *Section, g *group, items []Item) {
	if len(items) == 0 {
		return
	}
	out := Group{Name: g.name, Handoffs: b.number(g)}
	for i := range items {
		items[i].Group = g.name
	}
	s.Items = append(s.Items, cut(items, b.perGroup(), &out.Omitted)...)
	s.Groups = append(s.Groups, out)
}

func (b *builder) doneOf(g *group) ([]Item, error) {
	list := distinct(g.list)
	if len(list) > maxRead {
		b.note(g.name + ": only the newest handoffs were read, " + plural(maxRead, "handoffs"))
		list = list[:maxRead]
	}
	whole, err := b.load(list)
	if err != nil {
		return nil, err
	}
	var f folder
	for _, h := range whole {
		pieces := digest.Pieces(h, parse.Done, parse.Outcome)
		told := false
		for _, p := range pieces {
			told = b.fold(&f, h, p.Text, "") || told
		}
		if !told {
			b.fold(&f, h, about(h), "worked on")
		}
	}
	for i := range f.items {
		f.items[i].Count, f.items[i].Where, f.items[i].Since = nil, nil, time.Time{}
	}
	return f.items, nil
}

// label is what a handoff is about, or else what it is called.
func label(h *index.Handoff) string {
	return cmp.Or(about(h), digest.Plain(render.Title(h.Summary)))
}

// about is what a handoff is about, where it says nothing else: its title if that
// says much, its goal, its summary, or else its title; "" if it has none.
func about(h *index.Handoff) string {
	if words(h.Title) >= 3 {
		return digest.Plain(h.Title)
	}
	for _, p := range digest.Pieces(h, parse.Goal) {
		if says(p.Text) {
			return p.Text
		}
	}
	for i := range h.Sections {
		if s := &h.Sections[i]; strings.HasSuffix(s.Slug, "summary") {
			for _, p := range digest.Split(s.Body) {
				if says(p.Text) {
					return p.Text
				}
			}
		}
	}
	return digest.Plain(h.Title)
}

// words counts the words of a text that have letters.
func words(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.IndexFunc(word, unicode.IsLetter) >= 0 {
			n++
		}
	}
	return n
}

// fold takes what a handoff says into a list, and reports whether it says anything.
// What is taken is older than what was taken before.
func (b *builder) fold(f *folder, h *index.Handoff, text, state string) bool {
	if !says(text) {
		return false
	}
	ref := b.ref(&h.Summary)
	i := f.like.Of(text)
	if i == len(f.items) {
		f.items = append(f.items, Item{Text: strings.TrimLeft(text, "✅✓✔☑ "), Ref: ref, Who: b.who(&h.Summary), State: state})
		f.refs = append(f.refs, nil)
		f.seen = append(f.seen, map[string]bool{})
	}
	if from := origin(&h.Summary); !f.seen[i][from] {
		f.seen[i][from] = true
		f.refs[i] = append(f.refs[i], ref)
	}
	if ref.When.Before(f.items[i].When) {
		f.items[i].Since = ref.When
	}
	return true
}

// A folder puts together what says the same.
type folder struct {
	items []Item
	refs  [][]Ref           // of each item, one of each file
	seen  []map[string]bool // of each item, the files that say it
	like  digest.Likeness
}

// countedItems are the items with how many files say each and where, those that the most
// say first.
func (b *builder) countedItems(f *folder, least int) []Item {
	var list []Item
	for i, it := range f.items {
		if len(f.refs[i]) < least {
			continue
		}
		if len(f.refs[i]) > 1 {
			it.Count = b.named(f.refs[i])
			it.Where = slices.Clone(f.refs[i][:min(len(f.refs[i]), MaxWhere)])
		}
		list = append(list, it)
	}
	slices.SortStableFunc(list, func(x, y Item) int { return said(y) - said(x) })
	return list
}

// said is how many files say an item.
func said(it Item) int {
	if it.Count == nil {
		return 1
	}
	return it.Count.Value
}
