// Package metadata knows what the labels of metadata mean in any format, and what
// their values say: fields, statuses, priorities, relations to other handoffs.
package metadata

import (
	"strings"
	"sync"

	"handex/parse/internal/scan"
)

// keyAliases are the labels of metadata every format may use, in normal form
// (see normalKey), by the field they mean. Where a handoff gives several labels
// of one field, the first of this list wins.
var keyAliases = []struct {
	field  string
	labels []string
}{
	{"title", []string{"title", "titre", "título"}},
	{"session", []string{"session id", "sessionid", "from session", "session", "sid", "session name", "session number", "session key", "sessão", "sesión", "conversation id", "会话"}},
	{"goal", []string{"purpose", "goal", "objective", "original task", "mission", "task", "session goal", "focus", "topic", "current task", "objectif", "objetivo", "目标", "任务"}},
	{"date", []string{"date", "timestamp", "created", "created at", "generated at", "generated", "written", "authored", "drafted", "session date", "handoff date", "session end", "ended", "date created", "ts", "as of utc", "as of", "started", "datum", "data", "fecha", "日期", "时间戳", "日付", "일시", "날짜", "作成日", "창작일", "时间", "time", "日時", "시간", "last session"}},
	{"updated", []string{"last updated", "updated", "updated at", "last update", "last modified", "last updated at", "dernière mise à jour", "mise à jour", "última atualização", "atualizado", "ultimo aggiornamento", "aggiornato", "letzte aktualisierung", "stand", "更新", "最后更新", "更新日期", "更新时间", "最終更新", "更新日"}},
	{"sent", []string{"sent at"}},
	{"status", []string{"status", "handoff status", "session status", "current status", "overall status", "final status", "final state", "état final", "etat final", "current stage", "stage", "state", "outcome", "statut", "estado", "état", "stato", "状态", "状態", "ステータス", "상태"}},
	{"branch", []string{"branch", "git branch", "session branch", "current branch", "working branch", "branch / pr", "branche", "ramo", "分支", "ブランチ", "브랜치"}},
	{"from", []string{"from", "from agent", "handoff from", "author", "agent", "written by", "prepared by", "created by", "auteur", "autor", "de", "researcher", "operator"}},
	{"to", []string{"to", "to agent", "handoff to", "for agent", "next agent", "receiver", "recipient", "audience", "pour", "para"}},
	{"project", []string{"project", "project name", "repository", "repo", "projet", "projeto", "项目", "プロジェクト"}},
	{"version", []string{"handoff version", "format version", "version", "schema version"}},
	{"source", []string{"source file"}},
	{"priority", []string{"priority", "priorité", "prioridade", "优先级"}},
	{"progress", []string{"progress", "progression", "progresso", "进度"}},
	{"phase", []string{"phase", "current phase"}},
	{"commit", []string{"last commit", "commit", "git commit", "head", "head commit", "latest commit", "commit sha", "head sha", "sha"}},
	{"state", []string{"now"}},
	{"hypothesis", []string{"hypothesis"}},
	{"item", []string{"work queue items", "work queue item"}},
}

// Known returns the field and rank of a label.
var Known = sync.OnceValue(func() map[string]Key {
	m := map[string]Key{}
	for _, a := range keyAliases {
		for i, l := range a.labels {
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
	"previous session": "continues", "previous handoff": "continues", "prior session": "continues", "predecessor": "continues", "resumes": "continues",
	"parent": "parent", "parent handoff": "parent", "related": "related", "related handoffs": "related", "see also": "related",
}

// MetaKey is the name of a key no field has, as the query language can write
// it: meta.thread_url.
func MetaKey(label string) string {
	return "meta." + strings.ReplaceAll(scan.Slug(label), "-", "_")
}

// Modifiers are the words before a label that leave its meaning as it is.
var Modifiers = scan.Set("current", "session", "project", "working", "git", "feature", "active", "overall", "final", "latest", "last", "handoff", "local", "document")

// FieldOf is the field a label means, with words before it that change nothing:
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
