package parse_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/parse"
)

func TestStatuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"in_progress", "in-progress"},
		{"in-progress", "in-progress"},
		{"IN PROGRESS", "in-progress"},
		{"🟡 In progress", "in-progress"},
		{"🚧 halfway", "in-progress"},
		{"wip", "in-progress"},
		{"active", "in-progress"},
		{"ACTIVE TROUBLESHOOTING - Root cause identified", "in-progress"},
		{"partial", "in-progress"},
		{"PARTIAL_PLUS", "in-progress"},
		{"paused", "in-progress"},
		{"delivering", "in-progress"},
		{"not complete", "in-progress"},
		{"incomplete", "in-progress"},
		{"En cours", "in-progress"},
		{"进行中", "in-progress"},
		{"complete", "completed"},
		{"COMPLETE", "completed"},
		{"✅ COMPLETE - Production Ready", "completed"},
		{"✅", "completed"},
		{"**Done**", "completed"},
		{"`completed`", "completed"},
		{"chunk complete — session end.", "completed"},
		{"milestone_complete", "completed"},
		{"phase_complete_verified", "completed"},
		{"SUCCEEDED", "completed"},
		{"closed", "completed"},
		{"acknowledged", "completed"},
		{"terminé", "completed"},
		{"已完成", "completed"},
		{"完了", "completed"},
		{"blocked", "blocked"},
		{"BLOCKED on hardware", "blocked"},
		{"blocked-preflight", "blocked"},
		{"🔴 stuck", "blocked"},
		{"waiting on the owner", "blocked"},
		{"awaiting_human_uat", "blocked"},
		{"阻塞", "blocked"},
		{"failed", "failed"},
		{"FAILED", "failed"},
		{"failing", "failed"},
		{"❌ broken build", "failed"},
		{"pending", "pending"},
		{"ready-to-start", "pending"},
		{"ready_for_review", "pending"},
		{"READY_FOR_BUILD", "pending"},
		{"Ready for Implementation", "pending"},
		{"planned", "pending"},
		{"not_started", "pending"},
		{"not started", "pending"},
		{"draft", "pending"},
		{"future", "pending"},
		{"sent", "sent"},
		{"received", "sent"},
		{"healthy", ""},
		{"superseded", ""},
		{"Single authoritative operator entry point", ""},
		{"DRYCOMPLETE", ""},
		{"opening soon", ""},
		{"donetsk", ""},
		{"passenger", ""},
		{"v1-3 just shipped", "completed"},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n**Status:** " + test.text + "\n")})[0]
		if got := value(d, "status"); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
		if raw := value(d, "meta.status"); raw == "" && strings.Trim(test.text, "`") != test.want {
			t.Errorf("%q: the words are lost", test.text)
		}
	}
}

// value is the first value of a field, "" for none.
func value(d *parse.Document, key string) string {
	for _, f := range d.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

func TestLabelsMeanFields(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, key, want string }{
		{"**Session ID:** abc", "session", "abc"},
		{"**session_id:** abc", "session", "abc"},
		{"**From session:** abc", "session", "abc"},
		{"**Git branch**: `main`", "branch", "main"},
		{"**Branche** : main", "branch", "main"},
		{"**分支：** main", "branch", "main"},
		{"**Branch:** [main](https://example.com/main)", "branch", "main"},
		{"**Author:** ada", "from", "ada"},
		{"**To agent:** claude", "to", "claude"},
		{"**Repository:** shop", "project", "shop"},
		{"**Objective:** ship it: now", "goal", "ship it: now"},
		{"**Last commit:** `abc1234`", "commit", "abc1234"},
		{"**Progress:** 60 %", "progress", "60"},
		{"**Progress:** 60%", "progress", "60"},
		{"**Priority:** P1", "priority", "high"},
		{"**Priority:** Critical", "priority", "critical"},
		{"**Phase:** 4/6", "phase", "4/6"},
		{"**Version:** 1.2.3", "version", "1.2.3"},
		{"**Last updated:** 2026-01-02", "updated", "2026-01-02"},
		{"**Weather:** rain", "meta.weather", "rain"},
		{"**Côté-client:** oui", "meta.côté_client", "oui"},
		{"_Last updated: 2026-01-02_", "updated", "2026-01-02"},
		{"__Branch:__ main", "branch", "main"},
		{"> **Branch:** main", "branch", "main"},
		{"- **Branch:** main", "branch", "main"},
		{"* Branch: main", "branch", "main"},
		{"> - **Branch:** main", "branch", "main"},
		{"| **Branch** | main |", "branch", "main"},
		{"| Branch | `main` |", "branch", "main"},
		{"**Date:** 2026-01-02 · **Branch:** main", "branch", "main"},
		{"**Date:** 2026-01-02 | **Branch:** main | **Tests:** 3", "branch", "main"},
		{"**Date:** 2026-01-02  **Branch:** main", "date", "2026-01-02"},
		{"**Date:** 2026-01-02 — **Branch:** main\\", "branch", "main"},
		{"```\n**Branch:** main\n```", "branch", ""},
		{"**Branch:**", "branch", ""},
		{"c7fd3d3 fix: the branch: main", "branch", ""},
		{"We said that branch: main is ours.", "branch", ""},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n" + test.text + "\n\n## Next\n")})[0]
		if got := value(d, test.key); got != test.want {
			t.Errorf("%q: got %s %q, want %q", test.text, test.key, got, test.want)
		}
	}
}

// Of several labels of one field the best is the field, the others are kept.
func TestTheBestLabelIsTheField(t *testing.T) {
	t.Parallel()
	d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte("# T\n\n**Started:** 2026-01-01\n**Date:** 2026-01-02\n**Created:** 2026-01-03\n")})[0]
	for key, want := range map[string]string{"date": "2026-01-02", "meta.started": "2026-01-01", "meta.created": "2026-01-03"} {
		if got := value(d, key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, title, mood string }{
		{"# Handoff — 2026-02-14", "", ""},
		{"# Handoff — 2026-2-4", "", ""},
		{"# Handoff 2026/02/14: the footer", "the footer", ""},
		{"# Handoff 2026-02-14 the footer", "the footer", ""},
		{"# Handoff — 2026-02-14 (auto)", "", "auto"},
		{"# Handoff — 2026-02-14 (cross-repo seed)", "", "cross-repo seed"},
		{"# Auto-generated handoff — 2026-02-14", "", ""},
		{"# Handoff", "", ""},
		{"# HANDOFF #0082", "", ""},
		{"# Context Handoff", "", ""},
		{"# Session Handoff", "", ""},
		{"# Session Handoff: the gateway", "the gateway", ""},
		{"# Handoff: the gateway", "the gateway", ""},
		{"# HANDOFF.md - the gateway", "the gateway", ""},
		{"# handoff.yaml", "", ""},
		{"# Handoff — the gateway (part 2)", "the gateway (part 2)", ""},
		{"# Handoff 12: the footer", "the footer", ""},
		{"# Hand-off notes: the footer", "the footer", ""},
		{"# Handover – 2026-02-14 – the footer", "the footer", ""},
		{"# Handoff — 2026-02-14 18:30 UTC — the footer", "the footer", ""},
		{"# **Handoff**: `the` footer", "the footer", ""},
		{"# The gateway handoff", "The gateway handoff", ""},
		{"# Handoffs and where they live", "Handoffs and where they live", ""},
		{"The gateway\n===========", "The gateway", ""},
		{"## The gateway\n\n### Next", "The gateway", ""},
		{"## Next\n\n## Done", "", ""},
		{"text", "", ""},
		{"---\ntitle: Named\n---\n# Other", "Named", ""},
	}
	for _, test := range tests {
		d := parse.Parse(parse.Source{Path: "a.md", Bytes: []byte(test.text + "\n")})[0]
		if d.Title != test.title || value(d, "meta.mood") != test.mood {
			t.Errorf("%q: got %q, mood %q, want %q, mood %q", test.text, d.Title, value(d, "meta.mood"), test.title, test.mood)
		}
	}
}
