package query_test

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/OWNER/handex/query"
)

// key judges a comparison of a name: open fields are equal ignoring case, paths
// by a trailing part, sessions and commits by how they begin; = is letter for
// letter. What a handoff does not give is equal to nothing. A whole path finds
// the files that are written as they lie below the root of the project.
func (o oracle) key(e query.Key, h *handoff) bool {
	switch {
	case e.Field == "project":
		return o.project(e, h)
	case e.Field == "member" && e.Value == "here" && e.Op != query.KeyGlob && e.Op != query.KeyRegex:
		return h.member == ""
	case e.Field == "status" && e.Value == "none":
		return h.status == ""
	case e.Field == "file" && e.Op != query.KeyGlob && e.Op != query.KeyRegex && strings.HasPrefix(e.Value, "/") && slices.ContainsFunc(h.values("file"), func(v string) bool { return h.project.root+"/"+v == e.Value }):
		return true
	}
	return slices.ContainsFunc(h.values(e.Field), func(v string) bool { return o.equal(e, v) })
}

// project compares with the name a handoff declares, the root, its last part
// and the name of the project; and with the name of the folder its handoffs lie
// in, which a root is not compared with where the true root is known.
func (o oracle) project(e query.Key, h *handoff) bool {
	root := h.project.root
	names := []string{h.declared, h.project.name, root, root[strings.LastIndexByte(root, '/')+1:]}
	if slices.ContainsFunc(names, func(v string) bool { return v != "" && o.equal(e, v) }) {
		return true
	}
	if e.Op == query.KeyGlob || e.Op == query.KeyRegex {
		return false
	}
	folder, asked := encodings(root), encodings(e.Value)
	if folder[0] == root && (asked[0] == root || asked[1] == root) {
		return true
	}
	return !strings.Contains(e.Value, "/") && slices.Contains(folder[:], e.Value)
}

func (o oracle) equal(e query.Key, v string) bool {
	isPath := slices.Contains([]string{"file", "path", "source"}, e.Field)
	want := e.Value
	if isPath {
		want = strings.TrimPrefix(want, "./")
	}
	switch e.Op {
	case query.KeyExact:
		return v == want
	case query.KeyRegex:
		return o.valueRegex(e.Value, v)
	case query.KeyGlob:
		if isPath && !strings.HasPrefix(want, "/") {
			return slices.ContainsFunc(tails(v), func(tail string) bool { return globs(small(want), small(tail), true) })
		}
		return globs(small(want), small(v), isPath)
	case query.KeyEqual:
	}
	switch {
	case slices.Contains([]string{"id", "session", "commit"}, e.Field):
		return strings.HasPrefix(string(small(v)), string(small(want)))
	case isPath && !strings.HasPrefix(want, "/"):
		return slices.ContainsFunc(tails(v), func(tail string) bool { return string(small(tail)) == string(small(want)) })
	}
	return string(small(v)) == string(small(want))
}

func small(s string) []rune {
	runes := []rune(s)
	for i, r := range runes {
		runes[i] = unicode.ToLower(r)
	}
	return runes
}

// tails are a path and its trailing parts.
func tails(path string) []string {
	list := []string{path}
	for i := range len(path) {
		if path[i] == '/' {
			list = append(list, path[i+1:])
		}
	}
	return list
}

// valueRegex heeds case as quoted text does. The patterns drawn for values have
// no classes in capitals.
func (o oracle) valueRegex(pattern, v string) bool {
	heeds := o.rule == query.CaseYes || o.rule == query.CaseAuto && strings.ContainsFunc(pattern, unicode.IsUpper)
	flags := "(?m)"
	if !heeds {
		flags = "(?mi)"
	}
	return regexp.MustCompile(flags + pattern).MatchString(v)
}

// globs tries every way a pattern can match the whole of v: * and ? stop at a
// slash in a path, ** does not, and **/ may be no folder at all.
func globs(pattern, v []rune, path bool) bool {
	if len(pattern) == 0 {
		return len(v) == 0
	}
	rest := pattern[1:]
	switch {
	case path && hasRunes(pattern, "**/"):
		for i := range len(v) + 1 {
			if (i == 0 || v[i-1] == '/') && globs(pattern[3:], v[i:], path) {
				return true
			}
		}
		return false
	case hasRunes(pattern, "**"):
		return anyTail(pattern[2:], v, path, func(rune) bool { return true })
	case pattern[0] == '*':
		return anyTail(rest, v, path, func(r rune) bool { return !path || r != '/' })
	case pattern[0] == '?':
		return len(v) > 0 && (!path || v[0] != '/') && globs(rest, v[1:], path)
	case pattern[0] == '\\' && len(rest) > 0 && strings.ContainsRune(`()"-!:*?|/\,=<>{} `, rest[0]):
		return len(v) > 0 && v[0] == rest[0] && globs(rest[1:], v[1:], path)
	}
	return len(v) > 0 && v[0] == pattern[0] && globs(rest, v[1:], path)
}

func hasRunes(runes []rune, prefix string) bool {
	return len(runes) >= len(prefix) && string(runes[:len(prefix)]) == prefix
}

// anyTail passes over as many characters as may be passed.
func anyTail(pattern, v []rune, path bool, may func(rune) bool) bool {
	for i := 0; ; i++ {
		if globs(pattern, v[i:], path) {
			return true
		}
		if i == len(v) || !may(v[i]) {
			return false
		}
	}
}
