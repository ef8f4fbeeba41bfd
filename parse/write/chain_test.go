package write_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/parsetest"
	"github.com/OWNER/handex/parse/write"
)

// Every word of a document is in its draft, but for labels of canonical fields
// and headings that say no more than their kind.
func TestDraftsHoldEveryWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := parsetest.Source(t)
		for _, d := range parse.Parse(src) {
			if lost := undrafted(d); len(lost) > 0 {
				t.Errorf("%s: lost %q of %+v in %+v", d.Format, lost, d, write.DraftOf(d))
			}
		}
	})
}

func TestDraftsOfRealFilesHoldEveryWord(t *testing.T) {
	parsetest.EachRealFile(t, func(path string, raw []byte) {
		for _, d := range parse.Parse(parse.Source{Path: path, Bytes: raw}) {
			if lost := undrafted(d); len(lost) > 0 {
				t.Errorf("%s (%s) entry %d: lost %q", path, d.Format, d.Entry, lost)
			}
		}
	})
}

// undrafted lists words of a document that its draft lacks.
func undrafted(d *parse.Document) []string {
	draft := write.DraftOf(d)
	var b strings.Builder
	fmt.Fprintln(&b, draft.Title)
	for _, f := range draft.Fields {
		fmt.Fprintln(&b, f.Key, f.Label, f.Value)
	}
	for _, s := range draft.Sections {
		fmt.Fprintln(&b, s.Heading, s.Body)
	}
	for _, f := range draft.Files {
		fmt.Fprintln(&b, f.Path, f.Action)
	}
	fmt.Fprintln(&b, draft.WorkItems)
	kept := b.String()
	var words strings.Builder
	for _, s := range d.Sections {
		if known(s.Heading, s.Kind) {
			fmt.Fprintln(&words, s.Body)
			continue
		}
		fmt.Fprintln(&words, s.Heading, s.Body)
	}
	for _, f := range d.Fields {
		fmt.Fprintln(&words, f.Value)
		kept += "\n" + f.Label
	}
	fmt.Fprintln(&words, d.Head)
	if !strings.Contains(kept, parse.EscalationSignal) && strings.Contains(d.Head, parse.EscalationSignal) {
		return []string{parse.EscalationSignal}
	}
	lower := strings.ToLower(kept)
	return slices.DeleteFunc(longWords(words.String()), func(w string) bool {
		return strings.Contains(lower, strings.ToLower(w)) || slices.Contains(ceremony, strings.ToLower(w))
	})
}

// ceremony are the words titles of handoffs begin with, and those of the
// outermost headings and labels every format has its own for.
var ceremony = []string{"handoff", "handover", "session", "context", "document", "metadata", "generated", "project", "report", "summary", "progress", "branch", "blockers", "commit", "information"}

// known reports whether a heading is the usual one of its kind.
func known(heading string, kind parse.Kind) bool {
	return heading == "" || usual(kind, heading) == "" || slices.Contains([]string{"Approaches", "Attempted Approaches", "attempted_approaches", "Files touched"}, heading) ||
		strings.HasPrefix(strings.ToLower(heading), "metadata")
}

// A handoff that goes through three formats loses only what the reports say.
func TestChainsLoseOnlyWhatTheyReport(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := parsetest.Source(t)
		doc := parse.Parse(src)[0]
		checkChain(t, doc, rapid.SliceOfN(rapid.SampledFrom(parse.Writable()), 3, 3).Draw(t, "formats"))
	})
}

func TestChainsOfTameDrafts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		formats := rapid.SliceOfN(rapid.SampledFrom(parse.Writable()), 4, 4).Draw(t, "formats")
		text, _, err := write.Write(formats[0], tame.draft(t))
		if err != nil {
			t.Fatal(err)
		}
		checkChain(t, parse.Parse(parse.Source{Path: home[formats[0]], Bytes: text})[0], formats[1:])
	})
}

func TestChainsOfRealFiles(t *testing.T) {
	n := 0
	parsetest.EachRealFile(t, func(path string, raw []byte) {
		for _, d := range parse.Parse(parse.Source{Path: path, Bytes: raw}) {
			formats := parse.Writable()
			if n++; n%5 != 0 {
				continue // one of five takes long enough
			}
			checkChain(t, d, []string{formats[n/5%5], formats[n/25%5], formats[n/125%5]})
		}
	})
}

type chainer interface {
	Errorf(format string, args ...any)
}

func checkChain(t chainer, doc *parse.Document, formats []string) {
	draft := write.DraftOf(doc)
	words := draftWords(draft)
	var losses []write.Loss
	from := doc
	var texts []string
	for _, name := range formats {
		text, lost, err := write.Convert(doc, name)
		if err != nil {
			return // too large
		}
		losses = append(losses, lost...)
		texts = append(texts, name+":\n"+string(text))
		docs := parse.Parse(parse.Source{Path: home[name], Bytes: text})
		doc = docs[0]
		if len(docs) != 1 || doc.Format != name {
			t.Errorf("reads as %d of %s:\n%s", len(docs), doc.Format, text)
			return
		}
	}
	lost := lostOf(words, formats[len(formats)-1], []byte(texts[len(texts)-1][len(formats[len(formats)-1])+2:]), losses)
	lost = slices.DeleteFunc(lost, func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) })
	if len(lost) > 0 {
		t.Errorf("%v lost %q of %+v\nin %s\n%v", formats, lost, from, strings.Join(texts, "\n----\n"), losses)
	}
}

func longWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len([]rune(w)) >= 6 {
			out = append(out, w)
		}
	}
	return out
}
