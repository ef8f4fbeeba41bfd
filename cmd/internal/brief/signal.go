package brief

import (
	"strings"

	"handex/index"
	"handex/parse"
)

// signalText is what a handoff says where it calls for a human: the line, and
// what follows where the line is only the call.
func signalText(h *index.Handoff) string {
	text := ""
	if len(h.Escalations) > 0 {
		text = plain(strings.TrimLeft(h.Escalations[0].Text, "#>-*+ "))
	}
	if len(wordingOf(strings.Replace(text, parse.EscalationSignal, "", 1))) > 2 {
		return text
	}
	for i := range h.Sections {
		s := &h.Sections[i]
		after, found := s.Body, strings.Contains(s.Heading, parse.EscalationSignal)
		if !found {
			_, after, found = strings.Cut(s.Body, parse.EscalationSignal)
		}
		if !found {
			continue
		}
		if list := split(s.Kind, strings.TrimLeft(after, "*_:.!# \n")); len(list) > 0 {
			return strings.TrimRight(text, " :") + ": " + list[0].text
		}
	}
	return text
}
