package discover

import (
	"bytes"
	"strings"
)

// headSize is how much of a file with an ambiguous name is read to decide.
const headSize = 4096

// fits reports whether the first bytes of a file show what its name leaves
// open.
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
		return !o.manual && !o.spec() && (o.isOfWork() || countSigns(o.text) >= 3)
	case needHandoff:
		return !o.manual && !o.spec() && showsHandoff(o)
	case needSession:
		return !o.manual && !o.spec() && showsHandoff(o) && o.ofSession()
	case needNothing:
	}
	return true
}

// isPrompt reports whether a text says how to write a handoff: a command or
// skill with its description above, or a form to fill in.
func isPrompt(head []byte) bool {
	text := strings.ToLower(string(head))
	if strings.Contains(text, "$arguments") {
		return true
	}
	if front, ok := frontMatter(text); ok && hasKey(front, "description") {
		for _, key := range []string{
			"date", "status", "created", "session", "session_id", "branch", "updated", "last_updated", "timestamp",
		} {
			if hasKey(front, key) {
				return false
			}
		}
		return true
	}
	return isForm(text)
}

// frontMatter returns the lines between the fences at the top of a text.
func frontMatter(text string) (string, bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return "", false
	}
	front, _, _ := strings.Cut("\n"+rest, "\n---")
	return front, true
}

func hasKey(front, key string) bool { return strings.Contains(front, "\n"+key+":") }

// isForm reports whether blanks to fill in are where a handoff has its first
// facts.
func isForm(text string) bool {
	top := text
	for range 12 {
		i := strings.IndexByte(top, '\n')
		if i < 0 {
			top = ""
			break
		}
		top = top[i+1:]
	}
	top = text[:len(text)-len(top)]
	blanks := 0
	for _, blank := range []string{
		"yyyy-mm-dd", "{{", "[date]", "<date>", "{date}", "[project", "<project", "[session",
		"[topic", "[title", "[your", "[branch",
	} {
		if strings.Contains(top, blank) {
			blanks++
		}
	}
	return blanks >= 2
}

// signs are words that a handoff has near its top and a manual has not, or not
// several of them.
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

// showsHandoff reports whether a text says what it is and what was done or comes
// next, or has a date and some signs of a handoff, or many of them.
func showsHandoff(o outline) bool {
	if !o.dated {
		for _, heading := range manual {
			if strings.Contains(o.text, heading) {
				return false
			}
		}
	}
	count := countSigns(o.text)
	return o.titled && o.isOfWork() || count >= 7 || count >= 3 && o.dated
}

func countSigns(text string) int {
	count := 0
	for _, sign := range signs {
		if strings.Contains(text, sign) {
			count++
		}
	}
	return count
}

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
