package discover_test

import (
	"path/filepath"
	"testing"

	"github.com/OWNER/handex/index/internal/discover"
)

// Texts that have to do with handoffs, sessions or what is resumed, and are none.
var notHandoffs = map[string]string{
	// Specifications of a feature that is called so.
	"docs/08.11.handoff-wizard.md":       "# 08.11 Handoff wizard\n\n## User story\n\nAs a nurse I hand a patient over.\n\n## Acceptance criteria\n\n- The wizard has three steps\n",
	"docs/handoff-button.md":             "# Handoff button\n\nThe button opens the dialog that moves a chat to a person.\n\n## Props\n\n| name | type |\n\n## States\n\nhover, focus\n",
	"docs/features/agent-handoff.md":     "# Feature: Agent handoff\n\n## Requirements\n\n- A bot passes the chat on\n\n## Non-goals\n\n- Voice\n",
	"docs/human-handoff.md":              "# Human handoff\n\n## Purpose\n\nBots pass chats on to people.\n\n## Trigger\n\nThe word agent.\n\n## Scope\n\nChat.\n",
	"docs/prd-shift-handover.md":         "# PRD: Shift handover\n\n## Background\n\nNurses write on paper.\n\n## Functional requirements\n\nF1 a form\n",
	"docs/rfc-042-session-handoff.md":    "# RFC: Session handoff between regions\n\n## Motivation\n\nFailover.\n\n## Alternatives\n\nSticky sessions.\n",
	"docs/epics/handover-module.md":      "# Epic: Handover module\n\n## User stories\n\n- US-1\n\n## Acceptance criteria\n\n- done when deployed\n",
	"docs/warm-handoff.md":               "# Warm handoff\n\nA call is passed on while the caller waits.\n\n## User flow\n\n1. Press transfer\n\n## Edge cases\n\nNobody answers.\n",
	"docs/payment-handoff.md":            "# Payment handoff\n\n## Endpoint\n\nPOST /handoff\n\n## Parameters\n\n| id | string |\n",
	"docs/2.3-handover-screen.md":        "# 2.3 Handover screen\n\n## Layout\n\nTwo columns.\n\n## Interaction\n\nTap to sign.\n",
	"docs/handoff-events.md":             "# Handoff events\n\n## Data model\n\nevent, actor\n\n## API\n\nGET /events\n",
	"docs/mobile-tower-handover.md":      "# Tower handover\n\nA phone changes cells.\n\n## Purpose\n\nNo dropped calls.\n\n## Definition\n\nHard and soft.\n",
	"docs/deferred-deep-link-handoff.md": "# Deferred deep link handoff\n\n## How it works\n\nThe store opens the app.\n\n## Usage\n\n```go\nlink()\n```\n",
	"docs/continuity-handoff-on-ios.md":  "# Handoff on iOS\n\n## Prerequisites\n\nXcode.\n\n## Step 1: entitlement\n\nAdd it.\n",
	// Runbooks, guides, protocols.
	"docs/runbooks/transcript-handoff.md": "# Runbook: Transcript handoff (chat to desk)\n\n**Status:** Active (2026-05-16)\n**Audience:** operators\n\n## 1. Why this exists\n\nLogs are long.\n\n## 2. Steps\n\nRender it.\n",
	"docs/runbooks/on-call-handover.md":   "# On-call handover runbook\n\nEach Monday, 09:00.\n\n## Procedure\n\n1. Read the pager\n\n## Troubleshooting\n\nCall ops.\n",
	"docs/handoff-protocol.md":            "# Handoff protocol\n\nWrite HANDOFF.md at the end of a session.\n",
	"docs/how-to-write-a-handoff.md":      "# How to write a handoff\n\nState what is done, what is next, and blockers. Session, branch, commit, status.\n",
	"docs/handoff-guide.md":               "# Handoff guide\n\nA guide.\n",
	"docs/team-handoff.md":                "# Handoff guidelines\n\nTeams pass work on at 17:00.\n",
	"docs/playbooks/sales-handoff.md":     "# Playbook: Sales to success handoff\n\n## Trigger\n\nDeal won.\n\n## Procedure\n\nCall the customer.\n",
	"docs/session-notes.md":               "# Session notes\n\nHow we take notes.\n\n## When to use\n\nAlways.\n",
	"docs/session-state.md":               "# Session state\n\nThe server keeps sessions in Redis.\n\n## Data model\n\nkey, ttl\n\n## API\n\nget, set\n",
	"docs/session-summary.md":             "# Session summary widget\n\n## Props\n\nvalue\n\n## Usage\n\n<Summary/>\n",
	"docs/next-session-token.md":          "# Next session token\n\n## Endpoint\n\nPOST /next\n\n## Parameters\n\nnone\n",
	// Templates, prompts, skills, commands.
	"docs/handoff-template.md":         "# Handoff: [title]\n\n**Date:** YYYY-MM-DD\n\n## Next steps\n",
	"docs/SESSION_HANDOFF.md":          "# Session Handoff\n\n**Date:** YYYY-MM-DD\n**Branch:** [branch]\n\n## Next steps\n",
	".claude/commands/handoff.md":      "---\ndescription: Write a handoff\n---\n\nSummarise the session. $ARGUMENTS\n",
	".claude/skills/handoff/SKILL.md":  "---\nname: handoff\ndescription: Write a handoff\n---\n",
	".claude/agents/handoff-writer.md": "---\nname: handoff-writer\ndescription: Writes handoffs\n---\n\nYou write handoffs.\n",
	"prompts/resume-session.md":        "Resume the session from {{handoff}}.\n",
	"docs/handover-prompt.md":          "---\ndescription: Hand over\n---\n\nSummarise everything.\n",
	// Readmes and indexes.
	"docs/handoffs/README.md": "# Handovers\n\nOne file a session.\n",
	"docs/handoffs/INDEX.md":  "# Index\n\n- 2026-01-05\n",
	// What designers hand over, and other meanings of the words.
	"design/design-handoff.md":                 "# Design handoff\n\n## Typography\n\nInter 16/24\n\n## Colors\n\n#fff\n\n## Spacing\n\n4, 8, 16\n",
	"design/handoff-tokens.md":                 "# Tokens for handoff\n\n## Color tokens\n\n--blue: #00f\n\n## Breakpoints\n\n768px\n",
	"RESUME.md":                                "# Jane Doe\n\nEngineer, Berlin, 2019-04-01 to 2024-05-01.\n\n## Experience\n\nCompleted three projects; status pages; summary reports.\n",
	"docs/resume-parser.md":                    "# Resume parser\n\nReads CVs.\n\n## API\n\nPOST /parse\n\n## Usage\n\ncurl\n",
	"src/handoff/readme-notes.md":              "# Package handoff\n\nMoves sockets between processes.\n",
	"src/handoff.yaml":                         "kind: Deployment\nspec:\n  replicas: 2\n",
	"docs/discussion/003-customer-response.md": "# Response of the customer\n\nThey like it.\n",
	"discussion/004-survey-response.md":        "# Survey\n\n40 % answered.\n",
	"locales/handover.json":                    "{\"title\": \"Handover\"}",
	"docs/continuation.md":                     "# Continuations\n\nA continuation is a function of what comes after.\n\n## Definition\n\nk\n",
	"test/handoff_spec.md":                     "# Spec of handoff\n\nIt moves.\n",
}

func TestNotHandoffs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for rel, text := range notHandoffs {
		path := writeFile(t, text, append([]string{root}, filepath.FromSlash(rel))...)
		if ok, rule := discover.Why(path, discover.Root{Path: root}); ok {
			t.Errorf("%s is taken: %s", rel, rule)
		}
	}
}

// Handoffs whose names say less.
func TestHandoffsByTheirText(t *testing.T) {
	t.Parallel()
	const plain = "\n## What was done\n\n- the form\n\n## Next steps\n\n- test it\n"
	root := t.TempDir()
	for rel, text := range map[string]string{
		"WEEK2_HANDOFF_AUTH.md":                 "# Week 2 Handoff: Auth\n" + plain,
		"BACKEND-DEV-HANDOFF-AUTH.md":           "# Backend Dev Handoff\n" + plain,
		"QA-HANDOFF-CHECKOUT.md":                "# QA handoff for the checkout\n\n**Status:** ready\n" + plain,
		"docs/handoff-wizard-done.md":           "# Handoff: wizard\n\nDate: 2026-02-01\n\n## Acceptance criteria\n\nall met\n\n## Scope\n\nthe form\n" + plain,
		"SESSION_SUMMARY_PAYMENTS.md":           "# Session summary: payments\n" + plain,
		"SESSION-NOTES.md":                      "# Session 4\n" + plain,
		"NEXT_SESSION_PLAN.md":                  "# Next session\n\nStart with the tests.\n",
		"RESUME.md":                             "# Resume here\n\nBranch: main, 2026-02-01, status: in progress\n" + plain,
		"docs/continue-here.md":                 "Continue with step 4.\n",
		"HANDOFF.md":                            "Go on with the form.\n",
		"discussion/003-codex-response.md":      "# Review\n\n**From:** Codex\n**To:** Claude\n",
		"discussion/004-claude-response.md":     "---\nfrom: claude\nto: codex\nstatus: done\n---\n\n# Ack\n",
		"docs/runbooks/2026-02-01-handoff.md":   "# Handoff: Runbook rewrite\n" + plain,
		"docs/HANDOFF.md":                       "# Handoff Runbook\n\nLast updated: 2026-06-16\n\n## Progress\n\nPR 9 shipped\n",
		"docs/agent-b-to-agent-c-handoff-ui.md": "# UI work\n\n**From:** B\n**To:** C\n\nSession of 2026-02-01; status: done; next steps below; branch ui.\n",
		"docs/design-handoff-2026-02-01.md":     "# Design handoff 2026-02-01\n\n## Colors\n\nnew\n\n## Typography\n\nnew\n\n## Spacing\n\nnew\n",
		"session-log.md":                        "# Session Log\n\n### Session 1\n\nBuilt it.\n\n### Session 2\n\nTested it.\n",
		"docs/p2-handoff-notes.md":              "# p2 Handoff Notes\n\n## Purpose\n\nx\n\n## Scope\n\ny\n\n## Remaining work\n\nz\n",
	} {
		path := writeFile(t, text, append([]string{root}, filepath.FromSlash(rel))...)
		if ok, rule := discover.Why(path, discover.Root{Path: root}); !ok {
			t.Errorf("%s is not taken: %s", rel, rule)
		}
	}
}
