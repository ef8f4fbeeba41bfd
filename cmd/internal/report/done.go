package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

// minPerGroup is the least number of items that a group may show.
const minPerGroup = 5

// maxRead is the maximum number of handoffs of a group whose texts are read.
const maxRead = 200

// perGroup returns the maximum number of items that a group shows.
func (b *builder) perGroup() int { return max(minPerGroup, b.o.Most/4) }

// done adds the section with what was done, by groups, newest first, without repetitions.
// For a handoff that does not say what it did, it lists what the handoff was about.
func (b *builder) done() {
	groups := b.groups(b.o.By)
	if len(groups) == 0 {
		return
	}
	s := Section{Name: Done, Title: "What got done", Numbers: []Number{b.r.Handoffs}}
	b.fill(&s, groups, b.doneOf)
	b.add(s)
}

// fill adds groups and the items that itemsOf returns for each to a section. It leaves out
// items that are listed already, and groups that have no other items.
func (b *builder) fill(s *Section, groups []*group, itemsOf func(*group) []Item) {
	listed := copies{}
	for i, g := range groups {
		if len(s.Groups) == b.o.Most {
			s.Omitted = len(groups) - i
			break
		}
		items := b.fresh(listed, itemsOf(g))
		if b.err != nil {
			return
		}
		if len(items) == 0 {
			continue
		}
		out := Group{Name: g.name, Handoffs: b.number(g)}
		for i := range items {
			items[i].Group = g.name
		}
		s.Items = append(s.Items, cut(items, b.perGroup(), &out.Omitted)...)
		s.Groups = append(s.Groups, out)
	}
	b.locateAll(listed, s.Items)
}

// doneOf returns the items that the handoffs of a group say were done.
func (b *builder) doneOf(g *group) []Item {
	list := distinct(g.list)
	if len(list) > maxRead {
		b.note(g.name + ": only the newest " + render.Several(maxRead, "handoff") + " were read")
		list = list[:maxRead]
	}
	var f folder
	for _, h := range b.load(list) {
		if !b.fold(&f, h, digest.Pieces(h, parse.Done, parse.Outcome), "") {
			b.fold(&f, h, []digest.Piece{{Text: about(h)}}, "worked on")
		}
	}
	return render.Each(f.said, func(s saying) Item {
		s.Since = time.Time{}
		return s.Item
	})
}

// label returns what a handoff is about, or else its title, goal or file name.
func label(h *index.Handoff) string {
	return cmp.Or(about(h), digest.Plain(render.Title(h.Summary)))
}

// about returns what a handoff is about: its title if that has three words, its goal, its
// summary, or else its title, however short; "" if it has none.
func about(h *index.Handoff) string {
	if words(h.Title) >= 3 {
		return digest.Plain(h.Title)
	}
	list := withContent(digest.Pieces(h, parse.Goal))
	for _, s := range h.Sections {
		if len(list) == 0 && strings.HasSuffix(s.Slug, "summary") {
			list = withContent(digest.Split(s.Body))
		}
	}
	if len(list) == 0 {
		return digest.Plain(h.Title)
	}
	return list[0].Text
}

// words returns the number of words in a text that contain a letter.
func words(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.IndexFunc(word, unicode.IsLetter) >= 0 {
			n++
		}
	}
	return n
}

// A folder collects texts of handoffs and joins those that say the same into one saying.
type folder struct {
	said []saying
	like digest.Likeness
}

// A saying is an item with the set of files that contain it.
type saying struct {
	Item
	files map[string]bool
}

// fold adds the pieces of a handoff to a folder, and reports whether any of them has
// content. Handoffs must be added newest first. Two texts of one handoff become different
// sayings, however alike they are; a text that the folder knows goes to its saying.
func (b *builder) fold(f *folder, h *index.Handoff, pieces []digest.Piece, state string) bool {
	list := withContent(pieces)
	taken, told := map[int]bool{}, map[string]bool{}
	for _, known := range []bool{true, false} {
		for _, p := range list {
			if !told[p.Text] && f.like.Knows(p.Text) == known {
				told[p.Text] = true
				i := f.like.Except(p.Text, taken)
				taken[i] = true
				b.foldAs(f, i, h, p.Text, state)
			}
		}
	}
	return len(list) > 0
}

// foldAs adds a text of a handoff to the saying with index i, which it creates if that is
// the next one. state is the state of a new item.
func (b *builder) foldAs(f *folder, i int, h *index.Handoff, text, state string) {
	ref := b.ref(&h.Summary)
	text = strings.TrimLeft(text, "✅✓✔☑ ")
	if i == len(f.said) {
		it := Item{Text: text, Ref: ref, Who: b.who(&h.Summary), State: state}
		f.said = append(f.said, saying{Item: it, files: map[string]bool{}})
	}
	s := &f.said[i]
	if text != s.Text && !slices.ContainsFunc(s.Alike, func(a Wording) bool { return a.Text == text }) {
		s.Alike = append(s.Alike, Wording{Text: text, Ref: ref})
	}
	if from := fmt.Sprint(cmp.Or(h.VersionOf, h.Path), "\x00", h.Entry); !s.files[from] {
		s.files[from] = true
		s.All = append(s.All, ref)
	}
	if ref.When.Before(s.When) {
		s.Since = ref.When
	}
}

// countedItems returns the items that at least the given number of files contain, the most
// frequent first, each with its number of handoffs and where they are.
func (b *builder) countedItems(f *folder, least int) []Item {
	slices.SortStableFunc(f.said, func(x, y saying) int { return countable(y.All) - countable(x.All) })
	var list []Item
	for _, s := range f.said {
		if len(s.All) < least {
			continue
		}
		b.locate(&s.Item)
		list = append(list, s.Item)
	}
	return list
}

// countable returns how many of the handoffs the query of a Number can name: at most
// maxIDs.
func countable(refs []Ref) int { return min(len(refs), maxIDs) }

// maxTold is the maximum number of handoffs whose gotchas or failures are read.
const maxTold = 1000

// gotchas adds the section with the gotchas that at least two files mention, the most
// frequent first.
func (b *builder) gotchas() {
	s := Section{Name: Gotchas, Title: "Recurring gotchas"}
	b.repeated(s, 2, "with gotchas", query.Has{Field: "gotchas"}, func(h *index.Handoff) []digest.Piece {
		return digest.Unfinished(digest.Pieces(h, parse.Gotchas))
	})
}

// failed adds the section with approaches that failed, the most frequent first.
func (b *builder) failed() {
	tried := query.Or{List: []query.Expr{query.Key{Field: "approach", Value: "failed"}, query.Has{Field: "failed"}}}
	s := Section{Name: Failed, Title: "Tried and failed"}
	b.repeated(s, 1, "with failed approaches", tried, func(h *index.Handoff) []digest.Piece {
		list := digest.Pieces(h, parse.Failed)
		for _, a := range h.Approaches {
			if a.Outcome == "failed" {
				list = append(list, digest.Piece{Text: digest.Plain(a.Text)})
			}
		}
		return list
	})
}

// repeated adds a section with the pieces that at least the given number of files contain.
// It reads the handoffs of the report's time that meet the condition; label names their
// number.
func (b *builder) repeated(
	s Section, least int, label string, condition query.Expr, pieces func(*index.Handoff) []digest.Piece,
) {
	list, n := b.first(maxTold, label, b.query(b.time, condition))
	if n.Value > len(list) {
		b.note(label + ": only the newest " + render.Several(len(list), "handoff") + " were read")
	}
	var f folder
	for _, h := range b.load(distinct(list)) {
		b.fold(&f, h, pieces(h), "")
	}
	s.Numbers = []Number{n}
	if s.Items = cut(b.countedItems(&f, least), b.o.Most, &s.Omitted); len(s.Items) > 0 {
		b.add(s)
	}
}

// Copies of a project, such as clones, have copies of its handoffs. Two items are
// copies if they have the same text and are in files of one name below their projects.

// A copyKey identifies an item by its text and the path of its handoff below the project;
// copies have the same key.
type copyKey struct{ path, text string }

// keyOf returns the key of an item, which its copies share.
func (b *builder) keyOf(it *Item) copyKey { return copyKey{b.below[it.ID], it.Text} }

// below returns the path of a handoff's file below the root of its project.
func below(h *index.Summary) string {
	return strings.TrimPrefix(cmp.Or(h.VersionOf, h.Path), h.Root)
}

// copies maps the key of each listed item to the handoffs that contain it.
type copies map[copyKey][]Ref

// fresh returns the items without those whose copies are listed already. It adds the
// handoffs of all items to listed.
func (b *builder) fresh(listed copies, items []Item) []Item {
	return slices.DeleteFunc(items, func(it Item) bool {
		key := b.keyOf(&it)
		before := listed[key]
		for _, ref := range append([]Ref{it.Ref}, it.All...) {
			if !slices.ContainsFunc(listed[key], func(r Ref) bool { return r.ID == ref.ID }) {
				listed[key] = append(listed[key], ref)
			}
		}
		return len(before) > 0
	})
}

// locateAll adds to each item without a count the handoffs that contain it or a copy of it.
func (b *builder) locateAll(listed copies, items []Item) {
	for i := range items {
		if items[i].Count == nil {
			items[i].All = listed[b.keyOf(&items[i])]
			b.locate(&items[i])
		}
	}
}

// locate sets the count of an item and where it occurs, if several handoffs contain it.
func (b *builder) locate(it *Item) {
	if len(it.All) > 1 {
		it.Count, it.Where = b.named(it.All), slices.Clone(it.All[:min(len(it.All), MaxWhere)])
	}
}

// unique returns the items without copies of earlier ones. The item that stays lists the
// handoffs of its copies.
func (b *builder) unique(items []Item) []Item {
	listed := copies{}
	items = b.fresh(listed, items)
	b.locateAll(listed, items)
	return items
}

// hasContent reports whether a text says something: it contains a letter, and is neither a
// form of "none" nor a placeholder that was never filled in.
func hasContent(text string) bool {
	bare := strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if bare == "" || parse.SaysNone(text) || isPlaceholder(text) {
		return false
	}
	return strings.IndexFunc(bare, unicode.IsLetter) >= 0
}

// isPlaceholder reports whether the whole text is a placeholder of a template: [what was
// done], {{summary}}, <describe>, TODO.
func isPlaceholder(text string) bool {
	text = strings.TrimRight(strings.Trim(text, "*_`\"' -"), ".:;,!")
	switch strings.ToLower(text) {
	case "tbd", "todo", "tba", "pending", "unknown", "unset", "n.a", "same", "as above", "see above", "see " +
		"below", "etc", "xxx":
		return true
	}
	for _, pair := range []string{"[]", "{}", "<>", "‹›"} {
		runes := []rune(pair)
		inner, opened := strings.CutPrefix(text, string(runes[0]))
		inner, closed := strings.CutSuffix(inner, string(runes[1]))
		if opened && closed && !strings.ContainsAny(strings.Trim(inner, "{}"), pair) {
			return true
		}
	}
	return false
}

// withContent returns the pieces that have content; see hasContent.
func withContent(list []digest.Piece) []digest.Piece {
	return slices.DeleteFunc(list, func(p digest.Piece) bool { return !hasContent(p.Text) })
}
