package paths

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// maxPath is the longest path, in bytes.
const maxPath = 200

// fileTypes are the extensions by which a word of a text is taken for a file.
// Other dots are those of identifiers, versions and addresses.
var fileTypes = scan.Set(`md mdx mdc markdown rst adoc txt pdf docx xlsx pptx csv tsv json jsonl ndjson json5 jsonc
	yaml yml toml xml ini cfg conf env properties lock plist go mod sum py pyi ipynb ts tsx mts cts js jsx mjs cjs
	vue svelte astro html htm css scss sass less rs java kt kts gradle swift c h cc cpp hpp cs csproj sln fs vb rb
	erb php pl lua dart ex exs heex erl hs ml scala clj jl zig nim lean sol asm nix el vim sh bash zsh fish ps1 psm1
	bat cmd sql prisma graphql gql proto tf tfvars hcl j2 tmpl tpl service timer patch diff svg png jpg jpeg gif
	webp ico mp3 mp4 wav ttf woff2 db sqlite sqlite3 log bak example jucer bon dist template snap typ org tex bib r
	rmd do m mm wasm apk ipa deb zip tar gz tgz`)

// notFiles are names that only look like a file's.
var notFiles = scan.Set(`node.js next.js vue.js react.js nuxt.js three.js d3.js express.js nest.js discord.js
	chart.js alpine.js ember.js backbone.js asp.net socket.io process.env import.meta.env e.g i.e p.m a.m vs. etc.`)

// Mentioned lists the files that a section names anywhere outside of code fences, with what
// their lines say was done to them: words that end like a file, and folders in back quotes.
func Mentioned(heading, body string) []Ref {
	m := mentions{body: body}
	eachFile(heading, func(path string, _ int) { m.files = append(m.files, Ref{Path: path, Line: -1}) })
	code := scan.FencesOf(body)
	m.restart(code)
	eachFile(body, m.add)
	m.restart(code)
	eachQuoted(body, func(span string, at int) {
		if isQuotedPath(span) {
			m.add(span, at)
		}
	})
	return m.files
}

// mentions gathers the files of a body in the order they are in it.
type mentions struct {
	body   string
	files  []Ref
	code   scan.Fences
	n, end int // the line that was looked at last, and where it ends
	action string
}

// restart returns to the beginning of the body, so that add can be called with offsets from
// there on.
func (m *mentions) restart(code scan.Fences) { m.code, m.n, m.end = code, -1, 0 }

// add adds a path at an offset of the body, unless it is in code. Offsets must not go back
// before the next restart.
func (m *mentions) add(path string, at int) {
	if m.code.Contains(at) {
		return
	}
	if at >= m.end {
		start := scan.LineStart(m.body, at)
		m.n += strings.Count(m.body[m.end:start], "\n") + 1
		m.end = scan.LineEnd(m.body, at)
		m.action = actionOf(fileText(m.body[start:m.end]))
	}
	m.files = append(m.files, Ref{Path: path, Action: m.action, Line: m.n})
}

// eachFile calls found for each word of a text that ends like a file, with the path and the
// offset of the dot of its extension.
func eachFile(text string, found func(path string, at int)) {
	last, from := 0, 0 // the end of the last path, and where to look on
	for {
		dot := strings.IndexByte(text[from:], '.')
		if dot < 0 {
			return
		}
		dot += from
		end := extensionEnd(text, dot)
		if end == 0 {
			from = dot + 1
			continue
		}
		if path := pathBefore(text[max(last, dot-maxPath):dot], text[dot:end]); path != "" {
			found(path, dot)
		}
		last, from = end, end
	}
}

// eachQuoted calls found for each run of a text in back quotes that contains a slash, with
// its offset.
func eachQuoted(text string, found func(span string, at int)) {
	for from := 0; ; {
		open := strings.IndexByte(text[from:], '`')
		if open < 0 {
			return
		}
		open += from + 1
		n := strings.IndexAny(text[open:min(len(text), open+maxPath)], "`\n")
		if n < 0 {
			from = open
			continue
		}
		span := text[open : open+n]
		from = open + n
		if text[from] == '`' {
			from++
			if strings.IndexByte(span, '/') >= 0 {
				found(span, open)
			}
		}
	}
}

// extensionEnd returns where the known extension behind a dot ends, 0 if there is none.
func extensionEnd(line string, dot int) int {
	end := dot + 1
	for end < len(line) && scan.IsAlnum(line[end]) {
		end++
	}
	if end == dot+1 || end-dot > 12 || !fileTypes[strings.ToLower(line[dot+1:end])] {
		return 0
	}
	rest := line[end:]
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return end
	case r == '.' && len(rest) > 1 && scan.IsAlnum(rest[1]), r == '/' && len(rest) > 1 && scan.IsAlnum(rest[1]):
		return 0
	case r == '_', r == '(', r == '-' && len(rest) > 1 && scan.IsAlnum(rest[1]), r == '=', r == '[':
		return 0
	case r < scan.FirstUnspaced && (unicode.IsLetter(r) || unicode.IsDigit(r)):
		return 0
	}
	return end
}

// pathBefore returns the path that the end of text and the extension behind it make, "" if
// they are no path but an address, an abbreviation or the like.
func pathBefore(text, extension string) string {
	start := len(text)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !isPathRune(r) && r != '[' && r != ']' && r != '*' && r != '%' {
			break
		}
		start -= size
	}
	if strings.HasSuffix(text[:start], ":") && strings.HasPrefix(text[start:], "//") {
		return "" // an address
	}
	stem := openBrackets(text[start:])
	path := stem + extension
	name := stem[strings.LastIndexAny(stem, "/\\")+1:]
	switch {
	case len(path) > maxPath, strings.ContainsAny(path, "*$"), notFiles[strings.ToLower(path)]:
		return ""
	case name == "" && !dotFiles[strings.ToLower(extension)]:
		return ""
	case name != "" && !strings.ContainsFunc(stem, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return ""
	case len(extension) == 2 && !strings.Contains(path, "/") && len(name) < 3:
		return "" // an abbreviation
	case strings.Contains(path, "//"):
		return ""
	}
	return path
}

// dotFiles are names that are all extension.
var dotFiles = scan.Set(".env .conf .properties")

// openBrackets returns the beginning of a path without what is before it: a bracket that is
// not closed in it, a bullet.
func openBrackets(stem string) string {
	for strings.ContainsAny(stem, "()[]") {
		cut := -1
		for _, pair := range []string{"()", "[]"} {
			if strings.Count(stem, pair[:1]) > strings.Count(stem, pair[1:]) {
				cut = max(cut, strings.IndexByte(stem, pair[0]))
			} else if strings.Count(stem, pair[1:]) > strings.Count(stem, pair[:1]) {
				cut = max(cut, strings.IndexByte(stem, pair[1]))
			}
		}
		if cut < 0 {
			break
		}
		stem = stem[cut+1:]
	}
	return strings.TrimLeft(stem, "-+*")
}

// isQuotedPath reports whether a word in back quotes is a path without a
// known extension: a folder with a slash at its end, a file several folders deep.
func isQuotedPath(span string) bool {
	if len(span) < 3 || strings.ContainsAny(span, " :*$<>{}()=#?&,;\"'|") || strings.Contains(span, "//") {
		return false
	}
	name := span[strings.LastIndexByte(span, '/')+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot >= 0 && fileTypes[strings.ToLower(name[dot+1:])] {
		return false // found as such
	}
	switch slashes := strings.Count(span, "/"); {
	case strings.HasSuffix(span, "/"):
		return true
	case span[0] == '/':
		return false
	default:
		return slashes > 1 && !strings.HasPrefix(span, "origin/") || hasExtension(span) && len(name)-dot <= 5
	}
}
