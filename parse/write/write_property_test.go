package write_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/parsetest"
	"github.com/OWNER/handex/parse/write"
)

// tameText is a line that any format holds as it is.
var tameText = rapid.StringMatching(`[A-Z][a-z]{2,9}( [a-z]{2,9}){1,6}`)

// hostileLines are lines that trip a writer or reader of some shape.
var hostileLines = rapid.OneOf(hostileText, rapid.SampledFrom(parsetest.Lines), tameText)

func hostileBody(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(hostileLines, 1, 6).Draw(t, "body"), "\n")
}

func tameBody(t *rapid.T) string {
	line := rapid.OneOf(tameText, rapid.StringMatching(`- [a-z]{3,9} [a-z]{2,9}`), rapid.Just(""), rapid.Just("| cell | other |"))
	return "Begins here\n" + strings.Join(rapid.SliceOfN(line, 0, 5).Draw(t, "body"), "\n") + "\nends there"
}

// A brush draws the parts of a draft.
type brush struct {
	line    *rapid.Generator[string]
	body    func(*rapid.T) string
	heading *rapid.Generator[string]
	path    *rapid.Generator[string]
}

var (
	tame = brush{
		tameText, tameBody,
		rapid.SampledFrom([]string{"", "", "", "Card seven", "Numbers", "Wave two"}),
		rapid.SampledFrom([]string{"src/auth.py", "cmd/main.go", "docs/plan/README.md", "a.txt"}),
	}
	wild = brush{
		hostileLines, hostileBody,
		rapid.OneOf(rapid.Just(""), hostileLines, rapid.SampledFrom([]string{"2026-01-02", "2026-01-03 noon", "2026-01-04", "Status: blocked", "Metadata", "Goal", "details", "gotchas"})),
		rapid.OneOf(hostileLines, rapid.SampledFrom([]string{"src/auth.py", "Makefile", "a b/c.go", "../x", "/etc/passwd"})),
	}
)

var kinds = []parse.Kind{
	parse.Goal, parse.State, parse.Next, parse.Done, parse.Gotchas, parse.Risks, parse.Blockers, parse.Questions, parse.Human, parse.Decisions,
	parse.Context, parse.Advice, parse.Reflection, parse.Hypothesis, parse.Checks, parse.Other, parse.Worked, parse.Failed,
}

// draft draws a draft. Fields that are sections elsewhere are drawn as either.
func (b brush) draft(t *rapid.T) write.Draft {
	var d write.Draft
	add := func(key string, value *rapid.Generator[string]) {
		if rapid.Bool().Draw(t, key) {
			d.Fields = append(d.Fields, parse.Field{Key: key, Value: value.Draw(t, "value of "+key)})
		}
	}
	for _, key := range []string{"project", "session", "from", "to", "branch", "source", "commit", "goal", "state", "hypothesis", "outcome", "priority", "meta.thread_url", "meta.x"} {
		add(key, b.line)
	}
	add("status", rapid.SampledFrom([]string{"in-progress", "completed", "blocked", "pending", "failed", "sent"}))
	add("date", rapid.SampledFrom([]string{"2026-01-17T10:30:00Z", "2026-01-17", "2026-01-17T23:59:59.123456+09:00"}))
	add("phase", rapid.SampledFrom([]string{"4/6", "2/3 (Testing)"}))
	add("progress", rapid.SampledFrom([]string{"60", "100"}))
	if rapid.Bool().Draw(t, "titled") {
		d.Title = b.line.Draw(t, "title")
	}
	for range rapid.IntRange(0, 5).Draw(t, "sections") {
		kind := rapid.SampledFrom(kinds).Draw(t, "kind")
		if has(d, string(kind)) {
			continue
		}
		// Signs for control characters are looked for in fields and bodies.
		heading := strings.Map(func(r rune) rune { return max(r, ' ') }, b.heading.Draw(t, "heading"))
		d.Sections = append(d.Sections, write.DraftSection{Kind: kind, Heading: heading, Body: b.body(t)})
	}
	for _, path := range rapid.SliceOfNDistinct(b.path, 0, 3, rapid.ID[string]).Draw(t, "files") {
		d.Files = append(d.Files, parse.File{Path: path, Action: rapid.SampledFrom([]string{"", "created", "modified"}).Draw(t, "action")})
	}
	d.WorkItems = rapid.SliceOfN(rapid.StringMatching(`[a-z]{3,8}-[0-9]{1,3}`), 0, 2).Draw(t, "items")
	return d
}

func has(d write.Draft, key string) bool {
	return slices.ContainsFunc(d.Fields, func(f parse.Field) bool { return f.Key == key })
}

// said is what a document says, by what says it: a field's key, or kind and
// heading of a section, whose text is one line of words for each of the draft's.
func said(d *parse.Document) map[string]string {
	out := map[string]string{}
	add := func(key, text string) { out[key] = strings.Trim(out[key]+"\n"+text, "\n") }
	if d.Date.Source == "heading" {
		add("date", d.Date.Time.Format(time.DateOnly))
	}
	for _, f := range d.Fields {
		add(strings.Replace(f.Key, "meta.metadata_", "meta.", 1), f.Value)
		if slices.Contains([]string{"goal", "state", "hypothesis", "outcome"}, f.Key) {
			add("section "+f.Key+"/", f.Value)
		}
	}
	add("title", d.Title)
	for _, s := range d.Sections {
		heading := usual(s.Kind, s.Heading)
		key := "section " + string(s.Kind) + "/" + unmarked(heading)
		body := ""
		for line := range strings.SplitSeq(s.Body, "\n") {
			if head, ok := strings.CutPrefix(line, "### "); ok {
				add(key, trim(body))
				key, body = "section "+string(s.Kind)+"/"+unmarked(head), ""
				continue
			}
			body += line + "\n"
		}
		add(key, trim(body))
	}
	for _, f := range d.Files {
		add("file "+f.Path, f.Action)
	}
	for _, id := range d.WorkItems {
		add("item "+id, id)
	}
	return out
}

var linkInHeading = regexp.MustCompile(`\[([^\[\]]*)\]\([^()\s]*\)`)

// unmarked is a heading without mark-up, which no reader keeps.
func unmarked(heading string) string {
	s := strings.NewReplacer("**", "", "__", "", "~~", "", "`", "").Replace(heading)
	return strings.Join(strings.Fields(linkInHeading.ReplaceAllString(strings.Trim(strings.TrimSpace(s), "# "), "$1")), " ")
}

// usual is "" for a heading that names its kind and nothing else.
func usual(kind parse.Kind, heading string) string {
	names := map[parse.Kind]string{
		parse.Goal: "goal overview original-task", parse.State: "current-state now", parse.Next: "next work-remaining", parse.Done: "done work-completed",
		parse.Gotchas: "gotchas", parse.Risks: "risks", parse.Blockers: "blockers", parse.Questions: "open-questions", parse.Decisions: "decisions",
		parse.Context: "context critical-context", parse.Advice: "advice recommendations", parse.Reflection: "reflection", parse.Hypothesis: "hypothesis hypotheses",
		parse.Outcome: "outcome outcomes", parse.Checks: "how-to-verify", parse.Human: "human-actions", parse.Other: "details", parse.Files: "files key-files files-touched files-changed",
		parse.Worked: "what-worked", parse.Failed: "what-failed",
	}
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if slices.Contains(strings.Fields(names[kind]), strings.Join(words, "-")) {
		return ""
	}
	return heading
}

// trim takes off blank parsetest.Lines, blanks behind lines and those all begin with.
func trim(body string) string {
	out := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body), "\n")
	shared, some := "", false
	for i, line := range out {
		out[i] = strings.TrimRight(line, " \t")
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if strings.TrimSpace(line) == "" {
			out[i] = ""
			continue
		}
		if !some {
			shared, some = lead, true
		}
		for !strings.HasPrefix(lead, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	for i := range out {
		out[i] = strings.TrimPrefix(out[i], shared)
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

func TestTameDraftsReadAsWritten(t *testing.T) {
	t.Parallel()
	for _, name := range parse.Writable() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := tame.draft(t)
				text, losses, err := write.Write(name, d)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range losses {
					if strings.HasPrefix(l.What, "the form") || strings.HasPrefix(l.What, "the handoff") {
						t.Errorf("%v in\n%s", l, text)
					}
				}
				for _, fault := range unsaid(d, name, text) {
					t.Errorf("%s in\n%s", fault, text)
				}
			})
		})
	}
}

// unsaid lists what a draft says and a text read as the format does not.
func unsaid(d write.Draft, name string, text []byte) []string {
	docs := parse.Parse(parse.Source{Path: home[name], Bytes: text})
	if len(docs) != 1 || docs[0].Format != name {
		return []string{fmt.Sprintf("%d documents of %s", len(docs), docs[0].Format)}
	}
	got := said(docs[0])
	var out []string
	want := func(key, text string, also ...string) {
		text = trim(text)
		for _, k := range append([]string{key}, also...) {
			if strings.Contains(trim(got[k]), trim(text)) && got[k] != "" || text == "" && k == key {
				return
			}
		}
		out = append(out, fmt.Sprintf("%s is %q, not %q", key, got[key], text))
	}
	want("title", d.Title)
	for _, f := range d.Fields {
		value := f.Value
		if f.Key == "date" && name == "company" {
			value = value[:10]
		}
		want(f.Key, value, "section "+f.Key+"/")
	}
	for _, s := range d.Sections {
		key := "section " + string(s.Kind) + "/" + unmarked(usual(s.Kind, s.Heading))
		if usual(s.Kind, s.Heading) == "" {
			want(key, trim(s.Body), string(s.Kind), "section state/") // blockers are part of it
			continue
		}
		want(key, trim(s.Body))
	}
	for _, f := range d.Files {
		if _, ok := got["file "+f.Path]; !ok || !strings.Contains(got["file "+f.Path], f.Action) {
			out = append(out, fmt.Sprintf("file %s is %q, not %q", f.Path, got["file "+f.Path], f.Action))
		}
	}
	for _, id := range d.WorkItems {
		want("item "+id, id)
	}
	return out
}

// home is where a handoff of a format may stand.
var home = map[string]string{
	"flow-guardian": "p/.flow-guardian/handoff.yaml", "company": "p/meta/handoff.yaml", "act-xml": "p/.act/handoffs/a.xml",
	"act-md": "p/.act/handoffs/a.md", "claude-suite": "/h/.claude/handoffs/-p/a.md",
}

// No draft makes a writer fail or lose a word without a word about it.
func TestNoWordIsLostInWriting(t *testing.T) {
	t.Parallel()
	for _, name := range parse.Writable() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := wild.draft(t)
				text, losses, err := write.Write(name, d)
				if err != nil {
					t.Fatal(err)
				}
				if lost := lostOf(draftWords(d), name, text, losses); len(lost) > 0 {
					t.Errorf("lost %q in\n%s\n%v", lost, text, losses)
				}
				docs := parse.Parse(parse.Source{Path: home[name], Bytes: text})
				if len(docs) != 1 || docs[0].Format != name {
					t.Errorf("reads as %d documents of %s:\n%s\n%v", len(docs), docs[0].Format, text, losses)
				}
				var told strings.Builder
				for _, l := range losses {
					fmt.Fprintln(&told, l.What)
				}
				for _, fault := range unsaid(normal(d), name, text) {
					what, _, _ := strings.Cut(fault, " is ")
					isSign := strings.Contains(told.String(), "U+") && controls.MatchString(fault)
					if !isSign && !isTold(told.String(), what) {
						t.Errorf("%s, and no loss tells, in\n%s\n%v", fault, text, losses)
					}
				}
			})
		})
	}
}

// controls are characters for which a sign may stand, as %q shows them or as
// they are.
var controls = regexp.MustCompile(`\\[xuabfvt]|[\x00-\x1f]`)

// isTold reports whether a loss names what a fault is about.
func isTold(told, what string) bool {
	for _, before := range []string{"section ", "file ", "item "} {
		what = strings.TrimPrefix(what, before)
	}
	bare := strings.NewReplacer(`"`, "", `\`, "")
	for _, name := range append(strings.FieldsFunc(what, func(r rune) bool { return r == '/' }), what) {
		for _, name := range []string{strings.TrimPrefix(name, "meta."), fmt.Sprintf("%q", name)} {
			if name = bare.Replace(name); strings.Contains(bare.Replace(told), name[:min(len(name), 30)]) {
				return true
			}
		}
	}
	return false
}

var headingLine = regexp.MustCompile(`(?:^|[\r\n]) *[#=]`)

// normal is a draft as the writer is told to take it: blanks at the ends mean
// nothing. Sections with headings inside are left out: they become several.
func normal(d write.Draft) write.Draft {
	d.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s write.DraftSection) bool {
		return headingLine.MatchString(s.Body) || s.Heading != "" && s.Body == ""
	})
	for i := range d.Sections {
		d.Sections[i].Heading = strings.TrimSpace(d.Sections[i].Heading)
	}
	d.Title = strings.Join(strings.Fields(d.Title), " ")
	d.Files = slices.Clone(d.Files)
	for i := range d.Files {
		d.Files[i].Path = strings.TrimSpace(d.Files[i].Path)
	}
	d.Files = slices.DeleteFunc(d.Files, func(f parse.File) bool { return f.Path == "" })
	d.Fields = slices.Clone(d.Fields)
	for i := range d.Fields {
		d.Fields[i].Value = trim(strings.TrimSpace(d.Fields[i].Value))
	}
	return d
}

func draftWords(d write.Draft) []string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Title)
	for _, f := range d.Fields {
		fmt.Fprintln(&b, f.Value)
		if key, ok := strings.CutPrefix(f.Key, "meta."); ok {
			fmt.Fprintln(&b, key)
		}
	}
	for _, s := range d.Sections {
		if usual(s.Kind, s.Heading) != "" {
			fmt.Fprintln(&b, s.Heading)
		}
		fmt.Fprintln(&b, s.Body)
	}
	for _, f := range d.Files {
		fmt.Fprintln(&b, f.Path)
	}
	for _, id := range d.WorkItems {
		fmt.Fprintln(&b, id)
	}
	return longWords(usualHeading.ReplaceAllString(b.String(), ""))
}

// usualHeading are headings in bodies that say no more than the kind of the
// section they begin.
var usualHeading = regexp.MustCompile(`(?m)^ {0,3}#+ (Approaches|Blockers|Files touched|Done|Current state|Goal|Next)$`)

// lostOf lists words that neither the document nor a loss holds.
func lostOf(words []string, name string, text []byte, losses []write.Loss) []string {
	var b strings.Builder
	for _, d := range parse.Parse(parse.Source{Path: home[name], Bytes: text}) {
		b.WriteString(wordsOf(d))
		for _, id := range d.WorkItems {
			b.WriteString("\n" + id)
		}
	}
	for _, l := range losses {
		fmt.Fprintln(&b, l.What, l.Kept)
	}
	kept := strings.ToLower(b.String())
	return slices.DeleteFunc(words, func(w string) bool { return strings.Contains(kept, strings.ToLower(w)) })
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
