package parse_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/parsetest"
)

func TestWordsOfRealFilesSurvive(t *testing.T) {
	parsetest.EachRealFile(t, func(path string, raw []byte) {
		docs := parse.Parse(parse.Source{Path: filepath.ToSlash(path), Bytes: raw})
		if lost := lostWords(raw, docs); len(lost) > 0 {
			t.Errorf("%s (%s) lost %q", path, docs[0].Format, lost[:min(len(lost), 5)])
		}
	})
}

func TestSpansOfRealFilesHoldTheirValues(t *testing.T) {
	parsetest.EachRealFile(t, func(path string, raw []byte) {
		for _, fault := range spanFaults(raw, parse.Parse(parse.Source{Path: filepath.ToSlash(path), Bytes: raw})) {
			t.Errorf("%s: %s", path, fault)
		}
	})
}

func TestProblemsOfRealFilesAreOfTheTable(t *testing.T) {
	parsetest.EachRealFile(t, func(path string, raw []byte) {
		for _, fault := range problemFaults(parse.Source{Path: filepath.ToSlash(path), Bytes: raw}, len(raw)) {
			t.Errorf("%s: %s", path, fault)
		}
	})
}

var (
	escape      = regexp.MustCompile(`\\(u[0-9A-Fa-f]{4}|[A-Za-z])`)
	tag         = regexp.MustCompile(`</?[A-Za-z_][\w.:-]*`)
	declaration = regexp.MustCompile(`<\?xml [^>]*\?>`)
)

// wordLen is how long a run of letters must be to be followed.
const wordLen = 6

// lostWords lists the words of a file that stand in none of its documents.
func lostWords(raw []byte, docs []*parse.Document) []string {
	text := declaration.ReplaceAllString(strings.ToValidUTF8(string(raw), "\ufffd"), "")
	if s := docs[0].Shape; s == parse.JSON || s == parse.YAML {
		text = escape.ReplaceAllString(text, " ")
	}
	if docs[0].Shape == parse.XML {
		text = tag.ReplaceAllString(text, " ")
	}
	var all strings.Builder
	for _, d := range docs {
		all.WriteString(wordsOf(d))
	}
	kept := map[string]bool{}
	for _, w := range longWords(all.String()) {
		kept[w] = true
	}
	var lost []string
	for _, w := range longWords(text) {
		if !kept[w] && !strings.Contains(all.String(), w) {
			lost = append(lost, w)
		}
		kept[w] = true
	}
	return lost
}

func longWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len([]rune(w)) >= wordLen {
			out = append(out, w)
		}
	}
	return out
}

// wordsOf is all text of a document that is searched.
func wordsOf(d *parse.Document) string {
	var b strings.Builder
	b.WriteString(d.Head + "\n")
	for _, s := range d.Sections {
		b.WriteString(s.Heading + "\n" + s.Body + "\n")
	}
	for _, f := range d.Fields {
		b.WriteString(f.Label + "\n" + f.Value + "\n")
	}
	for _, it := range d.Items {
		b.WriteString(it.Text + "\n")
	}
	return b.String()
}
