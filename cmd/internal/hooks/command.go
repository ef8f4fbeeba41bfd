package hooks

import (
	"slices"
	"strings"
)

// A Shell is what an agent has read a command.
type Shell int

// The shells of agents. All but Windows have them read by POSIX.
const (
	POSIX Shell = iota
	CommandPrompt
	PowerShell
)

// Quote writes the path of a program as the beginning of a command. A path on
// Windows is written with slashes, which programs take there, too: a backslash is
// lost in most shells.
func (s Shell) Quote(program string) string {
	if strings.IndexFunc(program, func(r rune) bool { return !plainInShell(r) }) < 0 {
		return program
	}
	switch s {
	case CommandPrompt:
		return `"` + program + `"` // a path there holds no quotes
	case PowerShell:
		return "& '" + strings.ReplaceAll(program, "'", "''") + "'"
	}
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
}

// plainInShell reports whether a sign means itself in every shell.
func plainInShell(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:+", r)
}

// Words are those of a command that is no more than a program with arguments: nil
// if it does anything else, as with pipes or variables, or is not understood.
func Words(command string) []string {
	command = strings.TrimPrefix(command, "& ") // PowerShell's way to run a quoted program
	var words []string
	for rest := strings.TrimLeft(command, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		word, after, ok := firstWord(rest)
		if !ok {
			return nil
		}
		words = append(words, word)
		rest = after
	}
	if len(words) > 0 && strings.Contains(words[0], "=") {
		return nil // it sets a variable
	}
	return words
}

// firstWord reads a word, which may be made of quoted parts.
func firstWord(text string) (word, rest string, ok bool) {
	var b strings.Builder
	for text != "" && text[0] != ' ' {
		switch text[0] {
		case '\'', '"':
			inside, after, closed := strings.Cut(text[1:], text[:1])
			if !closed || text[0] == '"' && strings.ContainsAny(inside, "$`") {
				return "", "", false
			}
			b.WriteString(inside)
			text = after
		case '\\':
			if len(text) < 2 {
				return "", "", false
			}
			b.WriteByte(text[1])
			text = text[2:]
		default:
			if strings.IndexByte("|&;<>()$`*?[]#~%!{}\n\r\t", text[0]) >= 0 {
				return "", "", false
			}
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String(), text, true
}

// isHandex reports whether a word of a command is this program, by its name.
func isHandex(word string) bool {
	name := strings.ToLower(word[strings.LastIndexAny(word, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe") == "handex"
}

// ours reports whether a command of an event is one that an installation writes, or
// wrote with other flags or another path. A program of another name counts if its
// arguments are just those.
func ours(event, agent, command string) bool {
	switch event {
	case sessionStart, cursorStart:
		words := Words(command)
		if len(words) < 2 || words[1] != "brief" {
			return false
		}
		args := words[1:]
		at := slices.Index(args, "--for")
		forAgent := at > 0 && len(args) > at+1 && args[at+1] == agent || slices.Contains(args, "--for="+agent)
		return forAgent && (isHandex(words[0]) || len(args) == 3)
	case preCompact, sessionEnd:
		words := Words(command)
		return len(words) == 6 && isHandex(words[0]) && words[1] == "write" && words[2] == "--as" && words[4] == "--save" && words[5] == "--hook"
	}
	return false
}
