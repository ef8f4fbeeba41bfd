package discover

import (
	"path/filepath"
	"slices"
	"strings"
)

// IsOverwritten reports whether, by its path, a file is one that each session
// writes again: its name says nothing of a day, a topic or a session.
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
// "log" is none of them: a log keeps what it was.
var standing = wordSet{
	"handoff", "handover", "hand", "off", "over", "session", "sessions", "next", "whats", "what", "is", "s", "current",
	"latest", "last", "previous", "state", "status", "summary", "notes", "note", "context", "progress", "continue",
	"here", "continuation", "continuity", "resume", "resumption", "work", "point", "prompt", "checkpoint", "recap",
	"transfer", "left", "pick", "pickup", "up", "where", "we", "i", "for", "the", "to", "of", "end", "agent", "claude",
	"codex", "gemini", "ai", "project", "task", "todo", "my", "draft", "final", "report", "交接", "引き継ぎ", "引継", "인수인계",
	"übergabe", "uebergabe", "passation",
}
