package parse_test

import (
	"testing"

	"github.com/OWNER/handex/parse"
)

// Headings of real handoffs in the languages they are written in, by what a
// reader takes them to be about.
var headings = map[parse.Kind][]string{
	parse.Next: {
		"Next", "NEXT", "Next:", "Next steps", "Next Steps", "## Next Steps ##", "**Next steps**", "🚀 Next Steps", "1. Next steps", "3) Next steps", "Step 4: Next steps",
		"Next Steps (Priority Order)", "Next steps — tomorrow", "Next step", "What's next", "What’s Next?", "What comes next", "Next session", "Next session priorities", "Next actions",
		"Immediate next steps", "Recommended next step", "Remaining work", "Remaining", "Remaining tasks", "What's left", "What remains", "Not yet done", "Pending work", "Pending",
		"Open items", "Follow-ups", "Action items & next steps", "Action Items", "TODO", "To do", "To-do list", "Backlog", "How to resume", "Start here", "First action",
		"What to do next", "Deferred work", "work_remaining", "remaining_work", "next_action", "nextTask", "Next up: the gateway", "Recommendations", "Suggestions for next iteration", "Getting started (next steps)",
		"Prompt for next session", "Prompt for Session 4", "Prompt pour la session 3", "Prompt de reprise", "Nice to have", "Remaining videos (16–31)",
		"下一步", "下一步计划", "待办", "建议", "次のステップ", "次にやること", "다음 단계", "다음 세션이 할 일 (순서대로)", "Prochaine étape", "Prochaines étapes", "Prochaine Etape : Phase 4", "À faire", "A faire",
		"Próximos passos", "Nächste Schritte", "Was noch fehlt", "Pendências", "Nästa steg", "Att göra", "Prossimi passi", "Da fare",
	},
	parse.Done: {
		"Done", "✅ Done", "Done — card A (shop-1, CLOSED): figures", "Done this session", "Completed", "Completed ✅", "What was done", "What I did", "What's done", "What changed", "What shipped",
		"Work completed", "Work done", "Changes made", "Recent changes", "Accomplishments", "Key accomplishments", "Fixes applied", "Completed tasks", "work_completed", "completed_work",
		"Implementation summary", "Session accomplishments", "Summary of changes", "Ce qui a été fait", "O que foi feito", "已完成", "本次完成", "完了した作業", "완료", "Phase 1 complete",
		"The multiplier of the pool — CLOSED in v0.5.82", "Summary", "Session summary", "What Slice 1 delivered", "Task 9 committed and verified", "Where We Left Off (evening)", "Commits made", "Commits",
		"Session log", "What Just Happened", "Implémentation Complète", "Was fertig ist", "Vad som gjordes", "Lavoro svolto", "Cosa abbiamo fatto", "~~Next steps~~", "Next steps (DONE)",
	},
	parse.Gotchas: {
		"Gotchas", "GOTCHAS", "Known gotchas", "Potential gotchas", "Gotchas & traps", "What not to do", "⚠️ What not to do", "Do not", "Pitfalls", "Traps that still hold", "Guardrails", "Invariants",
		"Constraints", "Known warnings", "Important warnings", "Caveats", "Watch out", "Critical anti-patterns", "Warnings / risk notes", "Pièges", "Pieges connus", "Points d'attention", "注意事项", "注意点", "보안 주의",
		"Known issues", "Known Issues & Limitations", "Known limitations", "Known limitations & future work", "Technical debt", "已知问题", "既知の問題", "Known failure patterns", "Hard limits—carry these along", "If Something Breaks",
		"Fallgropar", "Attenzione",
	},
	parse.Risks: {
		"Risks", "Risk assessment", "Current limitations", "Open issues", "Potential Issues to Watch", "Concerns", "Risques", "Riscos", "风险", "Risker", "Rischi",
	},
	parse.Blockers: {
		"Blockers", "Blocked", "Blocked on hardware", "Blockers/Open Questions", "Current blockers", "Blocking issues", "Waiting on", "Points bloquants", "Bloqueios", "阻塞项", "ブロッカー", "Still Blocked", "blocked_on", "Hinder",
	},
	parse.Questions: {
		"Open questions", "Questions", "Open questions for the user", "Open decisions", "Uncertain", "Still to decide", "Questions for Next Session", "openQuestions", "Questions ouvertes", "待确认", "質問", "Öppna frågor", "Domande aperte",
	},
	parse.Human: {
		"User action", "Owner actions", "Human actions pending", "Needs your decision", "Decisions needed", "⚠️ Lost work — needs decision", "Pending Manual Tasks", "Priority 2: Tasks Requiring User Decisions", "What you need to do",
		"Architecture decisions (requires user input)", "Actions Requises", "À valider", "결정 대기 중", "需要你确认",
	},
	parse.Decisions: {
		"Decisions", "Key decisions", "Key decisions made", "Decisions made this session", "Design decisions", "Decision", "Décisions clés", "关键决策", "決定事項", "User Decisions Already Made", "resolved_rulings", "Entscheidungen", "Beslut",
	},
	parse.Approaches: {"Attempted approaches", "attempted_approaches", "What was tried", "Approaches tried"},
	parse.Failed:     {"Failed approaches", "What didn't work", "What did not work", "Dead ends", "dead_ends", "NOT Worked (with reasons)"},
	parse.Worked:     {"What worked", "Worked"},
	parse.Context:    {"Context", "Critical context", "Important context", "Important Context for Next Session", "Background", "背景", "Read first", "critical_context", "Architecture", "Contexte"},
	parse.Reflection: {"Reflection", "Lessons learned", "Key learnings", "Findings", "Root cause", "Important discoveries", "Compost", "经验教训", "学び", "Lärdomar"},
	parse.State: {
		"Current state", "Current status", "Status", "Where we are", "Git state", "Git status", "Working tree", "State", "Now", "In progress", "Progress", "État actuel", "Etat actuel", "当前状态", "現在の状態", "현재 상태",
		"Verification", "Tests", "Test results", "Validation", "Results", "Executive summary", "1. Executive Summary", "TL;DR", "Current branch status", "Session metrics", "What's Working Now", "One-line state", "Nuläge", "Status: COMPLETE",
	},
	parse.Goal:       {"Goal", "Purpose", "Objective", "Original task", "original_task", "Task", "Mission", "Overview", "Objectif", "目标", "概要"},
	parse.Hypothesis: {"Hypothesis", "Working theory"},
	parse.Outcome:    {"Outcome"},
	parse.Checks:     {"Test plan", "Commands", "Commands for Next Session", "How to verify", "Quick start", "Resume command", "Commandes Utiles", "Commande de Reprise"},
	parse.Files: {
		"Files", "Files changed", "Files Created/Modified", "Modified files", "Key files", "Files touched", "Files to modify", "Artifacts", "References", "Fichiers modifiés", "files_touched", "filesInFlight", "修改的文件", "変更ファイル",
		"Fichiers Clés", "Key paths",
	},
	parse.Other: {
		"For the next Claude", "Next Claude", "Block closed", "Block 12 closed", "Task 1", "Task 2: the gateway", "Option A", "Option B — queues", "Priority 1", "Tier 2", "Issue 1", "Issue #12",
		"Next.js upgrade", "The gateway", "Metadata", "Session 12", "2026-05-06", "Appendix", "Why this exists", "Undone", "Nextcloud", "Nextcloud sync", "Donetsk", "Filesystem", "Contextual menus", "Blockchain", "Notes",
		"We decided that the risks of doing nothing are far too high", "A", "#", "…", "✅", "docs/decisions/0019-next-steps.md", "Non-blocking lints", "Finished but NOT RUN",
	},
}

func TestHeadingsSayWhatTheirSectionsAreAbout(t *testing.T) {
	t.Parallel()
	n := 0
	for want, list := range headings {
		for _, head := range list {
			n++
			// A first section, so that no heading is the title.
			d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n## Apart\n\n## " + head + "\n\ntext\n")})[0]
			if got := d.Sections[len(d.Sections)-1].Kind; got != want {
				t.Errorf("%q: got %s, want %s", head, got, want)
			}
		}
	}
	if least := 150; n < least {
		t.Errorf("%d headings, want %d", n, least)
	}
}

func TestSectionsBelowASection(t *testing.T) {
	t.Parallel()
	tests := []struct {
		above, below string
		want         parse.Kind
	}{
		{"Next", "The gateway", parse.Next},
		{"Next", "Files", parse.Next},
		{"Next", "Tests", parse.Next},
		{"Next", "Decision: queues", parse.Next},
		{"Next", "Gotchas", parse.Gotchas},
		{"Next", "Blockers", parse.Blockers},
		{"Done", "Next steps", parse.Next},
		{"Done", "Verification", parse.Done},
		{"Summary", "Next steps", parse.Next},
		{"Summary", "Files changed", parse.Files},
		{"Summary", "The gateway", parse.Done},
		{"Session summary", "Key technical details", parse.Context},
		{"Done", "Files changed", parse.Files},
		{"Next", "Key decisions", parse.Decisions},
		{"Next", "The gateway ✅ LANDED", parse.Done},
		{"What Slice 1 delivered", "Test results", parse.State},
		{"For the next Claude", "Done", parse.Done},
		{"For the next Claude", "The gateway", parse.Other},
		{"Blockers", "The vendor", parse.Blockers},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n## " + test.above + "\n\n### " + test.below + "\n\ntext\n")})[0]
		if got := d.Sections[len(d.Sections)-1].Kind; got != test.want {
			t.Errorf("%q below %q: got %s, want %s", test.below, test.above, got, test.want)
		}
	}
}

func TestWhatMeansNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		body string
		want bool // something blocks
	}{
		{"", false},
		{"None", false},
		{"none.", false},
		{"- None", false},
		{"* none", false},
		{"_None_", false},
		{"**None**", false},
		{"(none)", false},
		{"[none]", false},
		{"N/A", false},
		{"n/a", false},
		{"NA", false},
		{"nil", false},
		{"-", false},
		{"—", false},
		{"✅ None", false},
		{"None ✅", false},
		{"None — all clear", false},
		{"None — all clear.", false},
		{"None at this time.", false},
		{"None currently", false},
		{"None known", false},
		{"None for this slice.", false},
		{"None new. (Section is empty.)", false},
		{"None: the vendor answered", false},
		{"No blockers.", false},
		{"- No blockers", false},
		{"No known blockers", false},
		{"No open questions remaining", false},
		{"No blocking issues.", false},
		{"Nothing.", false},
		{"Nothing blocking.", false},
		{"Nothing is blocked.", false},
		{"Aucun", false},
		{"Aucun.", false},
		{"Aucun bloqueur", false},
		{"Rien", false},
		{"Nenhum", false},
		{"Keine", false},
		{"无", false},
		{"なし", false},
		{"없음", false},
		{"None\n\n", false},
		{"...", false},
		{"{{BLOCKERS}}", false},
		{"None of the tests pass", true},
		{"None of us has the key", true},
		{"No one reviewed the gateway", true},
		{"no one answered", true},
		{"Nothing works", true},
		{"Nothing compiles since Monday", true},
		{"No disk space left", true},
		{"No access to staging", true},
		{"No answer from the vendor", true},
		{"Nonexistent key", true},
		{"Waiting for the vendor", true},
		{"- [ ] Ask the vendor", true},
		{"None yet reviewed:\n- the gateway", true},
		{"None\n- the vendor does not answer", true},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n## Done\n\n## Blockers\n\n" + test.body + "\n")})[0]
		if d.Blocked != test.want {
			t.Errorf("%q: got %v, want %v", test.body, d.Blocked, test.want)
		}
	}
}
