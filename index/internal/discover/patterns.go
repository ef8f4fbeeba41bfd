package discover

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// known are the places in which known formats put their handoffs: globs on the absolute path in
// lower case. The rules of names and folders below find handoffs elsewhere; a pattern is here so
// that its files are certainly found, and so that Why names it.
var known = lazyPatterns(
	"**/.claude/handoffs/**/*.md",                    // claude-suite (in encoded folders), softaworks, ddaanet
	"**/.bon/handoffs/**/*.md",                       // claude-suite, from the third contract on
	"**/.flow-guardian/handoff.yaml",                 // flow-guardian
	"**/meta/handoff{,-log}.{yaml,yml}",              // company
	"**/.act/handoffs/*.{xml,md}",                    // act
	"**/thoughts/shared/handoffs/**/*.{md,yaml,yml}", // humanlayer, continuous-claude
	"**/thoughts/ledgers/continuity_*.md",            // continuous-claude
	"**/.planning/handoff.json",                      // get-shit-done
	"**/.planning/**/.continue-here.md",              // get-shit-done
	"**/docs/handoffs/**/*.{md,yaml,yml}",            // generic, continuous-claude
	"**/.omc/handoffs/*.md",                          // oh-my-claudecode
	"**/session-data/*-session.{tmp,md}",             // everything-claude-code
)

// anywhere are patterns for files in any folder.
var anywhere = lazyPatterns(
	"**/claude-progress.{txt,md}", // long-running agents' progress file
)

// A pattern is a glob divided into folder and file, so that the folder part is matched once for all
// files of a folder.
type pattern struct {
	rule, dir, base string
	last            string // the folder part's last segment, if it is no glob
	inside          string // else a segment that must be on the way
}

// lazyPatterns returns a function that returns the patterns of globs. They are made at the first
// call: most runs list no folder.
func lazyPatterns(globs ...string) func() []pattern {
	return sync.OnceValue(func() []pattern { return newPatterns(globs) })
}

// newPatterns returns the patterns of globs.
func newPatterns(globs []string) []pattern {
	patterns := make([]pattern, len(globs))
	for i, glob := range globs {
		cut := strings.LastIndexByte(glob, '/')
		p := pattern{rule: "pattern " + glob, dir: glob[:cut], base: glob[cut+1:]}
		segments := strings.Split(p.dir, "/")
		if last := segments[len(segments)-1]; last != "**" {
			p.last = last
		} else if len(segments) > 2 {
			p.inside = "/" + segments[len(segments)-2]
		}
		patterns[i] = p
	}
	return patterns
}

// knownIn returns the patterns that can match a file of the folder dir, an
// absolute path in lower case with slashes.
func knownIn(dir string) []pattern {
	name := dir[strings.LastIndexByte(dir, '/')+1:]
	var found []pattern
	for _, p := range known() {
		if p.dir == "**" || p.last != "" && p.last != name || !strings.Contains(dir, p.inside) {
			continue
		}
		if doublestar.MatchUnvalidated(p.dir, strings.TrimPrefix(dir, "/")) {
			found = append(found, p)
		}
	}
	return found
}

// A verdict is what the rules decide about a path. need is what the file's first bytes must still
// show.
type verdict struct {
	ok   bool
	rule string
	need need
}

type need int

const (
	needNothing  need = iota
	needNoPrompt      // not an instruction for writing handoffs
	needHandoff       // signs of a handoff
	needNoSpec        // no instruction, and no specification of what is called so
	needSession       // signs of a handoff, and of work that is taken up again
	needLetter        // a text to somebody from somebody
	lastNeed     = needLetter
)

// A ruleState is what the rules of names know about a folder. rel is relative to the root, with
// slashes, "" for the root.
type ruleState struct {
	rel     string
	lower   string // absolute, lower case, with slashes
	trust   trust
	session bool // in a folder of session notes
	agent   bool // in an agent's own folder: .claude, .agent ...
	notes   bool // in a folder of documents and notes
	code    bool // among source code
	known   []pattern
	mirror  mirrorPlace
}

// trust is how sure it is that the files of a folder are handoffs.
type trust int

const (
	trustNone trust = iota
	trustSome       // a folder named handoff: also the name of code and of design
	trustFull       // a folder of handoffs
)

// rules decides about paths below one root.
type rules struct {
	root Root
	all  bool // every file is included
}

// Check returns an error if one of the root's globs is invalid.
func (r Root) Check() error {
	_, err := newRules(r)
	return err
}

// newRules returns the rules of a root. It is an error if one of the root's globs is invalid.
func newRules(root Root) (rules, error) {
	for _, globs := range []struct {
		name string
		list []string
	}{{"include", root.Include}, {"exclude", root.Exclude}} {
		for _, glob := range globs.list {
			if !doublestar.ValidatePattern(glob) {
				return rules{}, fmt.Errorf("%s: %s %q is not a glob", root.Path, globs.name, glob)
			}
		}
	}
	return rules{root: root, all: slices.Contains(root.Include, "**")}, nil
}

// start returns the state of the root's folder. The names of the folders above it count, so that a
// root inside a folder of handoffs finds them.
func (r rules) start() ruleState {
	if f, ok := r.startInMirror(); ok {
		return f
	}
	path := strings.ToLower(filepath.ToSlash(r.root.Path))
	f := ruleState{}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		f.lower += "/" + name
		f = f.below(name)
		if f.trust == trustSome && f.lower != path {
			f.trust = trustNone
		}
		// A project can live anywhere, even below a folder named src.
		f.code = false
	}
	f.known = knownIn(f.lower)
	return f
}

// enter returns the state of the folder name in f, or the rule that keeps the walk out.
func (r rules) enter(f ruleState, name string) (ruleState, string) {
	lower := strings.ToLower(name)
	rel := joinRel(f.rel, name)
	if lower == ".git" {
		return ruleState{}, "folder .git"
	}
	if glob, out := r.excluded(rel); out {
		return ruleState{}, "the root excludes " + glob
	}
	if child, skip, ok := r.enterMirror(f, name); ok {
		return child, skip
	}
	if len(r.root.Include) > 0 {
		return ruleState{rel: rel}, ""
	}
	if rule := skippedFolder(f, lower); rule != "" {
		return ruleState{}, rule
	}
	child := f
	child.rel, child.lower = rel, f.lower+"/"+lower
	child = child.below(lower)
	child.known = knownIn(child.lower)
	return child, ""
}

// below returns f changed by the name of its folder, in lower case.
func (f ruleState) below(lower string) ruleState {
	f.trust = max(f.trust, folderTrust(lower, f.agent))
	f.session = f.session || sessionFolders.has(lower)
	switch {
	case strings.HasPrefix(lower, "."):
		f.agent, f.code = true, false
	case noteFolders.has(lower):
		f.notes, f.code = true, false
	case codeFolders.has(lower):
		f.code = true
	}
	return f
}

// listed returns f changed by its entries, which has looks up: in a repository the names above no
// longer count, unless it is a repository of handoffs. skip is the rule that keeps the walk out
// after all, "" if there is none.
func (r rules) listed(f ruleState, has func(string) bool) (_ ruleState, skip string) {
	if len(r.root.Include) > 0 || f.mirror != notInMirror {
		return f, ""
	}
	if has(".git") {
		f.code, f.agent, f.notes, f.session = false, false, false, false
		if f.trust == trustSome || !handoffsName(f.lower[strings.LastIndexByte(f.lower, '/')+1:]) {
			f.trust = trustNone
		}
		return f, ""
	}
	if f.rel == "" {
		return f, ""
	}
	for _, mark := range []string{"SKILL.md", "CACHEDIR.TAG"} {
		if has(mark) {
			return f, "folder with a " + mark
		}
	}
	return f, ""
}

// file returns whether the file name in the folder f is a handoff, by the rules of names and the
// root's globs.
func (r rules) file(f ruleState, name string) verdict {
	v := verdict{rule: "not a file that a member shared"}
	if f.mirror != notInMirror {
		return v
	}
	if len(r.root.Include) == 0 {
		if v = f.file(name); !v.ok {
			return v
		}
	}
	rel := joinRel(f.rel, name)
	if glob, out := r.excluded(rel); out {
		return verdict{rule: "the root excludes " + glob}
	}
	switch {
	case v.ok:
		return v
	case r.all:
		return verdict{ok: true, rule: "the root includes **"}
	}
	if glob, in := firstMatch(r.root.Include, rel); in {
		return verdict{ok: true, rule: "the root includes " + glob}
	}
	return verdict{rule: "no include of the root matches it"}
}

// Admits reports whether the root's globs admit the file rel, a path relative to the root.
func (r Root) Admits(rel string) bool {
	rules, err := newRules(r)
	return err == nil && rules.admits(rel)
}

// admits reports whether an include matches rel, or there is none, and no exclude matches it or a
// folder around it.
func (r rules) admits(rel string) bool {
	for at := rel; at != "."; at = path.Dir(at) {
		if _, out := r.excluded(at); out {
			return false
		}
	}
	_, in := firstMatch(r.root.Include, rel)
	return in || len(r.root.Include) == 0
}

// excluded returns the first exclude of the root that matches rel, and whether one does.
func (r rules) excluded(rel string) (string, bool) { return firstMatch(r.root.Exclude, rel) }

// firstMatch returns the first of globs that matches rel, and whether one does.
func firstMatch(globs []string, rel string) (string, bool) {
	for _, glob := range globs {
		if doublestar.MatchUnvalidated(glob, rel) {
			return glob, true
		}
	}
	return "", false
}

// file returns whether the file name in f is a handoff, by the rules of names. Most files of a disk
// end here at their extension or at mayName.
func (f ruleState) file(name string) verdict {
	ext := Extension(name)
	if !TextKinds.has(ext) {
		return verdict{rule: "not a file type of handoffs"}
	}
	lower := strings.ToLower(name)
	if !f.special() && !mayName(lower) {
		return verdict{rule: "no rule matches its name"}
	}
	if rule := excludedName(lower); rule != "" {
		return verdict{rule: rule}
	}
	if rule := aboutHandoffs(name, lower); rule != "" {
		return verdict{rule: rule}
	}
	for _, patterns := range [][]pattern{f.known, anywhere()} {
		for _, p := range patterns {
			if doublestar.MatchUnvalidated(p.base, lower) {
				return verdict{ok: true, rule: p.rule}
			}
		}
	}
	if rule := LetterRule(f.lower, lower); rule != "" {
		return verdict{ok: true, rule: rule, need: needLetter}
	}
	if ext == ".tmp" {
		return verdict{rule: "no rule matches its name"}
	}
	return f.byName(newStem(name), ext)
}

// special reports whether files in the folder may be handoffs whatever their names are.
func (f ruleState) special() bool {
	return f.trust > trustNone || f.session || len(f.known) > 0
}

// byName returns whether a file is a handoff, by the words of its name and the folder f.
func (f ruleState) byName(s stem, ext string) verdict {
	handoff := s.word(handoffWords)
	prose := ext == ".md" || ext == ".markdown"
	switch {
	case f.trust == trustFull:
		stray := ext == ".txt" && handoff == "" && !s.dated
		return verdict{ok: true, rule: "in a folder of handoffs", need: needIf(f.code || stray, needHandoff, needNothing)}
	case f.trust == trustSome && (handoff != "" || s.dated || prose):
		sure := (handoff != "" || s.dated) && !f.code
		return verdict{ok: true, rule: "in a folder of handoffs", need: needIf(sure, needNoPrompt, needHandoff)}
	case handoff != "":
		need := needHandoff
		switch {
		case s.bare && (prose || !f.code), prose && s.dated && s.isOne(handoff):
			need = needNoPrompt
		case prose && s.isOne(handoff):
			need = needNoSpec
		}
		return verdict{ok: true, rule: "named " + strings.Trim(handoff, "-"), need: need}
	case prose || ext == ".txt":
		return f.bySession(s, prose)
	}
	return verdict{rule: "no rule matches its name"}
}

// bySession returns whether a file in f is a handoff that is named for a session, without the word
// handoff.
func (f ruleState) bySession(s stem, prose bool) verdict {
	if phrase := s.phrase(nextPhrases); phrase != "" {
		return verdict{ok: true, rule: "named " + phrase, need: needNoPrompt}
	}
	if phrase := s.phrase(sessionPhrases); phrase != "" {
		return verdict{ok: true, rule: "named " + phrase, need: needHandoff}
	}
	if strings.HasPrefix(s.text, "-resume-") {
		return verdict{ok: true, rule: "named resume", need: needSession}
	}
	if f.session && prose {
		sure := s.dated && (f.agent || f.notes)
		return verdict{ok: true, rule: "in a folder of session notes", need: needIf(sure, needNoPrompt, needHandoff)}
	}
	return verdict{rule: "no rule matches its name"}
}

func needIf(cond bool, yes, no need) need {
	if cond {
		return yes
	}
	return no
}

func joinRel(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
