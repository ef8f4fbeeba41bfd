package gen

import "time"

func (p *page) classic(h handoff) {
	p.printf("# Handoff — %s\n\nsession_id: %s\npurpose: %s\n", h.at.Format(time.DateOnly), h.session, p.line(9))
	p.sections(h.size, "## Done", "## Next", "## Gotchas", "## Risks", "## Reflection")
}

func (p *page) fond(h handoff) {
	p.printf("# Handoff — %s\n\nsession_id: %s\npurpose: %s\nformat: fond-v1\n", h.at.Format(time.DateOnly), h.session, p.line(9))
	p.printf("\n## For the next Claude\n")
	p.sections(h.size*4/5, "### Done", "### Reflection", "### Uncertain", "### Risks", "### Opportunities")
	p.sections(h.size, "## For Claudes to come")
}

func (p *page) bold(h handoff) {
	p.printf("# %s Handoff\n\n**Date:** %s\n**Branch:** %s\n**Status:** %s\n**Project:** %s\n",
		p.line(4), h.at.Format("2006-01-02 15:04"), p.branch(), p.status(), h.project)
	p.sections(h.size, "## Summary", "## Current State", "## What was done", "## Next Steps", "## Known Issues", "## Open Questions")
}

func (p *page) frontmatter(h handoff) {
	p.printf("---\ndate: %s\nresearcher: %s\ngit_commit: %07x\nbranch: %s\nrepository: %s\ntopic: %q\ntags: [%s, %s]\nstatus: %s\n---\n\n# Handoff: %s\n",
		h.at.Format(time.RFC3339), p.word(), p.rng.IntN(1<<28), p.branch(), h.project, p.line(5), p.word(), p.word(), p.status(), p.line(4))
	p.sections(h.size, "## Task(s)", "## Recent changes", "## Learnings", "## Artifacts", "## Action Items & Next Steps", "## Other Notes")
}

func (p *page) sessionList(h handoff) {
	p.printf("# Handoff: %s\n\n## Session Metadata\n- Created: %s\n- Project: %s\n- Branch: %s\n",
		p.line(4), h.at.Format(time.DateTime), h.project, p.branch())
	p.sections(h.size, "## Current State Summary", "## Important Context", "## Immediate Next Steps", "## Decisions Made", "## Potential Gotchas", "## Blockers/Open Questions")
}

func (p *page) status() string {
	return pick(p.rng, []string{"in_progress", "in_progress", "complete", "complete", "blocked", "partial"})
}
