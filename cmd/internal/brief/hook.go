package brief

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// A Hook is what an agent says of the session that begins.
type Hook struct {
	Cwd       string `json:"cwd"`
	Source    string `json:"source"`
	Event     string `json:"hook_event_name"`
	SessionID string `json:"session_id"`
	AgentID   string `json:"agent_id"`
	// Transcript is the file of a session's text so far.
	Transcript string `json:"transcript_path"`
	// Roots are the folders of a Cursor workspace.
	Roots []string `json:"workspace_roots"`
}

// maxHook is how much of the standard input is read.
const maxHook = 1 << 20

// ReadHook reads a JSON object from in, and waits no longer for it than patience:
// agents keep the input open. What is no such object, or comes too late, says
// nothing; ok is then false. A reader that waits is left behind.
func ReadHook(in io.Reader, patience time.Duration) (h Hook, ok bool) {
	read := make(chan Hook, 1)
	go func() {
		defer close(read)
		var h Hook
		if json.NewDecoder(io.LimitReader(in, maxHook)).Decode(&h) == nil {
			read <- h
		}
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case h, ok = <-read:
		return h, ok
	case <-late.C:
		return Hook{}, false
	}
}

// Dir returns the absolute folder the session begins in, "" if the agent does not say.
func (h Hook) Dir() string {
	if filepath.IsAbs(h.Cwd) {
		return h.Cwd
	}
	if len(h.Roots) > 0 && filepath.IsAbs(h.Roots[0]) {
		return h.Roots[0]
	}
	return ""
}

// Wanted reports whether the session is one to brief: its beginning, not another
// event, and not a helper's that an agent started. Only those have an agent_id; an
// agent_type have also sessions that a person begins as a certain agent, as with
// claude --agent.
func (h Hook) Wanted() bool {
	begins := h.Event == "" || h.Event == "SessionStart" || h.Event == "sessionStart"
	return begins && h.AgentID == ""
}

// maxHead is how much of a transcript is searched: a briefing is at its beginning.
const maxHead = 4 << 20

// frame begins a briefing, in text and as JSON may write it.
var frame = regexp.MustCompile(`(?:<|\\u003c)handex [0-9a-f]{6}(?:>|\\u003e) (?:│|\\u2502): `)

// HasBriefing reports whether a session that is resumed has a briefing in its text.
func (h Hook) HasBriefing() bool {
	if h.Source != "resume" {
		return false
	}
	f, err := os.Open(h.Transcript)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head, _ := io.ReadAll(io.LimitReader(f, maxHead)) // what could be read is searched
	return frame.Match(head)
}
