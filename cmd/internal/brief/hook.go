package brief

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// A Hook is an agent's description of the session that begins.
type Hook struct {
	Cwd     string `json:"cwd"`
	Source  string `json:"source"`
	Event   string `json:"hook_event_name"`
	AgentID string `json:"agent_id"`
	// Transcript is the file with the session's text so far.
	Transcript string `json:"transcript_path"`
	// Roots are the folders of a Cursor workspace.
	Roots []string `json:"workspace_roots"`
}

// maxHook is how much of the standard input is read.
const maxHook = 1 << 20

// ReadHook reads a JSON object from in within patience, because agents keep the input
// open. ok is false if there is no such object or it comes too late; the goroutine that
// still waits then goes on.
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

// Dir returns the absolute folder the session begins in, "" if it is unknown.
func (h Hook) Dir() string {
	for _, dir := range append([]string{h.Cwd}, h.Roots...) {
		if filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

// Wanted reports whether a session begins and a person started it. Sessions that an
// agent started have an agent_id. A session of "claude --agent" has only an agent_type.
func (h Hook) Wanted() bool {
	begins := h.Event == "" || h.Event == "SessionStart" || h.Event == "sessionStart"
	return begins && h.AgentID == ""
}

// maxHead is how much of a transcript is searched: a briefing is at its beginning.
const maxHead = 4 << 20

// frame begins a briefing, in text and as JSON may write it.
const frame = `(?:<|\\u003c)handex [0-9a-f]{6}(?:>|\\u003e) (?:│|\\u2502): `

// HasBriefing reports whether the session is resumed and has a briefing in its text.
func (h Hook) HasBriefing() bool {
	if h.Source != "resume" {
		return false
	}
	f, err := os.Open(h.Transcript)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head, _ := io.ReadAll(io.LimitReader(f, maxHead)) // after an error, what was read
	return regexp.MustCompile(frame).Match(head)
}
