package parse

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
)

// contractRules are the rules about what the contract calls stable. Its readers do without
// most of it ("extraction degrades gracefully"), so a file that is found gets warnings only.
var contractRules = []rule{
	newRule("encoding", Warning, Error, "Path Encoding", encodedFolder,
		"The folder below ~/.claude/handoffs is named after the project's path, with \"-\" in place of all characters but "+
			"letters, digits and \"-\".",
		"Move the files to the folder that version 2 of the encoding names, for example with handex path --migrate."),
	newRule("title-line", Warning, Error, "Metadata", titleLine,
		"The first line is \"# Handoff — YYYY-MM-DD\".", "Begin the file with # Handoff — and the date."),
	newRule("session-id", Warning, Error, "What's Stable", plainLine("session", "session_id"),
		"A line above the sections begins with session_id: and names the session.", "Add a line session_id: ID below the "+
			"title."),
	newRule("purpose", Warning, Error, "What's Stable", plainLine("goal", "purpose"),
		"A line above the sections begins with purpose: and summarizes the handoff.", "Add a line purpose: SUMMARY below "+
			"session_id."),
	newRule("metadata-place", Warning, Error, "Metadata", metadataPlace,
		"session_id and purpose are in the first five lines.", "Move the lines directly below the title."),
	newRule("sections", Warning, Error, "What's Stable", hasSection,
		"The handoff is Markdown with sections.",
		"Put what was done, what is next and what to look out for under headings such as ## Done, ## Next, ## Gotchas."),
	newRule("signal-case", Warning, Error, "Escalation Signal", signalCase,
		"The escalation signal is written in capitals.", "Write "+EscalationSignal+": scripts search for this exact text."),
}

// hasSection reports a document without any section that has a heading.
func hasSection(s *subject) {
	if !slices.ContainsFunc(s.doc.Sections, func(sec Section) bool { return sec.Level > 0 }) {
		s.report(s.top(), "no section: no heading has text under it")
	}
}

var titled = scan.Pattern(`^# (?:Auto-generated handoff|Handoff)\b.*\b([0-9]{4}-[0-9]{2}-[0-9]{2})\b`)

// titleLine reports a first line that is not "# Handoff — YYYY-MM-DD" with a real date.
// Entries of a log are not checked.
func titleLine(s *subject) {
	if s.doc.Key != "" {
		return // an entry of a log has a heading of its own
	}
	at := s.top()
	line := s.text[at.Start:at.End]
	m := titled().FindStringSubmatch(line)
	if m == nil {
		s.report(at, "the first line is %q, not # Handoff — YYYY-MM-DD", scan.Shorten(line, 60))
	} else if _, err := time.Parse(time.DateOnly, m[1]); err != nil {
		s.report(at, "%s in the first line is not a date", m[1])
	}
}

// plainLine returns a rule that reports a field that is missing or empty, and one whose line
// does not begin with key and a colon, which scripts search for.
func plainLine(field, key string) func(*subject) {
	return func(s *subject) {
		f, ok := s.labelled(field)
		switch {
		case s.doc.Key != "":
		case !ok || f.Value == "":
			s.report(s.top(), "no %s", key)
		case scan.LineStart(s.text, f.Start) != f.Start || !strings.HasPrefix(s.text[f.Start:], key+":"):
			at := s.lines.Content(s.text, s.lines.Line(f.Start))
			s.report(at, "the line does not begin with %s:, which scripts search for", key)
		}
	}
}

// metadataLines is how far the metadata of a handoff go.
const metadataLines = 5

// metadataPlace reports a session_id or purpose that is below the first five lines.
func metadataPlace(s *subject) {
	for _, field := range []string{"session", "goal"} {
		f, ok := s.labelled(field)
		if line := s.lines.Line(f.Start); ok && s.doc.Key == "" && line > metadataLines {
			s.report(s.label(f), "%s is on line %d, not in the first %d", f.Label, line, metadataLines)
		}
	}
}

// encodedFolder reports a folder below .claude/handoffs whose name contains a character that
// version 2 of the encoding replaces by "-". Names without a leading "-" are not encoded,
// and not checked.
func encodedFolder(s *subject) {
	_, rest, ok := strings.Cut(s.src.Path, ".claude/handoffs/-")
	folder, _, below := strings.Cut(rest, "/")
	if !ok || !below {
		return
	}
	if i := strings.IndexFunc(folder, func(c rune) bool {
		return c != '-' && (c >= utf8.RuneSelf || !scan.IsAlnum(byte(c)))
	}); i >= 0 {
		c, _ := utf8.DecodeRuneInString(folder[i:])
		s.report(Span{}, "the folder -%s contains %q: version 2 of the encoding writes \"-\" instead", folder, c)
	}
}

// signalCase reports lines that begin with the escalation signal in other than capital
// letters. The same words inside a line are prose.
func signalCase(s *subject) {
	start := s.doc.Span.Start
	for _, m := range leadingSignal().FindAllStringSubmatchIndex(s.text[start:s.doc.Span.End], -1) {
		at := s.lines.Span(start+m[2], start+m[3])
		if word := s.text[at.Start:at.End]; word != EscalationSignal {
			s.report(at, "%q must be written as %s", word, EscalationSignal)
		}
	}
}

var leadingSignal = scan.Pattern(`(?im)^[-> \t*+#_[\]!⚠\x{fe0f}🚨]*(` + EscalationSignal + `)`)
