package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"handex/parse/internal/scan"
	"handex/parse/internal/signs"
)

// statuses are the words a status begins with, by the status they mean. Longer
// ones come first where one begins with another.
var statuses = []struct {
	status string
	words  []string
}{
	{"in-progress", []string{
		"in progress", "in-progress", "in_progress", "not complete", "not done", "not yet complete", "incomplete", "partially", "partial", "active", "ongoing", "open", "started", "working", "doing", "paused", "deferred", "remaining", "mid-session", "wip", "delivering", "continuing", "mid-", "mid ", "executing", "implementing", "underway",
		"en cours", "em andamento", "em progresso", "en progreso", "in arbeit", "进行中", "進行中", "작업 중", "진행 중", "🟡", "🚧", "🔄", "⏳",
	}},
	{"completed", []string{
		"completed", "complete", "completes", "released", "deployed", "release ready", "all deployed", "done", "finished", "closed", "shipped", "merged", "resolved", "success", "succeeded", "implemented", "landed", "delivered", "chunk complete", "production ready", "fully complete", "all complete", "all done", "acknowledged", "archived", "accepted", "approved", "passed", "pass", "milestone complete", "milestone_complete", "phase complete", "phase_complete",
		"terminé", "termine", "complété", "fini", "concluído", "concluido", "completo", "completado", "erledigt", "已完成", "完成", "完了", "완료", "✅", "🟢", "☑", "✔",
	}},
	{"blocked", []string{"hold", "blocked", "blocking", "stuck", "on hold", "waiting", "awaiting", "needs input", "needs decision", "bloqué", "bloqueado", "blockiert", "阻塞", "被阻塞", "ブロック", "🔴", "⛔"}},
	{"failed", []string{"failed", "failing", "failure", "fail", "broken", "aborted", "échoué", "falhou", "失败", "失敗", "❌"}},
	{"pending", []string{"pending", "ready", "planned", "not started", "not_started", "queued", "proposed", "draft", "scoping", "future", "todo", "to do", "needs", "review-requested", "review requested", "ready_for", "en attente", "pendente", "待", "未着手", "未开始", "대기"}},
	{"sent", []string{"sent", "received"}},
}

// Status folds what a status line says onto the language's closed list;
// "" where it says nothing that list has. The words it begins with decide; else
// those anywhere in it.
func Status(raw string) string {
	s := strings.ToLower(strings.TrimSpace(scan.Plain(raw)))
	if st := statusOf(scan.TrimMarks(s)); st != "" {
		return st
	}
	if st := statusOf(s); st != "" {
		return st
	}
	return statusWithin(strings.ReplaceAll(s, "_", " "))
}

// maxStatus is how much of a phrase is searched for the words of a status.
const maxStatus = 200

// statusWithin is the status that the words of a phrase mean, whichever is
// first; what is left over makes work that is done work in progress.
func statusWithin(s string) string {
	if len(s) > maxStatus {
		s = s[:scan.RuneBoundary([]byte(s), maxStatus)]
	}
	first, inWord := "", false
	for at, r := range s {
		begins := !inWord
		inWord = unicode.IsLetter(r) && r < scan.FirstUnspaced
		if !begins {
			continue
		}
		switch st := statusOf(s[at:]); {
		case st == "" || st == "blocked" && signs.IsDenied(s[:at]):
		case first == "":
			first = st
		case first == "completed" && (st == "blocked" || st == "in-progress"):
			return "in-progress"
		}
	}
	return first
}

// statusOf is the status whose words a phrase begins with.
func statusOf(s string) string {
	for _, group := range statuses {
		for _, w := range group.words {
			if strings.HasPrefix(s, w) && endsWord(s[len(w):], w) {
				return group.status
			}
		}
	}
	return ""
}

// endsWord reports whether rest does not go on with the word w.
func endsWord(rest, w string) bool {
	if rest == "" {
		return true
	}
	last := []rune(w)[len([]rune(w))-1]
	next := []rune(rest)[0]
	if !unicode.IsLetter(last) || last > unicode.MaxLatin1 {
		return true
	}
	return !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// Priorities by the words and signs items carry.
var Priorities = map[string]string{
	"critical": "critical", "urgent": "critical", "p0": "critical", "blocker": "critical",
	"high": "high", "p1": "high", "haute": "high", "alta": "high",
	"medium": "medium", "med": "medium", "p2": "medium", "moyenne": "medium", "média": "medium", "normal": "medium",
	"low": "low", "p3": "low", "p4": "low", "basse": "low", "baixa": "low",
}

// Priority is the priority that a value begins with ("High (see below)"), or
// the value: further words may say anything.
func Priority(v string) string {
	word, rest, _ := strings.Cut(strings.TrimSpace(v), " ")
	p := Priorities[strings.ToLower(word)]
	if next, _ := utf8.DecodeRuneInString(rest); p == "" || rest != "priority" && (unicode.IsLetter(next) || unicode.IsDigit(next)) {
		return v
	}
	return p
}

var idSplit = scan.Pattern(`[\s,;]+`)

// ItemIDs are the ids of a list, or of a line that separates them by commas.
func ItemIDs(list []string, line string) []string {
	ids := list
	if ids == nil {
		ids = idSplit().Split(line, -1)
	}
	var out []string
	for _, id := range ids {
		if id = strings.Trim(id, "`\"' "); id != "" {
			out = append(out, id)
		}
	}
	return out
}
