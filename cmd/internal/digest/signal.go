package digest

import (
	"strconv"
	"strings"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// Signal returns what a handoff says where it calls for a human: the line, and what
// follows where the line is only the call.
func Signal(h *index.Handoff) string {
	text := ""
	if len(h.Escalations) > 0 {
		text = Plain(SignalLine(h.Escalations[0].Text))
	}
	if WordingOf(strings.Replace(text, parse.EscalationSignal, "", 1)).Len() > 2 {
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
		if list := Split(strings.TrimLeft(after, "*_:.!# \n")); len(list) > 0 {
			return strings.TrimRight(text, " :") + ": " + list[0].Text
		}
	}
	return text
}

// SignalLine returns the text of a line that contains the signal, without the marks of a
// list, a heading or a quote before it, and without the quotation marks that YAML needs.
func SignalLine(line string) string {
	text := strings.TrimLeft(line, "#>-*+ ")
	if quoted, err := strconv.Unquote(text); err == nil {
		return quoted
	}
	return text
}
