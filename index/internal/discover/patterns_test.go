package discover_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/internal/discover"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		rel  string
		ok   bool
		rule string
	}{
		// The four formats, and those that live beside them.
		{".bon/handoffs/2026-04-06-714e33f8.md", true, "pattern **/.bon/handoffs/**/*.md"},
		{".claude/handoffs/-home-ann-app/b4db9cba.md", true, "pattern **/.claude/handoffs/**/*.md"},
		{".claude/handoffs/email/18c2f.md", true, "pattern **/.claude/handoffs/**/*.md"},
		{".flow-guardian/handoff.yaml", true, "pattern **/.flow-guardian/handoff.yaml"},
		{".flow-guardian/handoff.yaml.tmp", false, "no rule matches its name"},
		{"meta/handoff.yaml", true, "pattern **/meta/handoff{,-log}.{yaml,yml}"},
		{"discussion/012-codex-response.md", true, "pattern **/discussion/[0-9][0-9][0-9]-*-response.md"},
		{"discussion/notes.md", false, "no rule matches its name"},
		{".act/handoffs/2026-01-12-0330.xml", true, "pattern **/.act/handoffs/*.{xml,md}"},
		{".act/handoffs/latest.xml", true, "pattern **/.act/handoffs/*.{xml,md}"},
		{"deep/er/.act/handoffs/latest.md", true, "pattern **/.act/handoffs/*.{xml,md}"},
		{"thoughts/shared/handoffs/ENG-12/2026-01-02_03-04-05_x.md", true, "pattern **/thoughts/shared/handoffs/**/*.{md,yaml,yml}"},
		{"thoughts/ledgers/CONTINUITY_x.md", true, "pattern **/thoughts/ledgers/continuity_*.md"},
		{".planning/HANDOFF.json", true, "pattern **/.planning/handoff.json"},
		{".planning/phases/01-x/.continue-here.md", true, "pattern **/.planning/**/.continue-here.md"},
		{"docs/handoffs/2026-01-06-phase-6.yaml", true, "pattern **/docs/handoffs/**/*.{md,yaml,yml}"},
		{".claude/session-data/2026-01-02-ab12-session.tmp", true, "pattern **/session-data/*-session.{tmp,md}"},
		{".claude/other/2026-01-02-ab12-session.tmp", false, "no rule matches its name"},
		{"claude-progress.txt", true, "pattern **/claude-progress.{txt,md}"},

		// Names, however they are written.
		{"HANDOFF.md", true, "named handoff"},
		{"handoff.md", true, "named handoff"},
		{"Handoff.MD", true, "named handoff"},
		{"HANDOFF.core.yaml", true, "named handoff"},
		{"SessionHandoff.markdown", true, "named handoff"},
		{"docs/2026-01-02 Session Handoff.md", true, "named handoff"},
		{"HANDOVER.md", true, "named handover"},
		{"hand-off-notes.md", true, "named hand-off"},
		{"hand_over.txt", true, "named hand-over"},
		{"SESSION_HANDOFF.md", true, "named handoff"},
		{"NEXT_SESSION.md", true, "named next-session"},
		{"nextSession.md", true, "named next-session"},
		{"whats-next.md", true, "named whats-next"},
		{"What's Next.md", true, "named whats-next"},
		{"whats-next-2026-04-21.md", true, "named whats-next"},
		{"x/.continue-here.md", true, "named continue-here"},
		{"SESSION_LOG_2026-05-28.md", true, "named session-log"},
		{"session-summary2.md", true, "named session-summary"},
		{"RESUME_POINT.md", true, "named resume-point"},
		{"会话交接.md", true, "named 交接"},
		{"docs/引き継ぎ.md", true, "named 引き継ぎ"},
		{"인수인계-0801.md", true, "named 인수인계"},
		{"Übergabe.md", true, "named übergabe"},

		// Folders.
		{"handoffs/0105.md", true, "in a folder of handoffs"},
		{"agent-team/handoffs/archive/P1-Result.md", true, "in a folder of handoffs"},
		{"session-handoffs/x.txt", true, "in a folder of handoffs"},
		{"Handovers/x.yml", true, "in a folder of handoffs"},
		{"handoffs-closed/x.md", true, "in a folder of handoffs"},
		{".aria/handoff/2026-04-23-triage.md", true, "in a folder of handoffs"},
		{"handoff/triage.md", true, "in a folder of handoffs"},
		{"handoff/tokens.json", false, "no rule matches its name"},
		{"project-handoff/notes.md", false, "no rule matches its name"},
		{"🎉.md", false, "no rule matches its name"},
		{".agent/sessions/2026-05-08-audit.md", true, "in a folder of session notes"},
		{"docs/sessions/current.md", true, "in a folder of session notes"},
		{"docs/sessions/data.json", false, "no rule matches its name"},

		// Texts about handoffs, lists of them, forms.
		{"docs/handoff-protocol.md", false, "about handoffs: named handoff protocol"},
		{"docs/HANDOFF-CONTRACT.md", false, "about handoffs: named handoff contract"},
		{"docs/handoff-contract-v2.md", false, "about handoffs: named handoff contract"},
		{"docs/context-handoff-spec.md", false, "about handoffs: named handoff spec"},
		{"docs/how-to-write-a-handoff.md", false, "about handoffs: named how handoff"},
		{"docs/handoff-architecture.md", false, "about handoffs: named handoff architecture"},
		{"docs/agent-handoff-workflow-guide.md", false, "about handoffs: named handoff guide"},
		{"handoff-template.md", false, "about handoffs: named handoff template"},
		{"docs/handoffs/handoff-template.md", false, "about handoffs: named handoff template"},
		{"docs/handoffs/2026-02-03-email-template.md", true, "pattern **/docs/handoffs/**/*.{md,yaml,yml}"},
		{"handoffs/2026-07-25-spec-review.md", true, "in a folder of handoffs"},
		{"handoff.test.md", false, "named .test"},
		{"handoff.template.md", false, "named .template"},
		{"handoff.schema.json", false, "named .schema"},
		{"handoffs/2026-08-19-143022.prompt.md", true, "in a folder of handoffs"},
		{"handoffs/README.md", false, "named readme.md"},
		{"handoffs/00-INDEX.md", false, "named 00-index.md"},
		{"handoffs/LEDGER.md", false, "named ledger.md"},
		{"handoffs/TEMPLATE-long.md", false, "named template"},
		{"handoffs/_template.md", false, "named template"},
		{"handoffs/CLAUDE.md", false, "named claude.md"},
		{"handoffs/package.json", false, "named package.json"},
		{"handoffs/.#x.md", false, "a temporary file of an editor or a file system"},
		{"handoffs/._x.md", false, "a temporary file of an editor or a file system"},

		// What is no such file at all.
		{"handoff.go", false, "not a file type of handoffs"},
		{"handoffs/handoff.py", false, "not a file type of handoffs"},
		{"handoff", false, "not a file type of handoffs"},
		{"handoff.md~", false, "not a file type of handoffs"},
		{"notes/meeting.md", false, "no rule matches its name"},
		{"hands-off.md", false, "no rule matches its name"},
		{"offhand-over.md", false, "no rule matches its name"},
		{"left-offset.md", false, "no rule matches its name"},
		{"sessions.md", false, "no rule matches its name"},
		{"memory-bank/activeContext.md", false, "no rule matches its name"},

		// Folders that are not searched.
		{".git/handoff.md", false, "folder .git"},
		{"node_modules/x/HANDOFF.md", false, "folder node_modules: dependencies and build output"},
		{"mod/ex.org/m@v1.2.3/HANDOFF.md", false, "folder m@v1.2.3: dependencies and build output"},
		{".claude/commands/handoff.md", false, "folder commands: prompts, templates and test data"},
		{".claude/skills/handoff/x.md", false, "folder skills: prompts, templates and test data"},
		{".claude/agents/handoff.md", false, "folder agents of an agent: prompts and state"},
		{"agents/handoff.md", true, "named handoff"},
		{".github/workflows/handoff.yml", false, "folder workflows of an agent: prompts and state"},
	} {
		ok, rule := discover.Match(tc.rel, discover.Root{Path: "/home/ann/app"})
		if ok != tc.ok || rule != tc.rule {
			t.Errorf("Match(%q) = %v, %q; want %v, %q", tc.rel, ok, rule, tc.ok, tc.rule)
		}
	}
}

func TestMatchRoots(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		root discover.Root
		rel  string
		ok   bool
		rule string
	}{
		{discover.Root{Path: "/home/ann/.claude/handoffs"}, "-home-ann-app/b4db9cba.md", true, "pattern **/.claude/handoffs/**/*.md"},
		{discover.Root{Path: "/home/ann/.claude/handoffs/-home-ann-app"}, "b4db9cba.md", true, "pattern **/.claude/handoffs/**/*.md"},
		{discover.Root{Path: "/cfg/handoffs"}, "-home-ann-app/b4db9cba.md", true, "in a folder of handoffs"},
		{discover.Root{Path: "/home/ann/.claude-handoffs"}, "x.md", true, "in a folder of handoffs"},
		{discover.Root{Path: "/home/ann/.bon/handoffs"}, "x.md", true, "pattern **/.bon/handoffs/**/*.md"},
		{discover.Root{Path: "/home/ann/src/handoff/ui"}, "design.md", false, "no rule matches its name"},
		{discover.Root{Path: "/home/ann/src"}, "HANDOFF.md", true, "named handoff"},
		{discover.Root{Path: "/r", Include: []string{"**"}}, "node_modules/x/y.go", true, "the root includes **"},
		{discover.Root{Path: "/r", Include: []string{"**"}}, ".git/config", false, "folder .git"},
		{discover.Root{Path: "/r", Include: []string{"a/*.md"}}, "a/SKILL.md", true, "the root includes a/*.md"},
		{discover.Root{Path: "/r", Include: []string{"a/*.md"}}, "HANDOFF.md", false, "no include of the root matches it"},
		{discover.Root{Path: "/r", Include: []string{"**"}, Exclude: []string{"b/**"}}, "b/x.md", false, "the root excludes b/**"},
		{discover.Root{Path: "/r", Exclude: []string{"old"}}, "old/HANDOFF.md", false, "the root excludes old"},
		{discover.Root{Path: "/r", Exclude: []string{"*.md"}}, "HANDOFF.md", false, "the root excludes *.md"},
		{discover.Root{Path: "/r", Exclude: []string{"["}}, "HANDOFF.md", false, `/r: exclude "[" is not a glob`},
	} {
		ok, rule := discover.Match(tc.rel, tc.root)
		if ok != tc.ok || rule != tc.rule {
			t.Errorf("Match(%q, %v) = %v, %q; want %v, %q", tc.rel, tc.root, ok, rule, tc.ok, tc.rule)
		}
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	root := makeTree(t, "HANDOFF.md", "link-handoff.md -> HANDOFF.md", "dir-handoff.md/x.md", "skill/SKILL.md", "skill/HANDOFF.md", "docs/sessions/now.md")
	writeFile(t, promptText, root, "agents", "handoff.md")
	writeFile(t, "# Sessions\n\nWhat a session is.\n", root, "docs", "sessions", "about.md")
	for _, tc := range []struct {
		path string
		ok   bool
		rule string
	}{
		{"HANDOFF.md", true, "named handoff"},
		{"link-handoff.md", false, "named handoff, but it is a symbolic link: only its target is indexed"},
		{"dir-handoff.md", false, "named handoff, but it is a folder"},
		{"gone-handoff.md", false, "lstat " + filepath.Join(root, "gone-handoff.md") + ": no such file or directory"},
		{"skill/HANDOFF.md", false, "folder with a SKILL.md"},
		{"agents/handoff.md", false, "named handoff, but its text does not look like a handoff"},
		{"docs/sessions/now.md", true, "in a folder of session notes"},
		{"docs/sessions/about.md", false, "in a folder of session notes, but its text does not look like a handoff"},
		{"../x.md", false, "not below " + root},
	} {
		ok, rule := discover.Why(filepath.Join(root, tc.path), discover.Root{Path: root})
		if ok != tc.ok || rule != tc.rule {
			t.Errorf("Why(%q) = %v, %q; want %v, %q", tc.path, ok, rule, tc.ok, tc.rule)
		}
	}
}

// A walk finds exactly the files that Why says it does.
func TestWhyAgreesWithWalk(t *testing.T) {
	t.Parallel()
	names := []string{
		"handoff", "handoffs", "HANDOFF.md", "docs", "sessions", "src", ".claude", "skills", "SKILL.md", ".git", "node_modules", "2026-01-02.md",
		"README.md", "x.md", "x.json", "templates", "meta", "handoff.yaml", "CACHEDIR.TAG", "session-log.md", "agents", "next-session.txt",
	}
	rapid.Check(t, func(r *rapid.T) {
		root := t.TempDir()
		var paths []string
		for range rapid.IntRange(1, 12).Draw(r, "files") {
			parts := rapid.SliceOfN(rapid.SampledFrom(names), 1, 4).Draw(r, "path")
			full := filepath.Join(root, filepath.Join(parts...))
			if os.MkdirAll(filepath.Dir(full), 0o755) != nil || os.WriteFile(full, []byte(noteText), 0o644) != nil {
				continue // a file stands where a folder would
			}
			paths = append(paths, full)
		}
		found := map[string]bool{}
		files, _, err := discover.Find(t.Context(), discover.Root{Path: root}, discover.Options{})
		for _, f := range files {
			found[f.Path] = true
		}
		noErr(t, err)
		for _, path := range paths {
			if ok, rule := discover.Why(path, discover.Root{Path: root}); ok != found[path] {
				r.Fatalf("Why(%s) = %v (%s), a walk finds it: %v", path, ok, rule, found[path])
			}
		}
	})
}

// The rules see the first bytes only: what they must tell apart.
func TestSniff(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		ok         bool
	}{
		{"handoff", noteText, true},
		{"many signs without a date", "# Session\n\nStatus: in progress\nBranch: x\n\n## Completed\n## Remaining\n## Blockers\n## Decisions\n", true},
		{"chinese", "# 交接\n2026-08-01\n## 当前状态\n## 已完成\n## 下一步\n", true},
		{"crlf", strings.ReplaceAll(noteText, "\n", "\r\n"), true},
		{"empty", "", false},
		{"manual", "# Sessions\n\n## How it works\n\nA session has a status and a summary; pending ones resume. Completed, blocked, fixed.\n", false},
		{"prose", "# Sessions\n\nHow cookies keep a visitor known.\n", false},
		{"command", promptText, false},
		{"description but a date", "---\ndescription: x\ndate: 2026-08-01\n---\n# Handoff\n## Next steps\nSession of branch main\n", true},
		{"arguments", noteText + "\nFocus on $ARGUMENTS\n", false},
		{"form", "# Session Handoff\n\n**Date:** YYYY-MM-DD\n**Branch:** [branch]\n\n## Next steps\n## Completed\n## Blockers\n", false},
		{"date late in the file", "# Session\n\n" + strings.Repeat("Text. ", 200) + "\n\nCommit of 2026-08-01, status: merged; next steps pending.\n", true},
		{"impossible date", "# Session of 2026-13-45\n\nNext steps\nstatus\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := t.TempDir()
			path := writeFile(t, tc.text, root, "sessions", "now.md")
			if ok, rule := discover.Why(path, discover.Root{Path: root}); ok != tc.ok {
				t.Errorf("Why says %v (%s), want %v", ok, rule, tc.ok)
			}
		})
	}
}

func FuzzMatch(f *testing.F) {
	for _, rel := range []string{"HANDOFF.md", "docs/handoffs/x.md", "a/../b.md", "", "/", ".", "x/.md", "-/_.yaml", "hand\xffoff.md", "HANDOFF-.md", "20260801.md"} {
		f.Add(rel)
	}
	f.Fuzz(func(t *testing.T, rel string) {
		ok, rule := discover.Match(rel, discover.Root{Path: "/r"})
		if rule == "" {
			t.Errorf("Match(%q) = %v without a rule", rel, ok)
		}
		again, same := discover.Match(rel, discover.Root{Path: "/r"})
		if diff := cmp.Diff([]any{ok, rule}, []any{again, same}); diff != "" {
			t.Errorf("Match(%q) differs from call to call:\n%s", rel, diff)
		}
	})
}
