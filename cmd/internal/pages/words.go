package pages

import (
	"fmt"
	"strings"

	"github.com/OWNER/handex/cmd/internal/render"
)

// counted writes how many there are of something.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", render.Thousands(n), what)
}

// A Badge is a state of a handoff; Look is the class that colours it.
type Badge struct{ Text, Look string }

func badges(states []string) []Badge {
	var list []Badge
	for _, s := range states {
		if render.Quiet(s, states) {
			continue
		}
		list = append(list, Badge{render.StateWord(s), classOf(s)})
	}
	return list
}

// classOf returns the class of the style sheet that shows a state.
func classOf(state string) string {
	switch state {
	case "escalated", "waiting", "invalid", "failed":
		return "alarm"
	case "blocked":
		return "stop"
	case "open", "worked":
		return "go"
	case "stale", "partial", "replaced":
		return "wait"
	}
	return "calm"
}

// slug returns a name as it can be in an address of the page.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// code splits a line at its code, which is between backticks.
func code(text string) []Piece {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 {
		return []Piece{{Text: text}}
	}
	var list []Piece
	for i, part := range parts {
		if part != "" {
			list = append(list, Piece{part, i%2 == 1})
		}
	}
	return list
}
