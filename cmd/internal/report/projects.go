package report

import (
	"path"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/query"
)

// names are what projects are called in a report: by their names, and those of
// one name by their folders as well.
type names struct {
	shown map[string]string // by root
	taken map[string]string // root by what is shown
	// claims are what project: could mean, in lower case: the root of the only
	// project that handoffs of the report's time have for it, "" if several.
	claims map[string]string
	// anyOf is a handoff of each project.
	anyOf map[string]string
}

func newNames() *names {
	return &names{
		shown: map[string]string{}, taken: map[string]string{}, claims: map[string]string{},
		anyOf: map[string]string{},
	}
}

// projectName returns what the project with a root is called.
func (b *builder) projectName(root string) string { return b.names.shown[root] }

// meet adds a handoff's project to the names.
func (b *builder) meet(h *index.Summary) {
	n := b.names
	if n.shown[h.Root] != "" {
		return
	}
	n.anyOf[h.Root] = h.ID
	name := b.line(h.Project)
	if name == "" {
		name = b.line(h.Root)
	}
	if n.taken[name] != "" {
		name += " (" + b.line(path.Dir(strings.ReplaceAll(h.Root, `\`, "/"))) + ")"
	}
	for n.taken[name] != "" {
		name += " " + h.ID
	}
	n.shown[h.Root], n.taken[name] = name, h.Root
}

// claim notes what project: could mean by a handoff of the report's time.
func (n *names) claim(h *index.Summary) {
	base := h.Root[strings.LastIndexAny(strings.TrimRight(h.Root, `/\`), `/\`)+1:]
	for _, key := range append(encodings(h.Root), h.Project, h.Root, strings.TrimRight(base, `/\`), h.Declared) {
		key = strings.ToLower(key)
		if root, ok := n.claims[key]; ok && root != h.Root {
			n.claims[key] = ""
			continue
		}
		n.claims[key] = h.Root
	}
}

// encodings returns the names that agents give the folder of a project's handoffs.
func encodings(root string) []string {
	other := func(r rune) rune {
		if r < 0x80 && (r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '-'
	}
	return []string{strings.NewReplacer("/", "-", ".", "-").Replace(root), strings.Map(other, root)}
}

// only reports whether project: with a value can mean no project but that of a
// root, among the handoffs of the report's time.
func (n *names) only(value, root string) bool {
	for _, key := range append(encodings(value), value) {
		if claimed, ok := n.claims[strings.ToLower(key)]; ok && claimed != root {
			return false
		}
	}
	return value != ""
}

// ofProject returns the condition for the handoffs of the project with a root, and no
// others of the report's time: by its name or its folder, or where others share both,
// by one of its handoffs.
func (b *builder) ofProject(h *index.Summary) query.Expr {
	n := b.names
	switch {
	case n.only(h.Project, h.Root) && isPlain(h.Project):
		return query.Key{Field: "project", Value: h.Project}
	case n.only(h.Root, h.Root):
		return query.Key{Field: "project", Op: query.KeyExact, Value: h.Root}
	}
	return b.sameProject(h.Root)
}

// sameProject returns the condition for all handoffs of a project, whatever they and
// others are called.
func (b *builder) sameProject(root string) query.Expr {
	return query.Same{Field: "project", X: query.Key{Field: "id", Op: query.KeyExact, Value: b.names.anyOf[root]}}
}

// isPlain reports whether a name needs no quotes and means nothing else.
func isPlain(name string) bool {
	return name != "" && name != "." &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == ""
}
