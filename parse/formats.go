package parse

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/OWNER/handex/parse/internal/scan"
)

// A format is a row: how a file of it is recognized, and what its keys and headings
// mean beyond the words every format may use. Adding a format over an existing
// shape is adding a row here and a folder of fixtures in testdata.
type format struct {
	name  string
	shape Shape
	// claims: a file has the format of the first row of formats with a claim that is true.
	claims []claim
	// keys names fields by the labels only this format uses, in normal form.
	keys map[string]string
	// kinds names section kinds by headings, keys or tags only this format
	// uses, in normal form.
	kinds map[string]Kind
	// plainPrelude takes every "key: value" line before the first "## " as
	// metadata, whatever the key.
	plainPrelude bool
	// stateKeys reads "Phase: 4/6"-like lines inside the state section.
	stateKeys bool
	// place is where handoffs of the format are kept, nil if it says nothing of
	// that.
	place *Place
	// latest is how the newest handoff of a project is found.
	latest LatestRule
	// ledger is the neighbour that lists which handoffs were processed.
	ledger string
	// prose is the field that has the path of the file with the handoff's text, relative to
	// the project's root. proseRoot is the path of that root from the folder of the file.
	prose     string
	proseRoot string
	// log is the key of the list whose elements are past handoffs; current is the file
	// beside it with the current handoff, which is not read from the list again.
	log     string
	current string
	// legacyWithout is the field without which a handoff is from before the
	// format had versions.
	legacyWithout string
	// spec is the title of the format's specification.
	spec string
	// rules are what the specification wants of a handoff.
	rules []rule
	// layout is how a handoff of the format is written; nil where none is.
	layout *Layout
}

// A claim is a condition on a file. It holds if the end of the path matches one of paths
// (see onPath), the beginning of the text matches top, and, for each list in lines, a line
// of the first 64 KiB begins with one of its strings. What is not set holds for every file.
// There are no patterns over the whole text, because a dozen rows look at every file.
type claim struct {
	paths []string
	top   func() *regexp.Regexp
	lines [][]string
}

// LatestRule says which handoff of one project and format is the latest.
type LatestRule int

// ByDate compares the handoff's own date, then mtime, then path; ByMTime mtime,
// and where that is equal takes the name that sorts first, as "ls -t | head -1"
// prints it; Current takes the file that is overwritten in place over the
// entries of its log.
const (
	ByDate LatestRule = iota
	ByMTime
	Current
)

// LatestBy returns the rule that decides which handoff of a format is the latest, by the
// name of the format.
func LatestBy(name string) LatestRule { return VocabularyOf(name).latest }

// formatNamed returns the row of the format with a name, nil if there is none.
func formatNamed(name string) *format {
	if i := slices.IndexFunc(formats, func(f format) bool { return f.name == name }); i >= 0 {
		return &formats[i]
	}
	return nil
}

// FormatNames lists the formats in the order they are tried.
func FormatNames() []string { return namesOf(func(*format) bool { return true }) }

// Placed lists the formats that have a place, in the order they are tried.
func Placed() []string { return namesOf(func(f *format) bool { return f.place != nil }) }

// Writable lists the formats that Write knows, in the order of FormatNames.
func Writable() []string { return namesOf(func(f *format) bool { return f.layout != nil }) }

// namesOf lists the formats that meet a condition.
func namesOf(meets func(*format) bool) []string {
	var names []string
	for i := range formats {
		if meets(&formats[i]) {
			names = append(names, formats[i].name)
		}
	}
	return names
}

// at returns a claim on files whose path matches one of the patterns in paths and that have,
// for each of lines, a line that begins with one of its strings. "|" separates the patterns,
// and the strings.
func at(paths string, lines ...string) claim {
	c := claim{paths: strings.Split(paths, "|")}
	for _, l := range lines {
		c.lines = append(c.lines, strings.Split(l, "|"))
	}
	return c
}

// topped returns a claim on files whose text begins with the regular expression top, and
// that have the lines that at describes.
func topped(top string, lines ...string) claim {
	c := at("", lines...)
	c.paths, c.top = nil, scan.Pattern(`\A`+top)
	return c
}

// The rows are tried in order; the generic ones at the end take any text.
var formats = []format{
	{
		name:  "flow-guardian",
		shape: YAML,
		place: &Place{
			Marks: []string{".flow-guardian", ".git", "pyproject.toml"},
			Dir:   ".flow-guardian", File: "handoff.yaml",
			Fills: []string{"files", "branch", "session"}, Date: instant,
			Update: []Field{
				{Key: "goal", Value: "Working on project"},
				{Key: "status", Value: "in_progress"},
				{Key: "now", Label: "goal", Value: "Working on project"},
			},
			Renewed: "timestamp", Session: "session_id", Lists: []string{"files"},
		},
		claims: []claim{
			at(`.flow-guardian/handoff.y*ml`),
			at(`*.yaml|*.yml`, `goal:`, `status:`, `now:`, `timestamp:`),
		},
		keys:   map[string]string{"goal": "goal", "now": "state", "outcome": "outcome", "timestamp": "date"},
		latest: Current,
		spec:   "Handoff System Specification",
		rules:  flowRules,
		layout: &flowLayout,
	},
	{
		name:  "company",
		shape: YAML,
		place: &Place{
			Marks: []string{"meta/handoff.yaml", "meta/collaboration.yaml", ".git"},
			Dir:   "meta", File: "handoff.yaml",
			Unsent: "pending", Log: "handoff-log.yaml", Letters: "discussion/[0-9][0-9][0-9]-*-response.md",
			Fills: []string{"files", "branch", "source", "from"}, Date: time.DateOnly,
		},
		claims: []claim{
			at(`meta/handoff.y*ml|meta/handoff-log.y*ml`),
			at(`*.yaml|*.yml`, `source_file:`, `from:|to:|generated_at:`),
		},
		keys: map[string]string{
			"generated at": "date", "session key": "session", "work queue item": "item",
			"work queue items": "item",
		},
		latest:        Current,
		prose:         "source",
		proseRoot:     "..",
		log:           "entries",
		current:       "handoff.yaml",
		legacyWithout: "version",
		spec:          "Handoff Protocol v0",
		rules:         companyRules,
		layout:        &companyLayout,
	},
	{
		name:   "act-xml",
		shape:  XML,
		place:  actPlace(".xml"),
		claims: []claim{at(`.act/handoffs/*.xml`, `<`), at(`*.xml|*.md|*.txt`, `<context_handoff>|<context_handoff `)},
		keys: map[string]string{
			"metadata project": "project", "metadata timestamp": "date", "metadata from session": "session",
			"metadata to agent": "to", "metadata format version": "version",
		},
		kinds:     map[string]Kind{"recommendations": Advice},
		stateKeys: true,
		spec:      "Context Handoff Format 1.0.0",
		rules:     actRules,
		layout:    &actXMLLayout,
	},
	{
		name:  "act-md",
		shape: Markdown,
		place: actPlace(".md"),
		claims: []claim{at(`.act/handoffs/*.md`), topped(`\s*# Context Handoff[ \t]*(?:\n|$)`,
			`## Metadata|## Original Task|## Work Remaining`)},
		keys: map[string]string{
			"project": "project", "timestamp": "date", "from session": "session", "to agent": "to", "format version": "version",
		},
		kinds:     map[string]Kind{"recommendations": Advice},
		stateKeys: true,
		spec:      "Context Handoff Format 1.0.0",
		rules:     actRules,
		layout:    &actMarkdownLayout,
	},
	{
		name:  "claude-suite",
		shape: Markdown,
		place: &Place{
			Agent: true, Dir: "handoffs", Ext: ".md",
			Fills: []string{"session"}, Date: time.DateOnly,
		},
		claims: []claim{
			topped(`\s*# (?:Auto-generated handoff|Handoff)\b`, `session_id:|purpose:`),
			topped(`\s*# (?:Auto-generated handoff|Handoff)\b`, `## For the next Claude`),
			at(`.claude/handoffs/-*/*.md`),
			at(`.bon/handoffs/*.md`),
		},
		keys: map[string]string{
			"purpose": "goal", "session id": "session", "items": "item", "source": "meta.source",
			"format": "meta.format", "thread url": "meta.thread_url",
		},
		kinds: map[string]Kind{
			"opportunities": Next, "uncertain": Questions, "candidates": Next,
			"learned": Reflection, "for claudes to come": Reflection, "artifacts": Files,
		},
		plainPrelude: true,
		latest:       ByMTime,
		ledger:       "LEDGER.md",
		spec:         "Handoff Contract v2",
		rules:        contractRules,
		layout:       &suiteLayout,
	},
	{
		name:   "gsd-json",
		shape:  JSON,
		claims: []claim{at(`.planning/handoff.json`), topped(`\s*\{`, `  "remaining_tasks"|  "human_actions_pending"`)},
		keys:   map[string]string{"timestamp": "date", "phase name": "title"},
		kinds: map[string]Kind{
			"completed tasks": Done, "remaining tasks": Next, "human actions pending": Human, "context " +
				"notes": Context, "uncommitted files": Files, "next action": Next,
		},
		latest: Current,
	},
	{
		name:  "gsd-continue",
		shape: XML,
		claims: []claim{at(`*continue-here*.md`,
			`<current_state>|<completed_work>|<remaining_work>|<next_action>|<context>`)},
		latest: Current,
	},
	{
		name:  "whats-next",
		shape: XML,
		claims: []claim{
			at(`*.md|*.xml|*.txt`, `<original_task>|<work_completed>|<work_remaining>`,
				`<work_remaining>|<critical_context>|<current_state>|<attempted_approaches>|<work_completed>`),
			at(`*.md|*.xml|*.txt`, `<current_state>|<completed_work>|<remaining_work>`,
				`<context>|<next_action>|<next_steps>|<blockers>|<critical_context>|<decisions_made>|<attempted_approaches>|`+
					`<notes>`),
		},
	},
	{
		name:  "continuous-claude",
		shape: YAML,
		claims: []claim{
			at(`*.yaml|*.yml`, `done_this_session:|done:`, `goal:|next:|now:`),
			at(`thoughts/shared/handoffs/**/*.y*ml|docs/handoffs/**/*.y*ml`, `goal:|now:|next:|worked:|failed:|session:|date:`),
		},
		kinds: map[string]Kind{"done this session": Done, "test": Checks, "now": Next, "beads": State},
		keys:  map[string]string{"session": "session", "outcome": "outcome", "now": ""},
	},
	{
		name:  "humanlayer",
		shape: Markdown,
		claims: []claim{
			at(`thoughts/shared/handoffs/**/*.md|thoughts/handoffs/**/*.md`, `---`),
			topped(`---[ \t]*\n`, `researcher:`, `git_commit:`),
		},
		keys: map[string]string{"researcher": "from", "topic": "goal", "git commit": "commit"},
		kinds: map[string]Kind{
			"task(s)": Goal, "action items and next steps": Next, "critical references": Context,
			"recent changes": Done, "learnings": Reflection, "other notes": Reflection,
		},
	},
	{
		name:   "softaworks",
		shape:  Markdown,
		claims: []claim{topped(`\s*# Handoff:`, `## Session Metadata`)},
		kinds: map[string]Kind{
			"pending work": Next, "immediate next steps": Next, "important context": Context,
			"potential gotchas": Gotchas, "codebase understanding": Context, "resuming": Next,
		},
	},
	{
		name:  "remvisual",
		shape: Markdown,
		claims: []claim{{
			paths: []string{`handoff_*20[0-9][0-9]*.md`},
			lines: [][]string{{`| **Date**`, `| **Status**`, `| **Tasks**`, `| **Chain**`, `| **Parent**`, `| **Branch**`}},
		}},
	},
	{
		name:   "handoff-frontmatter",
		shape:  Markdown,
		claims: []claim{topped(`---[ \t]*\n(?:[^\n]*\n){0,40}?type:\s*["']?handoff["']?\s*\n`)},
	},
	{name: "json", shape: JSON, claims: []claim{at(`*.json`), topped(`\s*\{\s*"`)}},
	{name: "xml", shape: XML, claims: []claim{at(`*.xml`, `<`)}},
	{name: "yaml", shape: YAML, claims: []claim{at(`*.yaml|*.yml`)}},
	{name: "markdown", shape: Markdown, claims: []claim{{}}},
}

// instant is the layout of a time to the second.
const instant = time.RFC3339

// actPlace returns where ACT handoffs with an extension, .xml or .md, are kept.
func actPlace(ext string) *Place {
	return &Place{
		Marks: []string{".act", ".git"},
		Dir:   ".act/handoffs", Stamp: "2006-01-02-1504", Ext: ext,
		Latest: "latest" + ext, Config: ".act/config.yaml", Family: "act",
		Fills: []string{"project", "session", "branch", "commit", "files", "actions"}, Date: instant,
	}
}

// sniffed is how much of a text claims look at.
const sniffed = 64 << 10

// onPath reports whether a pattern matches the end of a lower-case path, with as many
// elements as the pattern has. "a/b/**/c" matches a last element c below a folder a/b at any
// depth.
func onPath(pattern, file string) bool {
	if last := len(pattern) - 1; file == "" || pattern[last] != '*' && pattern[last] != file[len(file)-1] {
		return false // most files, at once
	}
	if dir, base, ok := strings.Cut(pattern, "/**/"); ok {
		return strings.Contains("/"+file, "/"+dir+"/") && onPath(base, file)
	}
	i := len(file)
	for range strings.Count(pattern, "/") + 1 {
		if i = strings.LastIndexByte(file[:max(i, 0)], '/'); i < 0 {
			break
		}
	}
	ok, _ := path.Match(pattern, file[i+1:])
	return ok
}

// formatOf returns the first format with a claim that holds for the path and the text of a
// file. The last format claims every file.
func formatOf(path, text string) *format {
	path = strings.ToLower(path)
	if len(text) > sniffed {
		text = text[:sniffed]
	}
	for i := range formats {
		for _, c := range formats[i].claims {
			if c.holds(path, text) {
				return &formats[i]
			}
		}
	}
	return &formats[len(formats)-1]
}

// holds reports whether a claim is true for a file, by its lower-case path and the beginning
// of its text.
func (c claim) holds(path, text string) bool {
	if c.paths != nil && !slices.ContainsFunc(c.paths, func(p string) bool { return onPath(p, path) }) {
		return false
	}
	if c.top != nil && !c.top().MatchString(text) {
		return false
	}
	for _, alternatives := range c.lines {
		if !slices.ContainsFunc(alternatives, func(p string) bool { return scan.HasLinePrefix(text, p) }) {
			return false
		}
	}
	return true
}
