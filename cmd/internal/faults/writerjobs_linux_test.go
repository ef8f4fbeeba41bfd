package faults_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A job is a writer that is killed. Its states are what may be in its folder of
// handoffs: texts by name, where a link is the text it leads to.
type job struct {
	name   string
	folder string            // of handoffs, below the project, or the home if it begins with ~
	before map[string]string // files of the project
	link   [2]string         // a symbolic link of it and where it leads
	args   []string
	// left are the states it may leave; from the one that done counts on it may
	// say that it succeeded: 0 stands for the last alone.
	left []map[string]string
	done int
	// ends are the states that a further writer may leave; nil is the last of left.
	ends []map[string]string
}

const (
	flowBefore = "# ours\ngoal: \"Price rules\" # short\nstatus: blocked\nnow: \"old\"\ntimestamp: \"2026-01-01T00:00:00Z\"\nteam: red\n"
	flowAfter  = "# ours\ngoal: \"Price rules\" # short\nstatus: blocked\nnow: new\ntimestamp: \"2026-02-10T12:00:00Z\"\nteam: red\n"

	companyBefore = "version: 1\nfrom: x\n"
	companyAfter  = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: pending\nsent_at: null\nsession_key: null\n"

	actAfter = "<context_handoff>\n  <metadata>\n    <project>shop</project>\n    <timestamp>2026-02-10T12:00:00Z</timestamp>\n    <from_session>s</from_session>\n" +
		"    <format_version>1.0</format_version>\n  </metadata>\n  <original_task>\n    g\n  </original_task>\n  <work_completed>\n    - d\n  </work_completed>\n" +
		"  <work_remaining>\n    - n\n  </work_remaining>\n  <current_state>\n    s\n  </current_state>\n</context_handoff>\n"

	sentBefore = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: pending\nsent_at: null\nsession_key: null\n"
	sentFailed = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: failed\nsent_at: null\nsession_key: null\n"
	sentAfter  = "version: 1\nsource_file: discussion/001-a-response.md\ngenerated_at: \"2026-02-10\"\nfrom: a\nto: b\nstatus: sent\nsent_at: \"2026-02-10T12:00:00Z\"\nsession_key: k\n"
	sentLog    = "version: 1\nmax_entries: 50\nentries:\n"
	sentEntry  = "  - source_file: discussion/001-a-response.md\n    from: a\n    to: b\n    status: %s\n    generated_at: \"2026-02-10\"\n    sent_at: \"2026-02-10T12:00:00Z\"\n    branch: null\n"

	acked = `{"at":"2026-02-10T12:00:00Z","ack":"ID","digest":"DIGEST","note":"seen"}` + "\n"

	hooksBefore = "{\n  \"hooks\": {\"SessionStart\": []} // none yet\n}\n"
	hooksAfter  = "{\n  \"hooks\": {\"SessionStart\": [\n    {\n      \"hooks\": [\n        {\n          \"type\": \"command\",\n          \"command\": \"handex brief --for gemini\",\n          \"timeout\": 10000\n        }\n      ]\n    }\n  ]} // none yet\n}\n"

	suiteAfter = "# Handoff — 2026-02-10\n\nsession_id: aaaa1111\npurpose: p\n\n## Done\n\n- d\n"
)

func jobs() []job {
	one := func(text string) map[string]string { return map[string]string{"handoff.yaml": text} }
	acts := map[string]string{"2026-01-01-1000.xml": "<a/>", "2026-01-02-1000.xml": "<b/>", "latest.xml": "<b/>"}
	with := func(m map[string]string, pairs ...string) map[string]string {
		out := maps.Clone(m)
		for i := 0; i < len(pairs); i += 2 {
			if out[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
				delete(out, pairs[i])
			}
		}
		return out
	}
	const log = "handoff-log.yaml"
	const first, second = "2026-02-10-1200.xml", "2026-02-10-1200-0001.xml"
	written := with(acts, first, actAfter)
	linked := with(written, "latest.xml", actAfter)
	settled := with(linked, "2026-01-01-1000.xml", "")
	settings := map[string]string{"settings.json": hooksBefore}
	copied := with(settings, "settings.json.20260210T120000Z.bak", hooksBefore)
	hooked := with(copied, "settings.json", hooksAfter)
	twice := map[string]string{first: actAfter, second: actAfter, "latest.xml": actAfter}
	return []job{
		{
			name: "update", folder: ".flow-guardian", before: map[string]string{".flow-guardian/handoff.yaml": flowBefore},
			args: []string{"update", "now=new"}, left: []map[string]string{one(flowBefore), one(flowAfter)},
		},
		{
			name: "write over", folder: "meta", before: map[string]string{"meta/handoff.yaml": companyBefore},
			args: []string{"write", "--as", "company", "--bare", "--save", "--to", "b", "--set", "from=a", "--set", "source_file=discussion/001-a-response.md"},
			left: []map[string]string{one(companyBefore), one(companyAfter)},
		},
		{
			name: "write with a link", folder: ".act/handoffs", link: [2]string{".act/handoffs/latest.xml", "2026-01-02-1000.xml"},
			before: map[string]string{".act/handoffs/2026-01-01-1000.xml": "<a/>", ".act/handoffs/2026-01-02-1000.xml": "<b/>", ".act/config.yaml": "handoff: {maxFiles: 2}\n"},
			args:   []string{"write", "--as", "act", "--save", "--set", "session=s", "--set", "goal=g", "--section", "done=- d", "--section", "next=- n", "--section", "state=s"},
			left:   []map[string]string{acts, written, linked, settled},
			ends:   []map[string]string{settled, twice},
		},
		{
			name: "write a new one", folder: "~/.claude/handoffs",
			args: []string{"write", "--as", "claude-suite", "--save", "--set", "session=aaaa1111", "--set", "purpose=p", "--section", "done=- d"},
			left: []map[string]string{{}, {"aaaa1111.md": suiteAfter}},
			ends: []map[string]string{{"aaaa1111.md": suiteAfter}, {"aaaa1111.md": suiteAfter, "aaaa1111-0001.md": suiteAfter}},
		},
		{
			name: "send", folder: "meta", before: map[string]string{"meta/handoff.yaml": sentBefore},
			args: []string{"send", "--again", "--via", "true", "--session-key", "k"},
			left: []map[string]string{
				one(sentBefore), one(sentFailed), with(one(sentFailed), log, entries("failed")), one(sentAfter), with(one(sentAfter), log, entries("sent")),
			},
			done: 3,
			ends: []map[string]string{
				with(one(sentAfter), log, entries("sent")), with(one(sentAfter), log, entries("sent", "sent")), with(one(sentAfter), log, entries("failed", "sent")),
			},
		},
		{
			name: "ack", folder: "~/.local/state/handex", before: map[string]string{"HANDOFF.md": "# Handoff\n\n## Next\n\n- HUMAN REVIEW NEEDED: keys\n"},
			args: []string{"ack", "-m", "seen", "HANDOFF.md"},
			left: []map[string]string{{}, {"acks.jsonl": ""}, {"acks.jsonl": acked}},
		},
		{
			name: "install a hook", folder: ".gemini", before: map[string]string{".gemini/settings.json": hooksBefore},
			args: []string{"hooks", "install", "gemini", "--project"},
			left: []map[string]string{settings, copied, hooked},
			ends: []map[string]string{hooked, with(hooked, "settings.json.20260210T120000Z-0001.bak", hooksBefore)},
		},
	}
}

// entries is the log of manifests with an entry for each status.
func entries(statuses ...string) string {
	text := sentLog
	for _, status := range statuses {
		text += fmt.Sprintf(sentEntry, status)
	}
	return text
}

// succeeded reports whether a state is one after which a run may say that it succeeded.
func (j job) succeeded(state map[string]string) bool {
	from := j.done
	if from == 0 {
		from = len(j.left) - 1
	}
	return isOneOf(state, j.left[from:])
}

func isOneOf(state map[string]string, list []map[string]string) bool {
	return slices.ContainsFunc(list, func(other map[string]string) bool { return maps.Equal(state, other) })
}

// lay makes a desk as the job finds it.
func (j job) lay(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	d.env = append(d.env, pinnedEnv)
	for rel, text := range j.before {
		d.put(t, rel, text)
	}
	if j.link[0] != "" {
		if err := os.Symlink(j.link[1], filepath.Join(d.project, j.link[0])); err != nil {
			t.Fatal(err)
		}
	}
	return d
}
