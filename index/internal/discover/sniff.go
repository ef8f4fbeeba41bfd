package discover

import (
	"bytes"
	"slices"
	"strings"
)

// headSize is how much of a file with an ambiguous name is read to decide.
const headSize = 4096

// fits reports whether a file that begins with head is a handoff, where its name alone does not
// decide. n says what head must contain or must not contain. Instructions for writing handoffs never fit.
func (n need) fits(head []byte) bool {
	if n == needNothing {
		return true
	}
	if isPrompt(head) {
		return false
	}
	o := outlineOf(head)
	switch n {
	case needLetter:
		return o.letter
	case needNoPrompt:
		return !o.manual && (!o.spec() || o.isOfWork())
	case needNoSpec:
		return !o.manual && !o.spec() && (o.isOfWork() || countIn(o.text, signs) >= 3)
	case needHandoff:
		return !o.manual && !o.spec() && showsHandoff(o)
	case needSession:
		return !o.manual && !o.spec() && showsHandoff(o) && o.ofSession()
	case needNothing:
	}
	return true
}

// isPrompt reports whether a text explains how to write a handoff: a command or skill with a
// description at the top, or a form to fill in.
func isPrompt(head []byte) bool {
	text := strings.ToLower(string(head))
	if strings.Contains(text, "$arguments") {
		return true
	}
	if front, ok := frontMatter(text); ok && hasKey(front, "description") {
		return !slices.ContainsFunc([]string{
			"date", "status", "created", "session", "session_id", "branch", "updated", "last_updated", "timestamp",
		}, func(key string) bool { return hasKey(front, key) })
	}
	return isForm(text)
}

// frontMatter returns the lines between the fences at the top of a text, and whether there are any.
func frontMatter(text string) (string, bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return "", false
	}
	front, _, _ := strings.Cut("\n"+rest, "\n---")
	return front, true
}

// hasKey reports whether a line of front matter begins with key and a colon.
func hasKey(front, key string) bool { return strings.Contains(front, "\n"+key+":") }

// isForm reports whether the first lines of a text have blanks to fill in, where a handoff has its
// first facts.
func isForm(text string) bool {
	const most = 12
	lines := strings.SplitAfterN(text, "\n", most+1)
	return countIn(strings.Join(lines[:min(len(lines), most)], ""), []string{
		"yyyy-mm-dd", "{{", "[date]", "<date>", "{date}", "[project", "<project", "[session", "[topic", "[title", "[your",
		"[branch",
	}) >= 2
}

// signs are words that a handoff has near its top and a manual does not have, or not several of
// them.
var signs = []string{
	"handoff", "handover", "session", "next step", "next session", "what's next", "## next", "# done", "current " +
		"state", "current status",
	"remaining", "blocker", "blocked", "gotcha", "open question", "completed", "what was done", "what changed", "files " +
		"changed",
	"files modified", "in progress", "decision", "resume", "left off", "last " +
		"updated", "commit", "branch", "status", "pending", "todo", "accomplished", "fixed", "summary", "verification",
	"work_remaining", "next_action", "uncommitted", "follow-up", "merged", "pr #", "下一步", "当前", "已完成", "待办", "次の",
	"現在", "완료", "다음", "próxim", "prochain", "nächste",
}

// manual are headings of a text that explains.
var manual = []string{
	"## when to use", "## how it works", "## how to", "## usage", "## installation", "## the problem",
	"## best practice", "## examples",
}

// showsHandoff reports whether a text is titled as a handoff and about work, or has a date and some
// signs of a handoff, or has many signs.
func showsHandoff(o outline) bool {
	if !o.dated && containsAny(o.text, manual) {
		return false
	}
	count := countIn(o.text, signs)
	return o.titled && o.isOfWork() || count >= 7 || count >= 3 && o.dated
}

// countIn returns how many of words are in text.
func countIn(text string, words []string) (count int) {
	for _, word := range words {
		if strings.Contains(text, word) {
			count++
		}
	}
	return count
}

// dateIn reports whether head contains a date of this century.
func dateIn(head []byte) bool {
	for {
		i := bytes.Index(head, []byte("20"))
		if i < 0 {
			return false
		}
		if len(head) > i+2 && datePart(string(head[i+2:min(len(head), i+12)])) {
			return true
		}
		head = head[i+2:]
	}
}

// An outline is what the headings and labels in the first bytes of a text show about its kind.
type outline struct {
	text   string // in lower case
	dated  bool
	titled bool // its title says that it is one of a session, or a handoff
	manual bool // its title says that it explains something
	letter bool // it is from somebody to somebody
	work   int  // headings of what was done, of the state, and of what comes next
	design int  // headings of what something is to be
}

// outlineOf returns the outline of head, the first bytes of a text.
func outlineOf(head []byte) outline {
	o := outline{text: strings.ToLower(string(head)), dated: dateIn(head)}
	title, fenced, from, to := "", false, false, false
	for line := range strings.Lines(o.text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		label := strings.TrimLeft(line, "*_->| ")
		from = from || isLabel(label, "from")
		to = to || isLabel(label, "to")
		heading := strings.TrimSpace(strings.TrimLeft(line, "#"))
		switch {
		case fenced || heading == line || heading == "":
		case title == "":
			title = heading
		case containsAny(heading, workHeadings), isNumbered(heading, "session "):
			o.work++
		case containsAny(heading, designHeadings):
			o.design++
		}
	}
	o.letter = from && to
	o.titled = isHandoffTitle(title)
	o.manual = isManualTitle(title) && o.work == 0
	return o
}

// isLabel reports whether a line begins with word and a colon, both perhaps bold.
func isLabel(line, word string) bool {
	rest, ok := strings.CutPrefix(line, word)
	return ok && strings.HasPrefix(strings.TrimLeft(rest, "*_ |"), ":")
}

// isNumbered reports whether a heading has word followed by a digit: "session 3".
func isNumbered(heading, word string) bool {
	_, after, ok := strings.Cut(heading, word)
	return ok && after != "" && isDigit(after[0])
}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// isOfWork reports whether the text has a date, a heading about work, or is a letter.
func (o outline) isOfWork() bool { return o.dated || o.work > 0 || o.letter }

// spec reports whether the text specifies something instead of describing the work on it. A text
// that calls itself a handoff is no specification, unless nothing else in it fits a handoff.
func (o outline) spec() bool {
	if o.titled {
		return o.design >= 3 && !o.isOfWork()
	}
	return o.design >= 2 && o.design > o.work
}

// ofSession reports whether the text is about a session or about resuming work.
func (o outline) ofSession() bool {
	return o.titled || o.work >= 2 || containsAny(o.text, []string{
		"session", "left off", "next step", "handoff", "branch",
	})
}

var workHeadings = []string{
	"done", "next", "complete", "remaining", "current state", "status", "what was", "what changed", "what i did",
	"left off", "progress", "blocker", "blocked", "todo", "to do", "to-do", "pending", "shipped", "where we",
	"where things", "accomplish", "resume", "in flight", "gotcha", "open item", "uncommitted", "pick up", "tl;dr",
	"下一步", "已完成", "当前", "次の", "完了", "다음", "완료", "próxim", "hecho", "prochain", "fait", "nächste", "erledigt", "offen",
	"nästa", "klart", "prossim", "fatto",
}

var designHeadings = []string{
	"user stor", "acceptance criteria", "requirement", "goals and non", "non-goal", "functional", "props", "usage",
	"installation", "design token", "typograph", "color", "colour", "spacing", "breakpoint", "component", "wireframe",
	"layout", "user flow", "how it works", "when to use", "purpose", "scope", "data model", "endpoint", "edge case",
	"procedure", "prerequisite", "trigger", "definition", "accessibility", "interaction", "screens", "states",
	"success metric", "background", "motivation", "alternatives", "why this exists", "step 1", "troubleshooting",
	"parameters", "api",
}

// isHandoffTitle reports whether a title, in lower case, names a handoff or session, and not
// something for handoffs: "Handoff: Sign-in", "Session 4", not "Handoff wizard".
func isHandoffTitle(title string) bool {
	for _, word := range []string{
		"handoff", "hand-off", "hand off", "handover", "hand-over", "交接", "引き継ぎ", "übergabe", "passation",
	} {
		_, after, ok := strings.Cut(title, word)
		next := strings.TrimLeftFunc(after, func(r rune) bool { return r == ' ' || r == '*' })
		if ok && !strings.HasPrefix(after, "-") && (next == "" || !isLetter(next[0]) || handoffWord(next)) {
			return true
		}
	}
	for _, word := range []string{"session", "next session", "resume"} {
		after, ok := strings.CutPrefix(title, word)
		if next := strings.TrimSpace(after); ok && (next == "" || !isLetter(next[0]) || sessionWord(next)) {
			return true
		}
	}
	return false
}

// sessionWord reports whether a title with the word "session" followed by next still names a
// session.
func sessionWord(next string) bool {
	word, _, _ := strings.Cut(next, " ")
	return sessionTitles.has(strings.Trim(word, ":—–-,.()")) || handoffWord(next)
}

var sessionTitles = wordSet{
	"close", "closeout", "wrap", "wrap-up", "recap", "end", "notes", "start", "plan", "here", "point", "journal", "record",
	"progress", "work", "tasks",
}

// handoffWord reports whether a title with the word "handoff" followed by next still names a
// handoff.
func handoffWord(next string) bool {
	word, _, _ := strings.Cut(next, " ")
	word = strings.Trim(word, ":—–-,.()")
	return handoffKinds.has(word) || titleWords.has(word)
}

var titleWords = wordSet{
	"for", "to", "from", "of", "after", "on", "session", "context", "brief", "document", "snapshot", "v", "part", "phase",
	"checkpoint", "entry",
}

// manualTitles are words with which the title of a text that explains ends, before a colon or a
// dash.
var manualTitles = []string{
	"runbook", "playbook", "guide", "guideline", "guidelines", "how-to", "howto", "tutorial", "protocol", "template",
	"specification", "spec", "prd", "rfc", "adr", "user story", "story", "epic", "feature", "feature spec", "policy",
	"procedure", "sop", "skill", "slash command", "convention", "conventions",
}

// isManualTitle reports whether a title, in lower case, is that of a text that explains: "Runbook:
// ...", "Handoff protocol", "How to ...".
func isManualTitle(title string) bool {
	if strings.HasPrefix(title, "how to ") || strings.HasPrefix(title, "template ") {
		return true
	}
	kind, _, _ := strings.Cut(title, " - ")
	if i := strings.IndexAny(kind, ":—–|("); i >= 0 {
		kind = kind[:i]
	}
	kind = strings.TrimSpace(kind)
	return slices.ContainsFunc(manualTitles, func(word string) bool { return strings.HasSuffix(" "+kind, " "+word) })
}
