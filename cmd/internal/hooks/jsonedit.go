package hooks

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

func (f jsonForm) entries(text []byte) ([]Entry, error) {
	_, text = cutMark(text)
	return f.found(text)
}

// found are the entries of ours in a text without a byte order mark.
func (f jsonForm) found(text []byte) ([]Entry, error) {
	if empty(text) {
		return nil, nil
	}
	d, err := f.read(text)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, p := range f.places(d) {
		list = append(list, p.entry)
	}
	return list, nil
}

// empty reports whether a text holds nothing but white space and comments.
func empty(text []byte) bool {
	if len(bytes.Trim(text, blank)) == 0 {
		return true
	}
	if tooDeep(text) {
		return false
	}
	// A value behind it makes it JSON only if it holds none.
	v, err := hujson.Parse(append(append(bytes.Clone(text), '\n'), "null"...))
	return err == nil && v.Value.Kind() == 'n' && v.StartOffset > len(text)
}

// install makes the entries those of ours that the text holds: what stands there
// already has its command renewed, the rest is added or taken out.
func (f jsonForm) install(text []byte, want []Entry) ([]byte, error) {
	mark, text := cutMark(text)
	found, err := f.found(text)
	if err != nil {
		return nil, err
	}
	kept := map[string]bool{}
	for n, e := range slices.Backward(found) {
		if w := entryOf(want, e.Event); w == nil || entryOf(found[:n], e.Event) != nil {
			text = f.without(text, n)
		} else {
			kept[w.Event] = true
			text = f.renewed(text, n, w.Command)
		}
	}
	for _, w := range want {
		if kept[w.Event] {
			continue
		}
		if text, err = f.with(text, w); err != nil {
			return nil, err
		}
	}
	return append(mark, text...), nil
}

func cutMark(text []byte) (mark, rest []byte) {
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return []byte(byteOrderMark), text[len(byteOrderMark):]
	}
	return nil, text
}

func entryOf(list []Entry, event string) *Entry {
	for i := range list {
		if list[i].Event == event {
			return &list[i]
		}
	}
	return nil
}

// renewed is a text in which the nth entry of ours runs another command.
func (f jsonForm) renewed(text []byte, n int, command string) []byte {
	d, err := f.read(text)
	if err != nil {
		return text
	}
	p := f.places(d)[n]
	if p.entry.Command == command {
		return text
	}
	return splice(text, cut{p.literal.StartOffset, p.literal.EndOffset, quoted(command)})
}

// with is a text with one entry more.
func (f jsonForm) with(text []byte, e Entry) ([]byte, error) {
	if empty(text) {
		gap := ""
		if len(bytes.Trim(text, blank)) > 0 {
			gap = newlineOf(text) // the last comment may go to the end of its line
		}
		all := append(object{{"hooks", object{{e.Event, array{f.element(e)}}}}}, f.version()...)
		return append(bytes.Clone(text), gap+laidOut(all, layout{})...), nil
	}
	d, err := f.read(text)
	if err != nil {
		return nil, err
	}
	_, hooks := lookup(d.root, "hooks")
	if hooks.Value == nil {
		return f.begun(d, member{"hooks", object{{e.Event, array{f.element(e)}}}})
	}
	if _, ok := hooks.Value.(*hujson.Object); !ok {
		return nil, d.misfit(hooks, "hooks", "object")
	}
	_, list := lookup(hooks, e.Event)
	if list.Value == nil {
		return boxOf(text, hooks).with(member{e.Event, array{f.element(e)}}, d.wide), nil
	}
	if _, ok := list.Value.(*hujson.Array); !ok {
		return nil, d.misfit(list, "hooks."+e.Event, "array")
	}
	return boxOf(text, list).with(f.element(e), d.wide), nil
}

// begun is a text with its first hooks. A version is added to an object that had
// nothing: what one with other members means without is not known.
func (f jsonForm) begun(d document, hooks member) ([]byte, error) {
	root := boxOf(d.text, d.root)
	if len(root.items) > 0 {
		return root.with(hooks, d.wide), nil
	}
	var text []byte
	if root.open == root.end {
		wide := d.wide.deeper()
		text = splice(d.text, cut{root.end, root.end, wide.lineBreak() + laidOut(hooks, wide) + d.wide.lineBreak()})
	} else {
		text = root.with(hooks, d.wide)
	}
	if !f.flat {
		return text, nil
	}
	d, err := f.read(text)
	if err != nil {
		return nil, err
	}
	return boxOf(text, d.root).with(f.version()[0], d.wide), nil
}

// uninstall takes out all entries of ours.
func (f jsonForm) uninstall(text []byte) (Undone, error) {
	mark, text := cutMark(text)
	found, err := f.found(text)
	if err != nil {
		return Undone{}, err
	}
	exact := true
	for n, e := range slices.Backward(found) {
		candidates := f.candidates(text, n)
		at := f.origin(candidates, e, text)
		exact = exact && at >= 0
		text = candidates[max(at, 0)]
	}
	return Undone{Text: append(mark, text...), Exact: exact}, nil
}

// without takes out the nth entry of ours.
func (f jsonForm) without(text []byte, n int) []byte { return f.candidates(text, n)[0] }

// origin is the candidate that an entry makes a text of, -1 if none is.
func (f jsonForm) origin(candidates [][]byte, e Entry, text []byte) int {
	for i, c := range candidates {
		if again, err := f.with(c, e); err == nil && bytes.Equal(again, text) {
			return i
		}
	}
	return -1
}

// candidates are the texts without the nth entry of ours, the tidiest first: what
// held nothing else goes with it.
func (f jsonForm) candidates(text []byte, n int) [][]byte {
	d, err := f.read(text)
	if err != nil {
		return [][]byte{text}
	}
	p := f.places(d)[n]
	var list [][]byte
	for depth, b := range slices.Backward(p.boxes) {
		list = append(f.valid(b.without(p.items[depth])), list...)
		if !b.plain() {
			break
		}
	}
	if len(list) == 0 {
		list = [][]byte{text} // rather the entry than anything else
	}
	return append(list, f.beginnings(d, n)...)
}

// valid are those of several texts that can be read.
func (f jsonForm) valid(texts [][]byte) [][]byte {
	return slices.DeleteFunc(texts, func(text []byte) bool {
		_, err := f.read(text)
		return err != nil
	})
}

// beginnings are the texts without an object of the file's own, as an entry may
// have been put into a text that had nothing to go into.
func (f jsonForm) beginnings(d document, n int) [][]byte {
	root := boxOf(d.text, d.root)
	var list [][]byte
	if at, _ := lookup(d.root, "version"); f.flat && at == 1 && len(root.items) == 2 {
		for _, text := range f.valid(root.without(at)) {
			list = append(list, f.candidates(text, n)...)
		}
	}
	before := d.text[:d.root.StartOffset]
	return append(list, before, bytes.TrimSuffix(before, []byte(newlineOf(before))))
}
