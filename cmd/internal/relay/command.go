package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Command runs the program words[0] with the other words as its arguments and the prompt on
// its standard input, and returns the session key that its output names, "" if it names
// none: the field session_key of a JSON object, or else a last line that is one word. What
// the program writes to its standard error goes to errs, too. The message counts as sent if
// the exit status is 0 and no JSON object in the output says otherwise.
func Command(ctx context.Context, words []string, m Message, errs io.Writer, limit time.Duration) (session string,
	err error,
) {
	timed, stop := context.WithTimeout(ctx, limit)
	defer stop()
	out, said := &head{}, &head{}
	cmd := exec.CommandContext(timed, words[0], words[1:]...) //nolint:gosec // the command of who runs handex
	cmd.Env = append(os.Environ(), "HANDEX_FROM="+m.From, "HANDEX_TO="+m.To, "HANDEX_SOURCE="+m.Source,
		"HANDEX_SESSION="+m.Session)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(m.Prompt), out, io.MultiWriter(errs, said)
	cmd.WaitDelay = time.Second // for processes of its own that it leaves behind
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case timed.Err() != nil:
		return "", fmt.Errorf("%s did not end within %v", words[0], limit)
	case errors.Is(err, exec.ErrWaitDelay):
		// It ended well; what it left behind is its own business.
	case err != nil:
		if line := said.lastLine(); line != "" {
			err = fmt.Errorf("%w: %s", err, short(line))
		}
		return "", fmt.Errorf("%s: %w", words[0], err)
	}
	if answer, ok := read(out.text); ok {
		return answer.session(), answer.refusal()
	}
	if line := out.lastLine(); !out.cut && isKey(line) {
		return line, nil
	}
	return "", nil
}

// head is a writer that keeps only the beginning of what is written.
type head struct {
	text []byte
	cut  bool
}

// Write keeps as much of p as fits. It never fails.
func (h *head) Write(p []byte) (int, error) {
	room := min(len(p), maxReply-len(h.text))
	h.text = append(h.text, p[:room]...)
	h.cut = h.cut || room < len(p)
	return len(p), nil
}

// lastLine returns the last line of what was kept.
func (h *head) lastLine() string {
	text := bytes.TrimSpace(h.text)
	return strings.TrimSpace(string(text[bytes.LastIndexByte(text, '\n')+1:]))
}
