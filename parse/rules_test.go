package parse_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/internal/parsetest"
)

// toldOf lists what is wrong with the documents of a source: "severity rule
// place: message", with the text of the place between line and message.
func toldOf(src parse.Source) []string {
	var out []string
	for _, d := range parse.Parse(src) {
		for _, p := range d.Problems {
			out = append(out, fmt.Sprintf("%s %s %d %q: %s", p.Severity, p.Rule, p.Line, src.Bytes[p.Span.Start:p.Span.End], p.Message))
		}
	}
	return out
}

// A breach is the least text that breaks a rule. told is the problem in the
// form of toldOf; other problems may stand beside it.
type breach struct{ path, text, told string }

const (
	flow     = ".flow-guardian/handoff.yaml"
	manifest = "meta/handoff.yaml"
	actFile  = ".act/handoffs/2026-02-02-1030.xml"
	suite    = "/home/a/.claude/handoffs/-home-a-code/b4db9cba.md"
)

// breaches holds one for each rule that a short text can break; see limits for
// the others.
var breaches = map[string]breach{
	"flow-guardian.goal-required":      {flow, "now: x\n", `error flow-guardian.goal-required 1 "now: x": no goal`},
	"flow-guardian.status-required":    {flow, "goal: x\nstatus:\n", `error flow-guardian.status-required 2 "status": status is empty`},
	"flow-guardian.status-enum":        {flow, "status: \"In progress\" # almost\n", `error flow-guardian.status-enum 1 "\"In progress\"": status is "In progress", not one of in_progress, completed, blocked`},
	"flow-guardian.now-required":       {flow, "goal: x\nnow: [a, b]\n", `error flow-guardian.now-required 2 "now": now is a list, not a string`},
	"flow-guardian.timestamp-required": {flow, "\n\n  goal: x\n", `error flow-guardian.timestamp-required 3 "goal: x": no timestamp`},
	"flow-guardian.timestamp-iso8601":  {flow, "timestamp: yesterday\n", `error flow-guardian.timestamp-iso8601 1 "yesterday": timestamp is "yesterday", not an ISO 8601 time`},
	"flow-guardian.field-type":         {flow, "files: a.go\n", `warning flow-guardian.field-type 1 "a.go": files is a string, not a list`},

	"company.version-missing":       {manifest, "source_file: x\n", `warning company.version-missing 1 "source_file: x": no version: a legacy manifest, not checked further`},
	"company.version":               {manifest, "version: \"1\"\n", `error company.version 1 "\"1\"": version is the string "1", not the number 1`},
	"company.source-file":           {manifest, "version: 1\nsource_file: discussion/58-x-response.md\n", `error company.source-file 2 "discussion/58-x-response.md": source_file is "discussion/58-x-response.md", not discussion/NNN-...-response.md`},
	"company.generated-at":          {manifest, "version: 1\ngenerated_at: 2026-02-30\n", `error company.generated-at 2 "2026-02-30": generated_at is "2026-02-30", not an ISO date`},
	"company.from-required":         {manifest, "version: 1\nfrom: 42\n", `error company.from-required 2 "42": from is a whole number, not a string: put it in quotes`},
	"company.to-required":           {manifest, "version: 1\nto: \"  \"\n", `error company.to-required 2 "to": to is empty`},
	"company.from-is-to":            {manifest, "version: 1\nfrom: codex\nto: codex\n", `error company.from-is-to 3 "codex": from and to are both "codex"`},
	"company.status-required":       {manifest, "version: 1\n", `error company.status-required 1 "version: 1": no status`},
	"company.status-enum":           {manifest, "version: 1\nstatus: done\n", `error company.status-enum 2 "done": status is "done", not one of pending, sent, failed`},
	"company.field-type":            {manifest, "version: 1\nbranch: 1.5\n", `warning company.field-type 2 "1.5": branch is a number, not a string: put it in quotes`},
	"company.sent-at":               {manifest, "version: 1\nsent_at: noon\n", `warning company.sent-at 2 "noon": sent_at is "noon", not an ISO 8601 time`},
	"company.collaboration-missing": {manifest, "version: 1\n", `warning company.collaboration-missing 1 "version: 1": collaboration.yaml is missing or cannot be read: from and to are not checked`},
	"company.participant-unknown":   {"known/" + manifest, "version: 1\nfrom: codex\nto: gemini\n", `warning company.participant-unknown 3 "gemini": to is "gemini", which is not a participant in collaboration.yaml`},
	"company.source-missing":        {manifest, "version: 1\nsource_file: discussion/001-x-response.md\n", `warning company.source-missing 2 "discussion/001-x-response.md": discussion/001-x-response.md is missing or cannot be read`},
	"company.source-outside":        {manifest, "version: 1\nsource_file: /etc/passwd\n", `warning company.source-outside 2 "/etc/passwd": "/etc/passwd" is outside the project; not read`},
	"company.work-queue-missing":    {manifest, "version: 1\nwork_queue_items: [a]\n", `warning company.work-queue-missing 2 "work_queue_items": work-queue.yaml is missing or cannot be read: work_queue_items are not checked`},
	"company.work-item-unknown":     {"known/" + manifest, "version: 1\nwork_queue_items:\n  - safety-gates\n  - gate\n", `warning company.work-item-unknown 4 "gate": "gate" is not an item of work-queue.yaml`},
	"company.files-changed-path":    {manifest, "version: 1\nfiles_changed: [src/a.go, 'src/../b.go']\n", `warning company.files-changed-path 2 "src/../b.go": "src/../b.go" is not a relative path inside the project`},

	"act-xml.project-required":        {actFile, "<context_handoff><metadata><project>{{PROJECT_NAME}}</project></metadata></context_handoff>", `warning act-xml.project-required 1 "{{PROJECT_NAME}}": project is still a placeholder`},
	"act-xml.timestamp-required":      {actFile, "<context_handoff>\n<metadata>\n<timestamp></timestamp>\n</metadata>\n</context_handoff>", `warning act-xml.timestamp-required 3 "": timestamp is empty`},
	"act-xml.timestamp-iso8601":       {actFile, "<context_handoff>\n<metadata>\n<timestamp>2 Feb</timestamp>\n</metadata>\n</context_handoff>", `warning act-xml.timestamp-iso8601 3 "2 Feb": timestamp is "2 Feb", not an ISO 8601 time`},
	"act-xml.from-session-required":   {actFile, "<context_handoff>\n<work_remaining>x</work_remaining>\n</context_handoff>", `warning act-xml.from-session-required 1 "<context_handoff>": no from_session in the metadata`},
	"act-xml.original-task-required":  {actFile, "<context_handoff>\n<original_task><!-- what --></original_task>\n</context_handoff>", `warning act-xml.original-task-required 2 "<original_task><!-- what --></original_task>": original_task is empty`},
	"act-xml.work-completed-required": {actFile, "<context_handoff>\n<work_completed>\n{{ACTIONS}}\n</work_completed>\n</context_handoff>", `warning act-xml.work-completed-required 2 "<work_completed>": work_completed is still a placeholder`},
	"act-xml.work-remaining":          {actFile, "<context_handoff>\n<work_remaining>\n- None.\n</work_remaining>\n</context_handoff>", `warning act-xml.work-remaining 2 "<work_remaining>": no item in work_remaining, and not marked complete`},
	"act-xml.current-state-required":  {actFile, "<context_handoff>\n<work_remaining>x</work_remaining>\n</context_handoff>", `warning act-xml.current-state-required 1 "<context_handoff>": no current_state`},
	"act-xml.phase-progress":          {actFile, "<context_handoff>\n<current_state>\nPhase: 7 of 6\n</current_state>\n</context_handoff>", `warning act-xml.phase-progress 3 "7 of 6": phase 7 is after the last phase, 6`},

	"claude-suite.encoding":       {"/home/a/.claude/handoffs/-home-a-my_app/x.md", "# Handoff — 2026-02-01\n", "warning claude-suite.encoding 0 \"\": the folder -home-a-my_app contains '_': version 2 of the encoding writes \"-\" instead"},
	"claude-suite.title-line":     {suite, "\n# Handoff\n", `warning claude-suite.title-line 2 "# Handoff": the first line is "# Handoff", not # Handoff — YYYY-MM-DD`},
	"claude-suite.session-id":     {suite, "# Handoff — 2026-02-01\n\n**Session ID:** abc\n", `warning claude-suite.session-id 3 "**Session ID:** abc": the line does not begin with session_id:, which scripts search for`},
	"claude-suite.purpose":        {suite, "# Handoff — 2026-02-01\n\nsession_id: abc\n", `warning claude-suite.purpose 1 "# Handoff — 2026-02-01": no purpose`},
	"claude-suite.metadata-place": {suite, "# Handoff — 2026-02-01\n\nsession_id: abc\n\n\npurpose: late\n", `warning claude-suite.metadata-place 6 "purpose": purpose is on line 6, not in the first 5`},
	"claude-suite.sections":       {suite, "# Handoff — 2026-02-01\n\nAll done.\n", `warning claude-suite.sections 1 "# Handoff — 2026-02-01": no section: no heading has text under it`},
	"claude-suite.signal-case":    {suite, "# Handoff — 2026-02-01\n\n## Risks\n\n- **Human review needed**: keys\n", `warning claude-suite.signal-case 5 "Human review needed": "Human review needed" must be written as HUMAN REVIEW NEEDED`},

	"text.empty":                 {"HANDOFF.md", " \n", `warning text.empty 0 "": the file is empty`},
	"text.utf16":                 {"HANDOFF.md", "\xff\xfea\x00", `warning text.utf16 0 "": the file is UTF-16; lines and columns are those of its UTF-8 form`},
	"text.invalid-utf8":          {"HANDOFF.md", "a\xffb", `warning text.invalid-utf8 1 "\xff": 1 bytes are not UTF-8; read as ` + "\ufffd"},
	"text.nul":                   {"HANDOFF.md", "a\x00b", `warning text.nul 1 "\x00": 1 NUL bytes; read as ` + "\ufffd"},
	"frontmatter.unclosed":       {"HANDOFF.md", "---\nstatus: open\n# Handoff\n", `warning frontmatter.unclosed 1 "---": the frontmatter is never closed`},
	"markdown.unclosed-fence":    {"HANDOFF.md", "# Handoff\n\n  ```sh\nmake\n", "warning markdown.unclosed-fence 3 \"```sh\": the code fence is never closed"},
	"yaml.syntax":                {"HANDOFF.md", "---\nstatus: open\ngoal: fix: it\n---\n", `error yaml.syntax 3 "goal: fix: it": not YAML: a value contains ": "; read line by line`},
	"yaml.dup-key":               {"handoff.yaml", "a: 1\n\"a\": 2\n", `warning yaml.dup-key 2 "\"a\"": key "a" occurs twice: the value on line 1 is used`},
	"yaml.comment-in-value":      {"handoff.yaml", "a: see #12 for more\n", `warning yaml.comment-in-value 1 "#12 for more": the value ends before "#12 for more": put it in quotes to keep the rest`},
	"yaml.alias":                 {"handoff.yaml", "a: &x 1\nb: *x\n", `warning yaml.alias 2 "*x": alias *x is not followed: the value is its name`},
	"yaml.tag":                   {"handoff.yaml", "a: !Sha 4be1f07\n", `warning yaml.tag 1 "": tag !Sha is unknown: the value is read as written`},
	"yaml.multi-doc":             {"handoff.yaml", "a: 1\n---\nb: 2\n---\nc: 3\n", `warning yaml.multi-doc 4 "---": 3 documents in one file: all are read`},
	"json.syntax":                {"handoff.json", "{\"a\": 1,\n 'b': 2}", `error json.syntax 2 "": not JSON: invalid character '\'' looking for beginning of object key string`},
	"json.dup-key":               {"handoff.json", "{\"a\": 1,\n \"a\": 2}", `warning json.dup-key 2 "": key "a" occurs twice: the value on line 1 is used`},
	"json.trailing":              {"handoff.json", "{\"a\": 1}\n{\"b\": 2}", `warning json.trailing 2 "": more than one value in the file: all are read`},
	"xml.not-well-formed":        {actFile, "<context_handoff>\n<work_remaining>a & b</work_remaining>\n</context_handoff>", `warning xml.not-well-formed 2 "": not well-formed XML: invalid character entity & (no semicolon): only its section tags are read`},
	"xml.unclosed":               {actFile, "<context_handoff>\n<work_remaining>\n- a\n", `warning xml.unclosed 2 "<work_remaining>": <work_remaining> is not closed`},
	"xml.dup-tag":                {actFile, "<context_handoff>\n<work_remaining>a</work_remaining>\n<work_remaining>b</work_remaining>\n</context_handoff>", `warning xml.dup-tag 3 "<work_remaining": a second <work_remaining>: both are read`},
	"xml.doctype":                {actFile, "<!DOCTYPE x>\n<context_handoff>\n<work_remaining>a</work_remaining>\n</context_handoff>", `warning xml.doctype 1 "": the DOCTYPE is not expanded: only its section tags are read`},
	"json.depth":                 {"handoff.json", strings.Repeat("[", 65), `warning json.depth 1 "[": nested more than 64 levels deep: only the outermost pairs are read`},
	"yaml.depth":                 {"handoff.yaml", "a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40), `warning yaml.depth 1 "a: ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `": nested more than 32 levels deep: read line by line`},
	"xml.depth":                  {actFile, "<context_handoff>" + strings.Repeat("<a>", 70) + strings.Repeat("</a>", 70) + "</context_handoff>", `warning xml.depth 1 "": nested more than 64 levels deep: only its section tags are read`},
	"yaml.too-large":             {"handoff.yaml", "a: " + strings.Repeat("x", 256<<10), `warning yaml.too-large 0 "": more than 256 KiB of YAML: read line by line`},
	"json.too-large":             {"handoff.json", "[" + strings.Repeat(" ", 1<<20), `warning json.too-large 0 "": more than 1024 KiB of JSON: only its outermost pairs are read`},
	"xml.too-large":              {actFile, "<context_handoff>" + strings.Repeat("x", 1<<20) + "</context_handoff>", `warning xml.too-large 1 "": more than 1024 KiB of XML: only its section tags are read`},
	"markdown.too-large":         {"HANDOFF.md", "# Handoff\n" + strings.Repeat("x\n", 1<<20), `warning markdown.too-large 0 "": headings after the first MiB are read as text`},
	"markdown.too-many-headings": {"HANDOFF.md", strings.Repeat("# a\n", 2001), `warning markdown.too-many-headings 2001 "# a": headings from here on are read as text`},
	"text.too-large":             {"HANDOFF.md", strings.Repeat("x\n", 3<<20), `warning text.too-large 0 "": only the first 4 MiB are read`},
}

// nextTo holds the neighbours of manifests below known.
var nextTo = map[string]string{
	"collaboration.yaml": "participants:\n  - id: codex\n  - id: claude\n",
	"work-queue.yaml":    "items:\n  - {id: safety-gates, title: x}\n",
}

func (b breach) source() parse.Source {
	return parse.Source{Path: b.path, Bytes: []byte(b.text), ModTime: modTime, Neighbour: func(rel string) ([]byte, error) {
		if text, ok := nextTo[rel]; ok && strings.HasPrefix(b.path, "known/") {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("no %s", rel)
	}}
}

// elsewhere are rules that no bytes break: the index tells them.
var elsewhere = []string{"neighbour-unread", "parser-panic"}

func TestControlCharactersHaveAPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"goal: x\nnow: a \x01 b\n", `error yaml.syntax 2 "\x01": not YAML: it contains a control character; read line by line`},
		{"# \u0090\n", "error yaml.syntax 1 \"\\u0090\": not YAML: it contains a control character; read line by line"},
	} {
		if told := toldOf(breach{path: "handoff.yaml", text: c.text}.source()); !slices.Contains(told, c.want) {
			t.Errorf("%q: got %q, want %s", c.text, told, c.want)
		}
	}
}

func TestEachRuleCanBeBroken(t *testing.T) {
	t.Parallel()
	for _, r := range parse.Rules() {
		b, ok := breaches[strings.Replace(r.ID, "act-md.", "act-xml.", 1)]
		switch {
		case slices.Contains(elsewhere, r.ID) || strings.HasPrefix(r.ID, "act-md."):
		case !ok:
			t.Errorf("nothing breaks %s", r.ID)
		default:
			if told := toldOf(b.source()); !slices.Contains(told, b.told) {
				t.Errorf("%s: got\n  %s\nwant\n  %s", r.ID, strings.Join(told, "\n  "), b.told)
			}
		}
	}
	for id := range breaches {
		if _, ok := parse.RuleOf(id); !ok {
			t.Errorf("%s is no rule", id)
		}
	}
}

var ruleID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)?$`)

// The text under deeper headings belongs to the section.
func TestSectionsBelowCount(t *testing.T) {
	t.Parallel()
	text := "# Handoff\n\n## Work Completed\n\n### Parser\n\n- Wrote it.\n\n## Work Remaining\n\n### Lexer\n\n- Write it.\n\n## Current State\n\n### Completed\n\nAll tests.\n"
	for _, problem := range toldOf(parse.Source{Path: "HANDOFF.md", Bytes: []byte(text), ModTime: modTime, Format: "act-md"}) {
		if regexp.MustCompile(`work-completed|work-remaining|current-state`).MatchString(problem) {
			t.Error(problem)
		}
	}
}

func TestRulesAreATable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range parse.Rules() {
		switch {
		case !ruleID.MatchString(r.ID) || seen[r.ID]:
			t.Errorf("odd id, or one that is taken: %q", r.ID)
		case r.Severity < parse.Warning || r.Severity > parse.Error || r.Strict < r.Severity || r.Strict > parse.Error:
			t.Errorf("%s is a %v, to be written a %v", r.ID, r.Severity, r.Strict)
		case !strings.HasSuffix(r.About, ".") || !strings.HasSuffix(r.Fix, ".") || strings.HasPrefix(r.Source, ","):
			t.Errorf("%s says too little: %+v", r.ID, r)
		}
		seen[r.ID] = true
		if got, ok := parse.RuleOf(r.ID); !ok || got != r {
			t.Errorf("%s is not found by its id: %+v", r.ID, got)
		}
	}
	if _, ok := parse.RuleOf("no.rule"); ok {
		t.Error("no.rule is found")
	}
}

// problemFaults lists problems that no row of the table covers, or whose place
// is not in the file.
func problemFaults(src parse.Source, size int) []string {
	var faults []string
	for _, d := range parse.Parse(src) {
		for _, p := range d.Problems {
			r, ok := parse.RuleOf(p.Rule)
			want := r.Severity
			if src.Strict {
				want = r.Strict
			}
			switch {
			case !ok || p.Severity != want || p.Message == "":
				faults = append(faults, fmt.Sprintf("%+v is not of the table: %+v", p, r))
			case p.Span.Line != p.Line || p.Span.Start < 0 || p.Span.Start > p.Span.End || p.Span.End > size || p.Span.EndLine < p.Line:
				faults = append(faults, fmt.Sprintf("%+v has no place in %d bytes", p, size))
			case parse.ExcerptOf(src.Bytes, p.Span).Line != p.Line:
				faults = append(faults, fmt.Sprintf("%+v is placed at %+v", p, parse.ExcerptOf(src.Bytes, p.Span)))
			case p.Line > 1+strings.Count(strings.ReplaceAll(string(src.Bytes), "\r\n", "\n"), "\n")+strings.Count(string(src.Bytes), "\r"):
				faults = append(faults, fmt.Sprintf("%+v is behind the end", p))
			}
		}
	}
	return faults
}

func TestProblemsAreOfTheTable(t *testing.T) {
	t.Parallel()
	var sources []parse.Source
	for _, f := range fixtures(t) {
		sources = append(sources, f.source)
	}
	for _, b := range breaches {
		if len(b.text) < 4<<10 {
			sources = append(sources, b.source())
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SampledFrom(sources).Draw(t, "source")
		src.Bytes = []byte(parsetest.Mutant(t, string(src.Bytes), "\n\r\ufeff:#-<>&'\"{}[]|* x1"))
		src.Strict = rapid.Bool().Draw(t, "strict")
		for _, fault := range problemFaults(src, len(src.Bytes)) {
			t.Error(fault)
		}
	})
}

// A file that is found is forgiven what one that is written is not.
func TestStrict(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"act-xml.work-remaining", "claude-suite.purpose", "company.version-missing", "xml.not-well-formed"} {
		for _, c := range []struct {
			strict bool
			want   parse.Severity
		}{{false, parse.Warning}, {true, parse.Error}} {
			src := breaches[id].source()
			src.Strict = c.strict
			got := parse.Severity(0)
			for _, p := range parse.Parse(src)[0].Problems {
				if p.Rule == id {
					got = p.Severity
				}
			}
			if got != c.want {
				t.Errorf("%s, strict %v: got %v, want %v", id, c.strict, got, c.want)
			}
		}
	}
}
