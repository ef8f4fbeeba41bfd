package source

import (
	"regexp"
	"slices"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
)

// A yamlFault is a reason why a text is not YAML, and what helps.
type yamlFault struct {
	parser string                // how the parser's message begins; alternatives are separated by "|"
	line   func() *regexp.Regexp // what the line has to match, nil for any
	cause  string
	fix    string
}

// yamlFaults are the common faults; of two that fit, the first counts.
var yamlFaults = []yamlFault{
	newFault("", scan.Pattern("^ *(```|~~~)"), "it is inside a code fence", "Remove the lines of the code fence."),
	newFault("", scan.Pattern(`^(<{7}|={7}|>{7})( |$)`), "it contains the markers of an unresolved merge",
		"Keep one side, and remove the lines <<<<<<<, ======= and >>>>>>>."),
	newFault("found ", scan.Pattern(`^ *\t`), "the line is indented with a tab", "Indent with spaces."),
	newFault("found character that cannot start any token|did not find expected alphabetic|unknown anchor", nil,
		"a value begins with a character that YAML reserves", "Put the value in quotes."),
	newFault("mapping values", scan.Pattern(`:[ \t].*:([ \t]|$)`), `a value contains ": "`,
		`Put the value in quotes, or write it below its key, indented, after "key: |".`),
	newFault("mapping values", nil, "a key is indented below a key that already has a value",
		"Indent the key like the one above; if it is text, put quotes around the whole value it is part of."),
	newFault("found unexpected end of stream", nil, "a quote is never closed",
		`Close the quote; inside '…' write each ' twice, inside "…" write \" for a quote.`),
	newFault("found unknown escape character|did not find expected hexdecimal number|"+
		"found invalid Unicode character escape", nil, `a backslash inside "…" does not begin a known escape`,
		"Put the value in '…', or write the backslash twice."),
	newFault("did not find expected key", scan.Pattern(`(^|[:-][ \t]+)["'[{]`), "text follows a closing quote or bracket",
		"Put quotes around the whole value; inside '…' write each ' twice."),
	newFault("did not find expected key|did not find expected '-'", nil,
		"the line is not indented like the lines it belongs to",
		"Indent the line like its neighbours; list items and keys cannot be mixed at one indentation."),
	newFault("did not find expected ',' or", nil, "a bracket is never closed, or text follows a value inside it",
		"Close the bracket, or put quotes around text that only begins with one."),
	newFault("could not find expected ':'", nil, `the line is not "key: value"`,
		`Write "key: value" with a space after the colon, or indent the line as part of the text above it.`),
	newFault("did not find expected comment or line break", nil, "text follows | or > on the same line",
		"Begin the text on the next line, indented."),
	newFault("did not find expected node content", nil, "a bracket is never closed, or a value inside it is missing",
		"Close the bracket, write a value between commas, and put quotes around values that contain , [ ] { or }."),
	newFault("block sequence entries", nil, "a list begins on the line of its key",
		"Begin the list on the line below the key."),
	newFault("control characters", nil, "it contains a control character", "Remove the character."),
}

func newFault(parser string, line func() *regexp.Regexp, cause, fix string) yamlFault {
	return yamlFault{parser, line, cause, fix}
}

// YAMLCause returns in words the cause of a message of the YAML parser about a line, or the
// message if no cause is known.
func YAMLCause(parser, line string) string {
	for _, f := range yamlFaults {
		begins := func(message string) bool { return strings.HasPrefix(parser, message) }
		if slices.ContainsFunc(strings.Split(f.parser, "|"), begins) && (f.line == nil || f.line().MatchString(line)) {
			return f.cause
		}
	}
	return parser
}

// FixOfYAML returns how to correct the cause that a problem's message names, "" if it names
// none that is known.
func FixOfYAML(message string) string {
	for _, f := range yamlFaults {
		if strings.Contains(message, ": "+f.cause+";") {
			return f.fix
		}
	}
	return ""
}
