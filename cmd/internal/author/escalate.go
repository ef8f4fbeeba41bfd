package author

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/digest"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/save"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// Escalate adds the escalation signal with a line of text to the file of a handoff. A dry
// run only returns what would change.
func (e Env) Escalate(ctx context.Context, h index.Summary, text string, dryRun bool) (save.Change, error) {
	info, err := os.Stat(h.Path)
	if err != nil {
		return save.Change{}, err
	}
	dir, name := filepath.Split(h.Path)
	at := Location{Root: filepath.Clean(dir)}
	c, err := e.edit(ctx, at, name, dryRun, func(old []byte) ([]byte, bool, error) {
		if old == nil {
			return nil, false, fmt.Errorf("%s no longer exists", h.Path)
		}
		text, err := escalated(h, old, text)
		return text, false, err
	})
	if err == nil && !dryRun && !slices.Contains(h.States, "latest") {
		// The newest file is the newest handoff, which this one is not.
		err = os.Chtimes(h.Path, info.ModTime(), info.ModTime())
	}
	return c, err
}

// escalated returns the text old of a file with the signal added to handoff h in it, or old
// itself if the signal with this text is there. It returns an error if the file has changed
// since it was indexed or cannot be extended.
func escalated(h index.Summary, old []byte, text string) ([]byte, error) {
	docs := parse.Parse(parse.Source{Path: filepath.ToSlash(h.Path), Bytes: old})
	switch shape := docs[0].Shape; {
	case h.VersionOf != "":
		return nil, fmt.Errorf("%s is an earlier version of %s", h.ID, h.VersionOf)
	case shape == parse.JSON || (shape == parse.YAML || shape == parse.XML) && len(docs) > 1:
		err := fmt.Errorf("%s is %s: a line cannot be added to it", h.Path, shape)
		return nil, render.WithHint(err, "escalate can change Markdown files, and YAML and XML files of one handoff")
	case !utf8.Valid(old):
		return nil, fmt.Errorf("%s is not UTF-8", h.Path)
	case h.Entry >= len(docs) || docs[h.Entry].Title != h.Title:
		return nil, fmt.Errorf("%s has changed since it was indexed; try again", h.Path)
	}
	line := parse.EscalationSignal + ": " + text
	d := docs[h.Entry]
	if slices.ContainsFunc(d.Escalations, func(e parse.Line) bool { return isSignal(e.Text, line) }) {
		return old, nil
	}
	switch d.Shape {
	case parse.YAML:
		return write.EditYAML(old, []write.YAMLSet{{Key: unusedKey(old), Values: []string{line}, List: true}})
	case parse.XML:
		return signalInXML(h.Path, old, line)
	}
	eol := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		eol = "\r\n"
	}
	end := len(old)
	if d.Key != "" {
		end = d.Span.End
	}
	before := bytes.TrimRight(old[:end], " \t\r\n")
	added := string(before) + eol + eol + line + eol
	if rest := old[end:]; len(rest) > 0 {
		added += eol + string(rest)
	}
	return []byte(added), nil
}

// isSignal reports whether text, a line of a file, is the given line with the signal, in
// plain text or escaped as in YAML or XML.
func isSignal(text, line string) bool {
	return text == line || digest.SignalLine(text) == line || html.UnescapeString(text) == line
}

// unusedKey returns a key for the signal that does not occur in a YAML text.
func unusedKey(text []byte) string {
	key := signalName
	for n := 2; bytes.Contains(text, []byte(key+":")); n++ {
		key = fmt.Sprintf("%s_%d", signalName, n)
	}
	return key
}

// signalName is the key, or the element, of the signal.
const signalName = "escalation"

// signalInXML returns an XML text with an element for the signal added before its last end
// tag, that of the root. It returns an error if there is no end tag.
func signalInXML(path string, old []byte, line string) ([]byte, error) {
	end := bytes.LastIndex(old, []byte("</"))
	if end < 0 {
		return nil, fmt.Errorf("%s has no end tag to add a line before", path)
	}
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(line)); err != nil {
		return nil, err
	}
	eol := "\n"
	if bytes.Contains(old, []byte("\r\n")) {
		eol = "\r\n"
	}
	before := strings.TrimRight(string(old[:end]), " \t\r\n")
	element := []string{"", "  <" + signalName + ">", "    " + escaped.String(), "  </" + signalName + ">", ""}
	return []byte(before + strings.Join(element, eol) + string(old[end:])), nil
}
