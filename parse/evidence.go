package parse

import (
	"strings"
	"sync"

	"handex/parse/internal/scan"
)

// lexicon is the evidence that words of a heading give for what a section is
// about: the points a term is worth for a kind. A term is a word, a word and
// what may follow it ("complet*"), or a phrase; a term of a script without
// spaces counts anywhere in a word. Where several terms start at one word, the
// longest counts alone. A kind wants enough points to be taken (see decide).
var lexicon = []struct {
	kind   Kind
	points int
	terms  []string
}{
	{Next, 10, []string{
		"session prompt", "continue prompt", "continue-prompt", "continuation prompt", "prompt for next",
		"prompt for the next", "kickoff prompt", "opening prompt", "highest priority", "top priority",
		"start here", "start with", "development order", "开发顺序", "待开发", "待完成", "推荐开发",
		"where to continue", "if you continue", "when you continue", "first thing", "onde continuar",
		"dónde continuar", "où reprendre", "wo weitermachen", "wenn du weitermachst", "var du fortsätter",
		"dove continuare", "ready for next", "after that", "接手后", "待验证", "下次", "未完了", "남은 일",
		"하지 못한", "не доделано", "не сделано", "дальше", "nice to have", "nice-to-have", "icebox",
		"still needed", "still needs", "what still", "pick up here", "continue here", "continue with",
		"what you should do next", "noch offen", "noch zu tun", "was noch fehlt", "offene punkte", "lo que falta",
		"o que falta", "qué falta", "reste à", "next step", "next steps", "next session", "next sessions",
		"next action", "next actions", "next task", "next tasks", "next up", "up next", "next concrete task",
		"next priorities", "next recommended", "recommended next", "suggested next", "still to do", "left to do",
		"to be done", "action item", "action items", "not done", "not done yet", "not yet done", "not yet started",
		"to do", "to resume", "how to resume", "how to continue", "what to do", "what's left", "whats left",
		"what is left", "what remains", "pick up", "follow up", "follow ups", "follow-up", "follow-ups",
		"open item", "open items", "open work", "open tasks", "open thread", "open threads", "loose ends",
		"open ends", "open todos", "still open", "still owed", "remaining work", "not implemented yet",
		"carry forward", "do next", "do first", "first action", "first steps", "immediate steps",
		"immediate actions", "immediate action", "immediate tasks", "later sequence", "success criteria for next",
		"à faire", "à implémenter", "reste à faire", "à suivre", "próximos passos",
		"próximos pasos", "a fazer", "por hacer", "nächste schritte", "zu tun", "att göra", "nästa steg",
		"da fare", "prossimi passi", "下一步", "待办", "接下来", "后续", "未完成", "剩余", "次にやる",
		"次のステップ", "次回", "残作業", "残タスク", "残件", "これから", "다음", "할 일", "남은", "후속",
		"not fixed", "must fix", "resume instructions", "resume prompt", "resume here",
		"待执行", "任务队列", "下 session", "下 会话", "下一会话", "下个会话", "travail restant", "prompt de relance",
		"what to build", "what to implement", "what to build next",
		"следующие шаги", "что дальше", "осталось сделать",
	}},
	{Next, 7, []string{
		"not started", "offen", "danach", "ensuite", "después", "depois", "dopo", "ideia futura", "ideas futuras",
		"idées", "recommendations", "recommendation", "suggestions", "offene", "enhancements",
		"continuation", "pickup", "fehlt", "fehlen", "falta", "faltan", "pendent*", "wishlist", "wish list",
		"tomorrow", "next", "future", "suggested", "todo", "todos", "to-do", "backlog", "upcoming", "unfinished",
		"prochain*", "próxim*", "siguiente*", "nächste*", "naechste*", "nästa", "prossim*", "återstå*",
		"pendência*", "remaining", "remains", "opportunities", "outstanding", "pending", "rimanent*",
		"continuations", "restant", "restants", "restante", "restantes", "relance", "à relancer", "futures", "implementation order",
		"execution order", "build order", "recommended build", "duties",
		"in sospeso", "ausstehend*", "次の", "次に", "未着手", "待处理", "計画", "план", "следующ*",
	}},
	{Next, 5, []string{
		"resuming", "proposal*", "recommendation*", "suggestion*", "deferred", "todo*", "mission", "roadmap",
		"priorit*", "follow*", "success criteria", "validation plan", "improvements", "améliorations", "offen*",
		"kvar", "reste", "plan", "postponed", "parked", "queue", "recommandation*", "empfehlung*",
		"rekommendation*", "raccomandazion*", "recomenda*", "建议", "推奨", "추천",
	}},
	{Next, 3, []string{
		"milestones", "future work", "workflow", "later", "objectives", "work order", "immediate", "optional",
		"timeline", "checklist", "ideas", "migration", "expected", "tasks", "should", "suite",
	}},
	{Next, 2, []string{
		"recommended",
	}},
	{Done, 10, []string{
		"blocker fix", "blocker fixes", "blocker fixed", "blockers fixed", "blockers resolved", "blockers cleared",
		"was schon steht", "was steht", "déjà corrigé", "déjà fait", "já feito", "corrigido nesta sessão",
		"nesta sessão", "en esta sesión", "dans cette session", "in dieser sitzung", "in questa sessione",
		"issues resolved", "bugs resolved", "closed this pass", "session timeline", "この版で", "できている",
		"最近改动", "끝난 것", "이번에 한", "что сделано", "commits made", "commits on", "features verified",
		"features completed", "features implemented", "previous session", "last session", "was fertig ist",
		"was gemacht", "qué cambió", "qué se hizo", "o que mudou", "co se", "what was done", "what i did",
		"what we did", "what's done", "what is done", "what got done", "what changed", "what's changed",
		"what shipped", "what's shipped", "what landed", "what was built", "what was implemented",
		"what was accomplished", "what was completed", "what was fixed", "what was shipped", "what was delivered",
		"what happened", "what just happened", "what we built", "what i built",
		"work completed", "work done", "work performed", "work summary", "done this session",
		"this session's work", "session log", "session history", "session summary", "session work",
		"session achievements", "completed work", "where we left off", "changes since", "changes made",
		"just completed", "just finished", "files created this session", "bugs fixed", "fixes applied",
		"issues fixed", "actions taken", "steps taken", "work log", "implementation summary",
		"implementation complete", "ce qui a été fait", "travail effectué", "travail accompli", "o que foi feito",
		"trabajo realizado", "was gemacht wurde", "vad som gjordes", "vad som är gjort", "lavoro svolto",
		"cosa abbiamo fatto", "已完成", "完成情况", "完成的工作", "做了什么", "今回やったこと", "やったこと",
		"完了した", "완료한",
	}},
	{Done, 7, []string{
		"corrigido", "aplicado", "resolvido", "resuelto", "corregido", "corrigé", "corrigés", "gelöst", "behoben",
		"risolto", "löst", "åtgärdat", "已修复", "修正済", "対応済", "적용한", "commits", "fertig", "umgesetzt",
		"hoy", "cambios", "alterações", "mudanças", "ändringar", "modifiche", "done", "completed", "complete",
		"completion", "finished", "shipped", "landed", "merged", "delivered", "delivers", "accomplish*", "achiev*",
		"implemented", "built", "committed", "fixed", "released", "ingested", "closed out", "fait", "faits",
		"terminé*", "réalis*", "effectué*", "accompli*", "livré*", "feito", "concluíd*",
		"realizad*", "hecho", "completad*", "completat*", "terminad*", "erledigt", "abgeschlossen",
		"gemacht", "klart", "gjort", "avslutat", "genomfört", "färdig*", "fatto", "realizzat*", "svolto", "成果",
		"完成", "完了", "済み", "実施", "入ったもの", "완료", "머지", "сделано", "выполнено", "завершено",
		"готово",
	}},
	{Done, 6, []string{
		"final summary", "one-liner summary", "one-line summary", "one-paragraph summary", "résumé", "resumo",
		"resumen", "zusammenfassung", "sammanfattning", "riepilogo", "摘要", "总结",
	}},
	{Done, 5, []string{
		"deliverable*", "changes", "change log", "changelog", "resolved", "applied", "added", "deployed",
		"pushed", "closed", "passed", "performed", "executed", "recent work", "progress ledger",
		"ledger", "modifications", "conclusion", "history", "总結", "实现", "修复", "改动", "적용", "수정",
		"本次", "本轮", "まとめ", "작업 내용", "구현", "이번 세션", "セッション",
	}},
	{Done, 3, []string{
		"log", "created", "updated", "implementation", "implementations", "summary", "achievement*", "changed",
		"fixes", "fix", "landing", "verified", "tested", "removed", "refactored", "rebuilt",
	}},
	{Gotchas, 10, []string{
		"will surprise you", "surprised us", "surprised me", "working rules", "packaging rule",
		"known issues", "known issue", "known limitations",
		"known limitation", "known problems", "known bugs", "technical debt", "tech debt", "known pitfalls",
		"things to know", "must know", "must remember", "gotcha", "gotchas", "watch out", "watch out for",
		"watch outs", "watch-outs", "things to watch", "what not to do", "do not", "don't", "dos and don'ts",
		"be careful", "known warnings", "hard limits", "hard rules", "hard constraints", "hard constraint",
		"anti-patterns", "anti patterns", "non-goals", "non goals", "failure patterns", "common mistakes",
		"if something breaks", "when something breaks", "things that bite", "à éviter",
		"points d'attention", "points de vigilance", "à ne pas faire", "não fazer", "no hacer", "nicht tun",
		"tänk på", "se upp", "da evitare", "注意事项", "注意事項", "注意点", "踩坑", "避坑", "ハマりどころ",
		"ハマった", "やってはいけない", "하지 말 것", "주의사항", "подводные камни",
	}},
	{Gotchas, 8, []string{
		"problèmes connus", "bekannte probleme", "kända problem", "problemi noti", "problemas conocidos",
		"problemas conhecidos", "limites connues", "已知问题", "遗留问题", "已知限制", "既知の問題", "알려진 문제",
		"известные проблемы", "caution", "not next", "pitfall*", "trap", "traps", "caveat*", "beware",
		"guardrail*", "landmine*", "footgun*", "quirk*", "directives", "invariants", "constraints", "warnings",
		"friction", "piège*", "armadilha*", "cuidado*", "trampa*", "advertencia*", "fallstrick*", "stolperstein*",
		"achtung", "vorsicht", "fallgrop*", "varning*", "trappol*", "attenzione", "avvertenz*", "vigilance",
		"注意", "坑", "罠", "주의", "함정", "внимание", "осторожно",
	}},
	{Gotchas, 5, []string{
		"tips", "rappels", "recordatorios", "lembretes", "erinnerung", "notas importantes", "规则", "规约",
		"ルール", "규칙", "règles", "reglas", "regras", "regeln", "regler", "regole", "warning", "constraint",
		"invariant", "rules", "limits", "doctrine", "never", "surprises", "must not", "restrictions", "staleness",
		"refuted", "forbidden", "troubleshooting", "attention", "failures", "triggers", "禁止", "금지", "限制条件",
	}},
	{Risks, 8, []string{
		"risk", "risks", "risker", "limitation*", "concern", "concerns", "weakness*", "open issues", "open bugs",
		"issues to watch", "not tested", "untested", "known gaps", "risque*", "risco*", "riesgo*", "risik*",
		"rischi", "rischio", "einschränkung*", "begränsning*", "limites", "limitaciones", "limitações", "风险",
		"リスク", "課題", "리스크", "위험", "риски",
	}},
	{Risks, 5, []string{
		"issues", "problems", "gaps", "gap", "debt", "vulnerabilit*", "regressions", "unresolved", "bugs",
		"unverified", "问题", "限制", "問題", "문제",
	}},
	{Blockers, 9, []string{
		"blocker", "blockers", "blocked", "blocked on", "blocked by", "blocking", "waiting on", "waiting for",
		"awaiting", "stuck on", "impediment*", "on hold", "bloqueur*", "blocage*", "bloquant*", "bloqueio*",
		"bloqueo*", "bloqueado*", "blockiert", "blockade*", "hinder", "blockerat", "blockerad", "bloccat*",
		"ostacol*", "阻塞", "卡点", "ブロッカー", "ブロック中", "블로커", "차단", "блокер*", "блокир*",
	}},
	{Other, 9, []string{
		"not run", "not merged", "not shipped", "not deployed", "完成后", "完了後", "不要做", "not blocking",
		"not complete", "not completed", "incomplete", "not finished", "non-blocking", "non blocking", "unblocked",
		"next claude", "next js", "no next", "code block", "pull request template",
	}},
	{Questions, 9, []string{
		"question", "questions", "open question", "open questions", "unknowns", "uncertain", "uncertainties",
		"unclear", "to decide", "undecided", "open decision", "open decisions", "unresolved questions",
		"clarifications", "frage", "fragen", "offene fragen", "pregunta*", "pergunta*", "dúvida*", "fråga",
		"frågor", "öppna frågor", "domand*", "dubbi", "待确认", "待决策", "开放问题", "未决问题", "未解決", "未決",
		"質問", "疑問", "질문", "미해결", "вопрос*",
	}},
	{Questions, 4, []string{
		"uncertainty", "investigate", "doubts", "clarify", "tbd", "疑问",
	}},
	{Human, 14, []string{
		"what you need to do", "what you must do", "you need to", "for you", "what i need from you",
		"need from you", "needs from you", "pour l'utilisateur", "para o usuário", "para el usuario",
		"für den nutzer", "per l'utente", "needs decision", "needs a decision", "needs your decision",
		"decision needed", "decisions needed", "needs input", "needs your input", "requires user",
		"requiring user", "requires user input", "user input", "user input required", "for you to do",
		"for the human", "for the owner", "user action", "user actions", "user action required", "owner action",
		"owner actions", "human action", "human actions", "action required", "required from you", "needs you",
		"manual task", "manual tasks", "manual step", "manual steps", "pending manual tasks",
		"pending manual steps", "awaiting user", "awaiting approval", "pending approval", "sign off", "sign-off",
		"your decision", "decision points", "decision point", "decisions for", "user items", "operator actions",
		"operator precondition", "human review", "needs human", "needs review by", "to be approved",
		"approval needed", "waiting on user", "waiting for user", "waiting on you", "actions requises",
		"action requise", "à valider", "à faire par", "ação do usuário", "ações do usuário",
		"acción del usuario", "acciones del usuario", "von dir", "du musst", "användaren måste", "kräver beslut",
		"beslut krävs", "azioni utente", "da approvare", "需要你", "用户操作", "人工操作", "需要用户", "待用户",
		"ユーザー対応", "要確認", "判断待ち", "確認待ち", "残っている判断", "결정 대기", "사용자 직접",
		"사용자 확인", "사용자 결정", "от пользователя", "нужно решение",
	}},
	{Human, 5, []string{
		"for the user", "operator", "owner", "approvals", "approval", "manual", "human", "人工", "ユーザー",
		"사용자",
	}},
	{Decisions, 8, []string{
		"decision", "decisions", "decided", "rulings", "ruling", "decision record", "decision log", "décision*",
		"decisión", "decisiones", "decisão", "decisões", "entscheidung*", "beslut", "decisione", "decisioni",
		"决策", "决定", "決定", "決着", "결정", "решения", "решение",
	}},
	{Decisions, 4, []string{
		"rationale", "resolved decisions", "adr", "adrs", "agreed", "locked", "my take", "answer", "answers",
		"trade-offs", "tradeoffs", "choices", "approach chosen",
	}},
	{State, 9, []string{
		"last commit", "git status", "progress so far", "how work is gated", "quality gates", "branche en cours",
		"what's live", "what is live", "what runs", "runs now", "where this stands", "how things stand",
		"o que está funcionando", "qué funciona", "was funktioniert", "ce qui marche", "ce qui fonctionne",
		"where we are", "where we got to", "where things stand", "where it stands", "current state", "current status",
		"state of play", "in progress", "work in progress", "what works", "what's working", "what is working",
		"working now", "what looks good", "git state", "test results", "test result", "test status",
		"testing status", "status update", "open prs", "open pr", "open pull requests", "测试结果", "当前状态",
		"现状", "現在の状態", "現状", "現在地", "현재 상태", "구현 상태", "état actuel",
		"estado atual", "estado actual", "aktueller stand", "nuläge", "stato attuale", "текущее состояние",
	}},
	{State, 6, []string{
		"state", "states", "status", "position", "snapshot", "metrics", "stats", "statistics", "readiness",
		"verdict", "health", "condition", "situation", "scorecard", "état", "estado", "stand", "zustand",
		"stato", "läge", "状态", "状態", "상태", "進捗", "进度", "진행", "состояние", "статус",
		"executive summary", "tldr", "tl dr", "quick summary",
	}},
	{State, 4, []string{
		"bilan", "verifications", "measurements", "funcionando", "funktioniert", "branch", "branches", "build",
		"停点", "当前", "deployment", "environments", "inventory", "scores", "coverage", "progress", "ready",
		"current", "currently", "results", "result", "assessment", "capabilities", "profile", "checklist",
		"worktrees", "worktree", "focus", "conclusions", "findings summary", "headline", "prs", "now", "facts",
		"tests", "testing", "verification", "validation", "review", "evidence", "current version", "version",
		"versions", "repos",
	}},
	{Goal, 8, []string{
		"goal", "goals", "objective", "mission", "purpose", "original task", "the task", "aim",
		"problem statement", "product model", "objectif", "objectifs", "objetivo", "objetivos", "ziel", "ziele",
		"mål", "obiettivo", "obiettivi", "目标", "目的", "목표", "цель", "цели", "задача",
	}},
	{Goal, 4, []string{
		"overview", "scope", "objetive", "任务", "概要", "摘要", "요약", "résumé", "resumo", "resumen",
		"zusammenfassung", "sammanfattning", "riepilogo",
	}},
	{Context, 7, []string{
		"architectural snapshot", "context summary", "key patterns", "technical details",
		"technical implementation", "project structure", "tech stack", "how it works", "context", "background",
		"read first", "read these first", "read these files first", "contexte", "contexto", "kontext", "contesto",
		"hintergrund", "bakgrund", "背景", "上下文", "컨텍스트", "맥락", "контекст",
	}},
	{Context, 5, []string{
		"architecture", "environment", "environments", "onboarding", "reminders", "concepts", "infrastructure",
		"setup", "topology", "stack", "schema", "design", "tools", "for future agents",
		"for next task", "for the next agent", "references", "related", "documentation", "docs", "resources",
		"links", "prerequisites", "environnement", "umgebung", "miljö", "ambiente", "文档", "環境", "환경",
	}},
	{Context, 3, []string{
		"notes", "note", "details", "about", "project", "workflow", "guide", "instructions", "reference", "nota",
		"notas", "anmerkungen", "hinweise", "anteckningar", "备注", "备忘", "メモ", "참고",
	}},
	{Reflection, 8, []string{
		"discovered", "lessons learnt", "what i learned", "what we know", "confirmed this session", "new facts",
		"key facts", "achados", "hallazgos", "constats", "wissenswert", "resultados", "结论", "发现",
		"わかったこと", "알게 된", "находки", "lesson", "lessons", "learning", "learnings", "learned", "insight",
		"insights", "discover*", "finding", "findings", "reflection*", "retrospective", "takeaway*", "root cause",
		"root causes", "observations", "corrections", "apprentissage*", "leçon*", "aprendi*",
		"lección*", "erkenntnis*", "lärdom*", "lezion*", "经验", "教训", "学び", "発見", "発見事項", "배운",
		"발견", "выводы", "уроки",
	}},
	{Reflection, 4, []string{
		"analysis", "patterns", "feedback", "retraction", "facts established", "what went", "surprising",
		"quality assessment", "technical issues",
	}},
	{Approaches, 8, []string{
		"attempted", "attempted approaches", "approaches", "approaches tried", "what was tried", "what we tried",
		"things tried", "tried",
	}},
	{Failed, 9, []string{
		"descartad*", "verworfen*", "scartat*", "avvist*", "failed approaches", "failed attempts", "what failed",
		"didn't work", "did not work", "doesn't work", "not worked", "dead end", "dead ends", "ruled out",
		"rejected", "abandoned", "n'a pas marché", "nicht funktioniert", "funkade inte", "non ha funzionato",
		"失败的尝试", "尝试失败", "うまくいかなかった",
	}},
	{Worked, 9, []string{
		"what worked", "what worked well", "successful approaches", "approaches that worked",
	}},
	{Files, 8, []string{
		"files to change", "files in flight", "dirty files", "dirty file", "uncommitted files", "files", "file",
		"file list", "files changed", "files modified", "files created", "files touched", "files to read",
		"file locations", "key paths", "key files", "fichiers", "fichier", "arquivos", "archivos", "ficheros",
		"dateien", "filer", "files modificati", "文件清单", "文件", "ファイル", "파일", "файлы",
	}},
	{Files, 5, []string{
		"paths", "artifacts", "artefacts", "refs", "touched", "state changes", "read on resume", "locations",
		"directory structure", "where things live", "where things are", "code map",
	}},
	{Checks, 9, []string{
		"command", "commands", "how to verify", "how to test", "how to run", "quick start", "quickstart",
		"quick resume", "resume command", "next command", "commande", "commandes", "comando", "comandos", "befehl",
		"befehle", "kommando", "kommandon", "comandi", "命令", "コマンド", "명령", "команды",
	}},
	{Checks, 5, []string{
		"done when", "usage", "usage examples", "how to", "debugging", "debug", "run", "running", "verify",
		"validate", "runbook", "smoke", "re-verification", "reverification", "test execution", "merge", "验证",
		"テスト", "検証", "검증", "使用",
	}},
	{Checks, 3, []string{
		"verification", "validation", "tests", "testing", "test", "acceptance", "criteria", "checks", "evidence",
		"git", "deploy", "deployment",
	}},
	{Hypothesis, 8, []string{
		"hypothesis", "hypotheses", "working theory",
	}},
}

// A clue is what one term is worth for one kind.
type clue struct {
	kind   int
	points int
}

// A terminology is the lexicon as it is looked up.
type terminology struct {
	whole    map[string][]clue // words and phrases of single blanks
	stems    map[string][]clue // beginnings of words
	unspaced map[string][]clue // parts of words in scripts without spaces
	longest  int               // runes of the longest in unspaced
}

// maxPhrase is how many words the longest phrase of the lexicon has.
const maxPhrase = 5

var terms = sync.OnceValue(func() *terminology {
	t := &terminology{whole: map[string][]clue{}, stems: map[string][]clue{}, unspaced: map[string][]clue{}}
	for _, row := range lexicon {
		c := clue{kindIndex(row.kind), row.points}
		for _, term := range row.terms {
			term = scan.FoldAccents(term)
			switch stem, isStem := strings.CutSuffix(term, "*"); {
			case scan.IsUnspaced(term):
				note(t.unspaced, term, c)
				t.longest = max(t.longest, len([]rune(term)))
			case isStem:
				note(t.stems, stem, c)
			default:
				note(t.whole, term, c)
			}
		}
	}
	return t
})

// note adds what a term is worth, once for each kind: without their accents the
// words of several languages are one.
func note(in map[string][]clue, term string, c clue) {
	for i, old := range in[term] {
		if old.kind == c.kind {
			in[term][i].points = max(old.points, c.points)
			return
		}
	}
	in[term] = append(in[term], c)
}
