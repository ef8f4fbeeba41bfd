package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Gateway is an HTTP server to which messages are posted.
type Gateway struct {
	URL   string
	Token string // sent as a bearer token, "" for none
	Limit time.Duration
}

// Check returns an error if the URL is not one to which a message can be posted.
func (g Gateway) Check() error {
	u, err := url.Parse(g.URL)
	switch {
	case err != nil:
		return fmt.Errorf("the gateway %q is not a URL", g.URL)
	case u.Scheme == "ws" || u.Scheme == "wss":
		return fmt.Errorf("the gateway %s uses WebSocket: send through a command with --via", u.Redacted())
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("the gateway %q is not an http or https URL", g.URL)
	}
	return nil
}

// Post posts a message as a JSON object with from, to, source_file, session_key, message
// and idempotency_key, and returns the session key of the reply, "" if it names none. The
// idempotency key must be the same if the same message is sent again. The message counts as
// sent if the status is 2xx and the reply is empty, or a JSON object without ok: false or
// an error; any other page may come from something in between. Redirections are not
// followed, as the token would go with them.
func (g Gateway) Post(ctx context.Context, m Message, idempotency string) (session string, err error) {
	text, err := json.Marshal(struct {
		Message
		Idempotency string `json:"idempotency_key"`
	}{m, idempotency})
	if err != nil {
		return "", err
	}
	timed, stop := context.WithTimeout(ctx, g.Limit)
	defer stop()
	request, err := http.NewRequestWithContext(timed, http.MethodPost, g.URL, bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if g.Token != "" {
		request.Header.Set("Authorization", "Bearer "+g.Token)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(request)
	if err != nil {
		return "", g.fault(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(answer.Body, maxReply+1))
	if err != nil {
		return "", g.fault(ctx, err)
	}
	return receipt(answer, reply)
}

// receipt returns the session key in a reply of the gateway, "" if there is none, or an
// error if the reply does not confirm the message.
func receipt(answer *http.Response, text []byte) (session string, err error) {
	said, known := read(text)
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		what := said.errorText()
		if !known {
			what = short(string(text))
		}
		if what != "" {
			what = ": " + what
		}
		return "", fmt.Errorf("the gateway %w the message: %s%s", ErrRefused, answer.Status, what)
	}
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return "", nil
	case len(text) > maxReply:
		return "", fmt.Errorf("the gateway's reply is longer than %d bytes", maxReply)
	case !known:
		return "", fmt.Errorf("the gateway's reply is not a JSON object: %s", short(string(text)))
	}
	if err := said.refusal(); err != nil {
		return "", fmt.Errorf("the gateway %w", err)
	}
	return said.session(), nil
}

// fault returns the error of a failed request without the URL, which may contain secrets.
func (g Gateway) fault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) || os.IsTimeout(err) {
		return fmt.Errorf("the gateway did not reply within %v; it may still have received the message", g.Limit)
	}
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err
	}
	return fmt.Errorf("the gateway cannot be reached, or closed the connection: %w", err)
}
