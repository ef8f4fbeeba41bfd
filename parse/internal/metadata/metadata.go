// Package metadata knows what the labels of metadata mean in any format, and what
// their values say: fields, statuses, priorities, relations to other handoffs.
package metadata

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/signs"
)

// keyAliases are the labels of metadata every format may use, in normal form
// (see normalKey), by the field they mean. Where a handoff gives several labels
// of one field, the first of this list wins.
var keyAliases = []struct {
	field, labels string
}{
	{"title", "title|titre|título"},
	{"session", `session id|sessionid|from session|session|sid|session name|session number|session key|
		sessão|sesión|conversation id|会话`},
	{"goal", `purpose|goal|objective|original task|mission|task|session goal|focus|topic|current task|
		objectif|objetivo|目标|任务`},
	{"date", `date|timestamp|created|created at|generated at|generated|written|authored|drafted|
		session date|handoff date|session end|ended|date created|ts|as of utc|as of|started|datum|data|fecha|日期|时间戳|
		日付|일시|날짜|作成日|창작일|时间|time|日時|시간|last session`},
	{"updated", `last updated|updated|updated at|last update|last modified|last updated at|
		dernière mise à jour|mise à jour|última atualização|atualizado|ultimo aggiornamento|aggiornato|
		letzte aktualisierung|stand|更新|最后更新|更新日期|更新时间|最終更新|更新日`},
	{"sent", "sent at"},
	{"status", `status|handoff status|session status|current status|overall status|final status|
		final state|état final|etat final|current stage|stage|state|outcome|statut|estado|état|stato|状态|状態|ステータス|상태`},
	{"branch", `branch|git branch|session branch|current branch|working branch|branch / pr|branche|ramo|
		分支|ブランチ|브랜치`},
	{"from", `from|from agent|handoff from|author|agent|written by|prepared by|created by|auteur|autor|
		de|researcher|operator`},
	{"to", "to|to agent|handoff to|for agent|next agent|receiver|recipient|audience|pour|para"},
	{"project", "project|project name|repository|repo|projet|projeto|项目|プロジェクト"},
	{"version", "handoff version|format version|version|schema version"},
	{"source", "source file"},
	{"priority", "priority|priorité|prioridade|优先级"},
	{"progress", "progress|progression|progresso|进度"},
	{"phase", "phase|current phase"},
	{"commit", "last commit|commit|git commit|head|head commit|latest commit|commit sha|head sha|sha"},
	{"state", "now"},
	{"hypothesis", "hypothesis"},
	{"item", "work queue items|work queue item"},
}

// Known returns the field and rank of a label.
var Known = sync.OnceValue(func() map[string]Key {
	m := map[string]Key{}
	for _, a := range keyAliases {
		for i, l := range scan.Phrases(a.labels) {
			m[l] = Key{a.field, i}
		}
	}
	return m
})

// A Key is the field that a label means, and the rank of the label among those of
// the field.
type Key struct {
	Field string
	Rank  int
}

// Relations are the labels under which other handoffs are named.
var Relations = map[string]string{
	"supersedes": "supersedes", "replaces": "supersedes",
	"superseded by": "superseded-by", "replaced by": "superseded-by",
	"continues from": "continues", "continued from": "continues", "continues": "continues", "previous": "continues",
	"previous session": "continues", "previous handoff": "continues", "prior " +
		"session": "continues", "predecessor": "continues", "resumes": "continues",
	"parent": "parent", "parent handoff": "parent", "related": "related", "related handoffs": "related", "see " +
		"also": "related",
}

// MetaKey returns the name of a key no field has, as the query language can write it:
// meta.thread_url.
func MetaKey(label string) string {
	return "meta." + strings.ReplaceAll(scan.Slug(label), "-", "_")
}

// Modifiers are the words before a label that leave its meaning as it is.
var Modifiers = scan.Set(`current session project working git feature active overall final latest last handoff local
	document`)

// FieldOf returns the field a label means, with words before it that change nothing:
// "Project branch".
func FieldOf(label string) string {
	if open := strings.IndexByte(label, '('); open > 0 {
		label = strings.TrimRight(label[:open], " ")
	}
	key := scan.NormalKey(label)
	for {
		if k, ok := Known()[key]; ok {
			return k.Field
		}
		word, rest, ok := strings.Cut(key, " ")
		if !ok || !Modifiers[word] {
			return ""
		}
		key = rest
	}
}

// Headings are the headings of sections whose lines are metadata.
var Headings = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, of := range []string{"", "session ", "handoff ", "document ", "project "} {
		for _, what := range []string{"metadata", "meta", "info", "information", "header", "identification", "chain"} {
			m[of+what] = true
		}
	}
	return m
})

// statuses are the words a status begins with, by the status they mean. Longer
// ones come first where one begins with another.
var statuses = []struct {
	status string
	words  []string
}{
	{"in-progress", scan.Phrases(`in progress|in-progress|in_progress|not complete|not done|not yet complete|
		incomplete|partially|partial|active|ongoing|open|started|working|doing|paused|deferred|remaining|mid-session|
		wip|delivering|continuing|mid-|mid |executing|implementing|underway|en cours|em andamento|em progresso|
		en progreso|in arbeit|进行中|進行中|작업 중|진행 중|🟡|🚧|🔄|⏳`)},
	{"completed", scan.Phrases(`completed|complete|completes|released|deployed|release ready|all deployed|done|
		finished|closed|shipped|merged|resolved|success|succeeded|implemented|landed|delivered|chunk complete|
		production ready|fully complete|all complete|all done|acknowledged|archived|accepted|approved|passed|pass|
		milestone complete|milestone_complete|phase complete|phase_complete|terminé|termine|complété|fini|concluído|
		concluido|completo|completado|erledigt|已完成|完成|完了|완료|✅|🟢|☑|✔`)},
	{"blocked", scan.Phrases(`hold|blocked|blocking|stuck|on hold|waiting|awaiting|needs input|needs decision|bloqué|
		bloqueado|blockiert|阻塞|被阻塞|ブロック|🔴|⛔`)},
	{"failed", scan.Phrases("failed|failing|failure|fail|broken|aborted|échoué|falhou|失败|失敗|❌")},
	{"pending", scan.Phrases(`pending|ready|planned|not started|not_started|queued|proposed|draft|scoping|future|
		todo|to do|needs|review-requested|review requested|ready_for|en attente|pendente|待|未着手|未开始|대기`)},
	{"sent", scan.Phrases("sent|received")},
}

// Status returns the status of the query language's closed list that a status line
// means, "" if it means none. The words that the line begins with decide; else those
// anywhere in it.
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

// statusWithin returns the status that the words of a phrase mean, whichever is first;
// what is left over makes work that is done work in progress.
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

// statusOf returns the status whose words a phrase begins with.
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
	last, _ := utf8.DecodeLastRuneInString(w)
	next, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(last) || last > unicode.MaxLatin1 || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// Priorities by the words and signs items carry.
var Priorities = map[string]string{
	"critical": "critical", "urgent": "critical", "p0": "critical", "blocker": "critical",
	"high": "high", "p1": "high", "haute": "high", "alta": "high",
	"medium": "medium", "med": "medium", "p2": "medium", "moyenne": "medium", "média": "medium", "normal": "medium",
	"low": "low", "p3": "low", "p4": "low", "basse": "low", "baixa": "low",
}

// Priority returns the priority that a value begins with ("High (see below)"), or the
// value: further words may say anything.
func Priority(v string) string {
	word, rest, _ := strings.Cut(strings.TrimSpace(v), " ")
	p := Priorities[strings.ToLower(word)]
	if next, _ := utf8.DecodeRuneInString(rest); p == "" || rest != "priority" &&
		(unicode.IsLetter(next) || unicode.IsDigit(next)) {
		return v
	}
	return p
}

var idSplit = scan.Pattern(`[\s,;]+`)

// ItemIDs returns the ids of a list, or of a line that separates them by commas.
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
