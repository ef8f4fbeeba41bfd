package topic

import (
	"sync"

	"handex/parse/internal/scan"
)

// kindPhrases are the usual headings, drawn from real handoffs, by what the section
// is about, in the form that headingParts gives: lower case, no marks, numbers or
// brackets. They count as whole headings; longer ones are for lexicon.
var kindPhrases = []struct {
	kind    Kind
	phrases []string
}{
	{Next, []string{
		"next", "todo", "todos", "to do", "to-do", "remaining", "pending", "immediate", "upcoming", "later", "queue", "work queue", "items", "the next step", "suite", "candidates",
		"next steps", "next step", "what's next", "whats next", "what is next", "what comes next", "what to do next",
		"next session", "next actions", "next action", "next task", "next tasks", "next up", "next work", "next slice", "next priorities",
		"next session priorities", "next recommended", "recommended next", "suggested next", "remaining work", "remaining tasks", "remaining items", "remaining todos",
		"work remaining", "what remains", "what's left", "whats left", "what is left", "what's pending", "not yet done", "not done yet",
		"pending work", "pending tasks", "pending items", "outstanding work", "outstanding items", "outstanding tasks", "open items", "open ends", "loose ends", "open tasks", "open work", "todo list", "todo checklist", "to do list", "to-do list",
		"follow-ups", "follow ups", "followups", "follow-up work", "action items", "resume point", "resume here", "resume instructions", "how to resume", "how to continue",
		"start here", "pick up here", "where to start", "where to pick up", "first action", "first actions", "first steps", "first task", "immediate actions", "immediate priorities", "immediate tasks", "immediate next",
		"remaining steps", "unfinished work", "deferred work", "upcoming work", "future work", "backlog", "opportunities", "建议", "推奨", "suggested first move", "recommended order", "to be done",
		"plan from here", "still to do", "still open", "still owed", "what's still owed", "what's still open", "still pending", "left to do", "after that", "then do", "do next", "do first", "up next", "coming up",
		"prochaine étape", "prochaines étapes", "prochaines actions", "prochaine session", "à faire", "reste à faire", "próximos passos", "próximo passo", "proximos passos", "próximos pasos", "nächste schritte", "pendências",
		"下一步", "待办", "接下来", "后续", "未完成", "剩余工作", "次のステップ", "次にやること", "次の作業", "次回", "次に", "次の", "残作業", "残タスク", "다음 단계", "다음 작업", "다음", "남은 작업",
	}},
	{Done, []string{
		"log", "summary", "session summary", "done", "completed", "complete", "changes", "finished", "conclusion", "landed",
		"what was done", "what i did", "what we did", "what's done", "whats done", "what is done", "what changed", "what shipped", "what landed", "what's landed", "what was built", "what was shipped", "what was completed", "what was accomplished", "what was implemented", "what was fixed",
		"what we accomplished", "what got done", "what this session did", "what's complete", "what is complete", "what happened",
		"completed work", "work completed", "completed this session", "completed tasks", "completed items", "completed phases", "tasks completed", "done this session", "done today", "this session's work", "session work", "session achievements", "actions taken", "just completed", "just finished", "just done", "merged this session", "landed this session", "shipped", "work log", "steps taken",
		"work done", "work performed", "changes made", "changes this session", "recent changes", "code changes", "summary of changes", "changes summary", "fixes applied", "bugs fixed", "issues fixed", "fixed this session", "shipped this session",
		"accomplishments", "accomplished", "achievements", "key accomplishments", "delivered", "implementation summary", "implemented", "session accomplishments", "progress this session", "closed this session", "resolved this session",
		"ce qui a été fait", "travail effectué", "travail accompli", "réalisé", "réalisations", "fait", "terminé", "o que foi feito", "concluído", "feito", "erledigt", "hecho",
		"已完成", "完成的工作", "完成情况", "本次完成", "本轮完成", "做了什么", "このセッションで", "今回やったこと", "完了した作業", "完了", "実施内容", "やったこと", "완료", "완료된 작업", "완료한 작업",
	}},
	{Gotchas, []string{
		"warning", "important", "rules",
		"gotchas", "gotcha", "pitfalls", "traps", "traps that still hold", "what not to do", "do not", "don't", "dos and don'ts", "watch out", "watch out for", "watch-outs", "watchouts", "things to watch", "beware", "be careful",
		"known gotchas", "potential gotchas", "warnings", "known warnings", "caveats", "important warnings", "guardrails", "invariants", "operating constraints", "hard constraints", "hard rules",
		"constraints", "anti-patterns", "critical anti-patterns", "landmines", "footguns", "surprises", "surprises and traps", "quirks",
		"known issues", "known issue", "known limitations", "known problems", "known bugs", "technical debt", "tech debt", "problèmes connus", "limites connues", "problemas conhecidos", "已知问题", "遗留问题", "已知限制", "既知の問題", "알려진 문제",
		"pièges", "attention", "à éviter", "points d'attention", "points de vigilance", "armadilhas", "cuidados", "注意事项", "注意事項", "注意点", "注意", "坑", "踩坑", "避坑", "보안 주의", "주의사항", "주의",
	}},
	{Risks, []string{
		"issues", "problems",
		"risks", "risk", "limitations", "open issues", "outstanding issues", "remaining issues", "unresolved issues", "issues remaining", "concerns", "open concerns",
		"risk assessment", "risk notes", "residual risks", "remaining risks", "open risks", "known risks", "risks and concerns", "known gaps", "gaps", "weaknesses", "unresolved concerns", "unresolved",
		"risques", "riscos", "风险", "リスク", "課題", "리스크",
	}},
	{Blockers, []string{
		"blockers", "blocker", "blocked", "blocked on", "blocked by", "blocking issues", "blocking items", "blockers encountered", "current blockers", "current blocker", "active blockers", "active blocker", "open blockers", "critical blocker", "critical blockers", "blocking", "hard blockers", "waiting on", "waiting for",
		"bloqueurs", "blocages", "points bloquants", "bloqueios", "阻塞", "阻塞项", "阻塞点", "卡点", "ブロッカー", "블로커",
	}},
	{Questions, []string{
		"open questions", "open question", "questions", "unresolved questions", "uncertain", "unknowns", "open decisions", "pending decisions", "questions for the user",
		"questions ouvertes", "questões em aberto", "待确认", "待决策", "开放问题", "未决问题", "未解決", "質問", "질문",
	}},
	{Human, []string{
		"needs decision", "needs input", "decisions needed", "decision needed", "user action", "user actions", "user action required", "user actions required", "human action", "human actions", "human actions pending", "human tasks", "owner action", "owner actions", "needs human", "needs your decision", "needs your input", "your action", "your actions",
	}},
	{Decisions, []string{
		"decisions", "key decisions", "decision", "decisions made", "key design decisions", "design decisions", "architecture decisions", "architectural decisions", "key decisions made", "technical decisions", "important decisions", "decisions taken", "decision log", "decision record", "locked decisions", "owner decisions",
		"décisions", "décisions clés", "décisions prises", "decisões", "决策", "关键决策", "决定", "決定事項", "決定", "결정", "결정 사항",
	}},
	{Approaches, []string{
		"attempted approaches", "approaches tried", "approaches attempted", "what was tried", "what we tried", "things tried", "tried approaches", "approaches", "approach history",
	}},
	{Failed, []string{
		"failed approaches", "failed attempts", "what failed", "what didn't work", "what did not work", "dead ends", "what doesn't work", "failed", "approaches that failed", "rejected approaches", "ruled out", "尝试失败", "失败的尝试",
	}},
	{Worked, []string{
		"what worked", "worked", "what works", "successful approaches", "approaches that worked", "what worked well",
	}},
	{Context, []string{
		"critical context", "important context", "context", "background", "key context", "essential context", "environment", "environment notes", "assumptions", "assumptions carried", "critical references", "read first", "required reading", "must read", "contexte", "contexto", "背景", "上下文", "背景・経緯", "배경",
	}},
	{Advice, []string{
		"advice", "tips", "suggestions", "notes for future self", "notes for the next", "notes for next", "advice for the next", "advice for next session",
	}},
	{Reflection, []string{
		"compost", "root cause", "root cause analysis",
		"reflection", "reflections", "learnings", "lessons learned", "lessons", "key learnings", "learned", "what i learned", "what we learned", "key insights", "insights", "discoveries", "important discoveries", "key discoveries", "session learnings", "retrospective", "observations", "findings", "key findings", "for claudes to come",
		"apprentissages", "leçons", "aprendizados", "经验", "经验教训", "教训", "学び", "배운 점",
	}},
	{State, []string{
		"now",
		"current state", "current status", "state", "status", "where we are", "where things stand", "where it stands", "current state summary", "current position", "project status", "project state", "repository state", "git state", "git status", "working tree", "state of play", "system state", "in progress", "progress", "work in progress", "overall status", "état actuel", "état", "statut", "estado atual", "estado actual", "status atual", "当前状态", "目前状态", "现状", "进度", "現在の状態", "現状", "現在地", "현재 상태",
	}},
	{Goal, []string{
		"goal", "goals", "objective", "objectives", "purpose", "mission", "original task", "task", "tasks", "the task", "session goal", "session goals", "session objective", "task summary", "handoff summary", "overview", "scope", "objectif", "objectifs", "objetivo", "目标", "任务", "摘要", "概要", "目的", "목표", "요약",
	}},
	{Partial, []string{"partial", "partially worked"}},
	{Hypothesis, []string{"hypothesis", "hypotheses", "working theory", "current hypothesis", "leading hypothesis"}},
	{Outcome, []string{"outcome", "outcomes", "session outcome"}},
	{Checks, []string{
		"build",
		"verification commands", "how to verify", "test plan", "commands", "useful commands", "key commands", "commands to run", "quick commands", "quick start", "quality gates", "ci status", "commandes", "验证", "测试", "検証", "テスト", "검증",
	}},
	{Files, []string{
		"references and artifacts",
		"files", "files changed", "files modified", "files touched", "files created", "files updated", "files added", "modified files", "changed files", "new files", "files to modify", "files to read", "key files", "important files", "relevant files", "critical files", "files created and modified", "files modified and created", "file locations", "file structure", "artifacts", "references", "key references", "documentation", "fichiers modifiés", "fichiers", "arquivos", "涉及文件", "改动文件", "变更文件", "修改的文件", "修改文件", "文件", "関連ファイル", "変更ファイル", "변경 파일", "수정된 파일",
	}},
}

var phraseKinds = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for _, k := range kindPhrases {
		for _, p := range k.phrases {
			m[scan.FoldAccents(p)] = k.kind
		}
	}
	return m
})

// maxHeadingWords is where a heading becomes a sentence, in which a term is an
// ordinary word.
const maxHeadingWords = 9
