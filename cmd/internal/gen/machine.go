package gen

import (
	"fmt"
	"path"
	"time"
)

// flow writes the state file of flow-guardian, whose long values are folded
// as its YAML library does.
func (p *page) flow(h handoff) {
	p.printf("goal: %s\nstatus: %s\n", p.line(8), pick(p.rng, []string{"in_progress", "completed", "blocked"}))
	for _, key := range []string{"now", "hypothesis", "outcome"} {
		until := p.Len() + (h.size-400)/3
		p.printf("%s: >-\n", key)
		for {
			p.WriteString("  ")
			p.sentence()
			p.WriteByte('\n')
			if p.done(until) {
				break
			}
		}
	}
	p.printf("files:\n")
	p.files("- ", "")
	p.printf("branch: %s\ntimestamp: '%s'\nsession_id: %s\n", p.branch(), h.at.Format("2006-01-02T15:04:05.000000+00:00"), h.session[:8])
}

// manifest writes a company manifest, which names the discussion file.
func (p *page) manifest(h handoff, discussion string) {
	p.printf("version: 1\nsource_file: %s\ngenerated_at: %q\nfrom: codex\nto: claude\nbranch: %s\nwork_queue_items:\n  - %s-%s\nfiles_changed:\n",
		discussion, h.at.Format(time.DateOnly), p.branch(), p.word(), p.word())
	p.files("  - ", "")
	p.printf("status: %s\nsent_at: null\nsession_key: null\n", pick(p.rng, []string{"pending", "sent", "failed"}))
}

func (p *page) discussion(h handoff) {
	p.printf("# %s\n\n**From:** Codex\n**To:** Claude\n**Date:** %s\n\n---\n", p.line(5), h.at.Format(time.DateOnly))
	p.sections(h.size, "## Review", "## Open Questions", "## Proposals")
}

func (p *page) act(h handoff) {
	p.printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<context_handoff>\n  <metadata>\n    <project>%s</project>\n    <timestamp>%s</timestamp>\n    <from_session>%s</from_session>\n    <format_version>1.0</format_version>\n  </metadata>\n",
		h.project, h.at.Format(time.RFC3339), h.session[:8])
	start := p.Len()
	for i, tag := range []string{"original_task", "work_completed", "work_remaining", "attempted_approaches", "critical_context", "recommendations"} {
		p.printf("  <%s>\n", tag)
		for until := start + (h.size-start-400)*(i+1)/6; ; {
			p.items("    - ", until)
			if p.done(until) {
				break
			}
		}
		p.printf("  </%s>\n", tag)
	}
	p.printf("  <current_state>\n    Phase: %d/6\n    Progress: %d%%\n    Branch: %s\n    Last Commit: %07x\n    Blockers: none\n  </current_state>\n  <files_touched>\n",
		1+p.rng.IntN(6), p.rng.IntN(101), p.branch(), p.rng.IntN(1<<28))
	p.files("    - ", " (modified)")
	p.printf("  </files_touched>\n</context_handoff>\n")
}

func (p *page) files(before, after string) {
	for range 2 + p.rng.IntN(4) {
		p.printf("%s%s%s\n", before, p.file(), after)
	}
}

// discussionOf is where a manifest's prose lies, from the folder above meta
// and from the root of the tree.
func discussionOf(h handoff) (rel, full string) {
	rel = fmt.Sprintf("discussion/%03d-codex-response.md", h.size%1000)
	return rel, path.Join(path.Dir(path.Dir(h.path)), rel)
}
