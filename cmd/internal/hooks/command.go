package hooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// A Shell is the kind of shell with which an agent runs commands.
type Shell int

// The shells of agents. All but Windows have them read by POSIX.
const (
	POSIX Shell = iota
	CommandPrompt
	PowerShell
)

// Quote returns the path of a program as the beginning of a command, in quotes if it needs
// them. On Windows the path must have slashes, which programs accept there, too: most
// shells lose backslashes.
func (s Shell) Quote(program string) string {
	if strings.IndexFunc(program, func(r rune) bool { return !plainInShell(r) }) < 0 {
		return program
	}
	switch s {
	case CommandPrompt:
		return `"` + program + `"` // a path there contains no quotes
	case PowerShell:
		return "& '" + strings.ReplaceAll(program, "'", "''") + "'"
	}
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
}

// Program returns how commands for the agent begin: "handex" if the user's PATH leads to
// this program and absolute is false, else the quoted path of this program.
func (a Agent) Program(absolute bool) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if onPath, err := exec.LookPath("handex"); err == nil && !absolute && sameFile(self, onPath) {
		return "handex", nil
	}
	if runtime.GOOS == "windows" {
		return a.Windows.Quote(filepath.ToSlash(self)), nil
	}
	return POSIX.Quote(self), nil
}

// sameFile reports whether two paths lead to the same existing file.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// plainInShell reports whether a character has no special meaning in any shell.
func plainInShell(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:+", r)
}

// wordPart is what words are made of: quoted text, escaped signs, and signs that mean
// themselves.
var wordPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:'[^']*'|"[^"$\x60]*"|\\.|[^\s'"\\|&;<>()$\x60*?\[\]#~%!{}]+)`)
})

// Words splits a command into the program and its arguments. It returns nil if the command
// does anything else, as with pipes or variables, or cannot be read.
func Words(command string) []string {
	rest := strings.TrimPrefix(command, "& ") // PowerShell's way to run a quoted program
	var words []string
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		var word strings.Builder
		for rest != "" && rest[0] != ' ' {
			part := wordPart().FindString(rest)
			switch rest = rest[len(part):]; {
			case part == "":
				return nil
			case part[0] == '\'' || part[0] == '"':
				part = part[1 : len(part)-1]
			case part[0] == '\\':
				part = part[1:]
			}
			word.WriteString(part)
		}
		words = append(words, word.String())
	}
	if len(words) > 0 && strings.Contains(words[0], "=") {
		return nil // it sets a variable
	}
	return words
}

// ours reports whether the command of an event is one that an installation for the agent
// writes, perhaps with other flags or another path. A program of another name counts only
// if its arguments are exactly those.
func ours(event, agent, command string) bool {
	words := Words(command)
	if len(words) < 2 {
		return false
	}
	name := strings.ToLower(words[0][strings.LastIndexAny(words[0], `/\`)+1:])
	isHandex := strings.TrimSuffix(name, ".exe") == "handex"
	args := strings.Join(words[1:], " ") + " "
	switch event {
	case sessionStart, cursorStart:
		briefs := strings.Contains(args, " --for "+agent+" ") || strings.Contains(args, " --for="+agent+" ")
		return isHandex && words[1] == "brief" && briefs || args == "brief --for "+agent+" "
	case preCompact, preCompress, sessionEnd:
		saves := strings.HasPrefix(args, "write --as ") && strings.HasSuffix(args, " --save --hook ")
		return isHandex && len(words) == 6 && saves
	}
	return false
}
