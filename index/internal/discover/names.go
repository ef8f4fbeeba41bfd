package discover

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A wordSet is a list of words to look up. It is no map because each start of the program would
// have to fill it.
type wordSet []string

func (s wordSet) has(word string) bool { return slices.Contains(s, word) }

// TextKinds are the extensions handoffs have; ".tmp" only in a known place.
var TextKinds = wordSet{".md", ".markdown", ".yaml", ".yml", ".xml", ".json", ".txt", ".tmp"}

// MayBeHandoff reports whether a file name has an extension that handoffs have.
func MayBeHandoff(name string) bool { return TextKinds.has(Extension(name)) }

// Extension returns the extension of name in lower case, with its dot; "" if it has none, or one of
// more than 9 bytes.
func Extension(name string) string {
	for i := len(name) - 1; i > 0 && i > len(name)-10; i-- {
		if name[i] == '.' {
			return strings.ToLower(name[i:])
		}
	}
	return ""
}

// Folders that contain what others wrote or what programs made.
var dependencyFolders = wordSet{
	"node_modules", "bower_components", "jspm_packages", "vendor", "site-packages", "dist-packages", ".venv", "venv",
	".tox", ".nox", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".eggs", ".gradle", ".m2", ".cargo",
	".rustup", ".npm", ".pnpm-store", ".yarn", ".bundle", ".cache", ".hg", ".svn", ".jj", "pods", "deriveddata",
	"elm-stuff", ".terraform", ".next", ".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", ".angular",
}

// Folders of texts that instruct an agent what to write, and of made-up examples.
var promptFolders = wordSet{
	"skills", ".skills", "templates", ".templates", "template", "commands", ".commands", "prompts", ".prompts",
	"marketplaces", ".claude-plugin", "testdata", "fixtures", "__fixtures__", "__tests__", "__mocks__", "__snapshots__",
}

// The same inside an agent's own folder (.claude, .github ...), where these
// names mean only that.
var agentPromptFolders = wordSet{
	"agent", "agents", "plugins", "rules", "workflows", "output-styles", "hooks", "modes", "chatmodes",
	"instructions", "issue_template",
}

// Folders of programs: a folder named handoff below them is code.
var codeFolders = wordSet{
	"src", "lib", "internal", "pkg", "cmd", "app", "test", "tests", "spec", "specs", "schemas",
	"schema", "locales", "i18n", "public", "assets",
}

// Folders that people and agents write notes to.
var noteFolders = wordSet{"docs", "doc", "thoughts", "notes", "plans", "memory", "planning"}

var sessionFolders = wordSet{
	"sessions", ".sessions", "session-logs", "session_logs", "session-notes", "session_notes", "session-summaries",
	"session_summaries", "session-reports", "session_reports", "session-history", "sessionlogs", "session-log",
}

// skippedFolder returns the rule that keeps a walk out of the folder with the name lower, "" if
// there is none.
func skippedFolder(parent ruleState, lower string) string {
	switch {
	case dependencyFolders.has(lower), isModule(lower):
		return "folder " + lower + ": dependencies and build output"
	case promptFolders.has(lower):
		return "folder " + lower + ": prompts, templates and test data"
	case agentPromptFolders.has(lower) && inDotFolder(parent.lower):
		return "folder " + lower + " of an agent: prompts and state"
	}
	return ""
}

// isModule reports whether a folder has the name of a Go module in the module cache: module@v1.2.3.
func isModule(lower string) bool {
	i := strings.LastIndex(lower, "@v")
	return i > 0 && i+2 < len(lower) && lower[i+2] >= '0' && lower[i+2] <= '9'
}

// inDotFolder reports whether the last name of a path begins with a dot.
func inDotFolder(lower string) bool {
	return strings.HasPrefix(lower[strings.LastIndexByte(lower, '/')+1:], ".")
}

// folderTrust returns how sure it is that a folder contains handoffs, by its name in lower case.
// agent says that it is in the folder of an agent.
func folderTrust(lower string, agent bool) trust {
	if handoffsName(lower) {
		return trustFull
	}
	switch strings.Trim(lower, "._") {
	case "handoff", "handover", "hand-off", "hand_off", "hand-over",
		"session-handoff", "session_handoff", "agent-handoff", "agent_handoff":
		if agent {
			return trustFull
		}
		return trustSome
	}
	return trustNone
}

// handoffsName reports whether the name of a folder stands for many handoffs, as "handoffs",
// "session-handoffs" and "handoffs-archive" do.
func handoffsName(lower string) bool {
	if !strings.Contains(lower, "hand") {
		return false
	}
	words := strings.FieldsFunc(lower, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' })
	for i, w := range words {
		if w == "handoffs" || w == "handovers" || (w == "offs" || w == "overs") && i > 0 && words[i-1] == "hand" {
			return i == len(words)-1 || archiveWords.has(words[i+1])
		}
		if (w == "handoff" || w == "handover") && i+1 < len(words) && archiveWords.has(words[i+1]) {
			return true
		}
	}
	return false
}

var archiveWords = wordSet{
	"archive", "archived", "closed", "done", "completed", "old", "history", "log", "logs", "active", "open", "pending",
	"inbox", "outbox", "notes", "docs", "reports", "records", "backup",
}

// excludedName returns the rule by which a file with this name is no handoff in any folder, "" if
// there is none: lists of handoffs, instructions, templates, left-overs of editors.
func excludedName(lower string) string {
	if strings.HasPrefix(lower, ".#") || strings.HasPrefix(lower, "._") || strings.HasPrefix(lower, "~$") {
		return "a temporary file of an editor or a file system"
	}
	base := strings.TrimLeft(lower[:strings.LastIndexByte(lower, '.')], "._-0")
	first, rest, dotted := strings.Cut(base, ".")
	if notHandoffs.has(first) || configFiles.has(lower) {
		return "named " + lower
	}
	for dotted && !hasDate(base) {
		var part string
		if part, rest, dotted = strings.Cut(rest, "."); madeUp.has(part) {
			return "named ." + part
		}
	}
	for _, prefix := range []string{"template", "readme", "tsconfig", "changelog", "license"} {
		if strings.HasPrefix(base, prefix) {
			return "named " + prefix
		}
	}
	return ""
}

var (
	notHandoffs = wordSet{
		"readme", "index", "ledger", "skill", "claude", "agents", "gemini", "changelog", "license", "contributing",
		"code_of_conduct", "security", "toc", "summary_index", "conventions",
	}
	configFiles = wordSet{
		"package.json", "package-lock.json", "composer.json", "manifest.json", "mkdocs.yml", "mkdocs.yaml", "openapi.yaml",
		"docker-compose.yml", "docker-compose.yaml", "pom.xml", "plugin.json", "_category_.json", "meta.json",
	}
	madeUp = wordSet{
		"test", "tests", "spec", "example", "sample", "template", "schema", "prompt", "instructions", "bak",
		"orig", "i18n",
	}
)

// layoutFolders are parts of a project beside those of code and notes.
var layoutFolders = wordSet{"meta", "discussion", "archive", "session-data", "scripts", "tools", "email"}

// IsInnerFolder reports whether a folder with that name belongs to the project of the folder above
// it.
func IsInnerFolder(name string) bool {
	lower := strings.ToLower(name)
	return noteFolders.has(lower) || layoutFolders.has(lower) || sessionFolders.has(lower) ||
		folderTrust(lower, false) != trustNone
}

// IsLayout reports whether, by its name, a folder is a part of a project and not a project.
func IsLayout(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, ".") || isRelease(lower) || codeFolders.has(lower) && lower != "app" ||
		IsInnerFolder(name)
}

// isRelease reports whether a name, in lower case, is a version or a date: v1.3.15, 2.0,
// 2026-01-05. A number alone can be anything.
func isRelease(lower string) bool {
	digits := strings.TrimPrefix(lower, "v")
	if digits == "" || !isDigit(digits[0]) || strings.Trim(digits, "0123456789.-_") != "" {
		return false
	}
	return digits != lower || strings.ContainsAny(digits, ".-_")
}

// letter is a pattern for the texts that company's manifests refer to, in a folder beside that of
// the manifest. A text that no manifest names any more is a handoff of its own.
const letter = "discussion/[0-9][0-9][0-9]-*-response.md"

// LetterRule returns the rule by which the file name in the folder dir is a letter, "" if it is
// none. Both are in lower case.
func LetterRule(dir, name string) string {
	if strings.HasSuffix(dir, "/discussion") && doublestar.MatchUnvalidated(letter, "discussion/"+name) {
		return "pattern **/" + letter
	}
	return ""
}

// IsOverwritten reports whether, by its path, a file is one that each session overwrites: its name
// contains no day, topic or session.
func IsOverwritten(path string) bool {
	name := filepath.Base(path)
	lower := strings.ToLower(name)
	if !MayBeHandoff(name) {
		return false
	}
	words := splitWords(lower[:strings.LastIndexByte(lower, '.')])
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !standing.has(w) }) ||
		strings.HasPrefix(lower, "continuity_")
}

// standing are the words of names that stay the same from session to session.
// "log" is none of them: a log keeps its earlier entries.
var standing = wordSet{
	"handoff", "handover", "hand", "off", "over", "session", "sessions", "next", "whats", "what", "is", "s", "current",
	"latest", "last", "previous", "state", "status", "summary", "notes", "note", "context", "progress", "continue",
	"here", "continuation", "continuity", "resume", "resumption", "work", "point", "prompt", "checkpoint", "recap",
	"transfer", "left", "pick", "pickup", "up", "where", "we", "i", "for", "the", "to", "of", "end", "agent", "claude",
	"codex", "gemini", "ai", "project", "task", "todo", "my", "draft", "final", "report", "交接", "引き継ぎ", "引継", "인수인계",
	"übergabe", "uebergabe", "passation",
}
