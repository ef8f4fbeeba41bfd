package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/cmd/internal/pages"
	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/cmd/internal/service"
	"github.com/OWNER/handex/index"
)

const (
	htmlType = "text/html; charset=utf-8"
	textType = "text/plain; charset=utf-8"
	jsonType = "application/json"
)

// respond writes a response that write produces. If write fails, its error is returned and
// nothing is sent.
func respond(w http.ResponseWriter, status int, mediaType string, write func(io.Writer) error) error {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(out.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // a browser that went away needs no answer
	return nil
}

// respondPage writes a page with status 200.
func respondPage(w http.ResponseWriter, write func(io.Writer) error) error {
	return respond(w, http.StatusOK, htmlType, write)
}

// respondText writes a text unchanged with status 200.
func respondText(w http.ResponseWriter, mediaType, text string) error {
	return respond(w, http.StatusOK, mediaType, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
}

// respondJSON writes the JSON that write produces, with credentials masked.
func (s *Server) respondJSON(w http.ResponseWriter, write func(io.Writer) error) error {
	return respond(w, http.StatusOK, jsonType, func(out io.Writer) error {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return err
		}
		_, err := out.Write(s.maskJSON(text.Bytes()))
		return err
	})
}

// maskJSON returns JSON with credentials masked in each of its strings. It masks strings
// one by one, so that a match cannot reach over the end of a string.
func (s *Server) maskJSON(text []byte) []byte {
	if s.mask == nil {
		return text
	}
	var out []byte
	for {
		start := bytes.IndexByte(text, '"')
		if start < 0 {
			return append(out, text...)
		}
		end := start + 1
		for ; end < len(text) && text[end] != '"'; end++ {
			if text[end] == '\\' {
				end++
			}
		}
		end = min(end+1, len(text))
		out = append(append(out, text[:start]...), s.maskLiteral(text[start:end])...)
		text = text[end:]
	}
}

// maskLiteral returns one string literal of JSON with credentials masked.
func (s *Server) maskLiteral(literal []byte) []byte {
	var value string
	if json.Unmarshal(literal, &value) != nil {
		return literal
	}
	masked := s.mask(value)
	var out bytes.Buffer
	if masked == value || render.JSON(&out, masked) != nil {
		return literal
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// A requestError is an error for a client, with a status of HTTP. code is its name for
// programs.
type requestError struct {
	error
	status int
	code   string
}

func newRequestError(status int, code, message string) error {
	return requestError{errors.New(message), status, code}
}

func (e requestError) Unwrap() error { return e.error }

// Code returns the name of the error for programs.
func (e requestError) Code() string { return e.code }

// errSlow is the error for a response that took longer than answerTime: a part of it would
// have wrong numbers.
var errSlow = requestError{
	render.WithHint(errors.New("the response takes too long"),
		"narrow the query, for example with project:NAME or since:7d"),
	http.StatusServiceUnavailable, "too-slow",
}

// errQueued is the error for a report that was not started, as another report took all of
// its time.
var errQueued = requestError{
	render.WithHint(errors.New("another report is being made"), "try again when it is done"),
	http.StatusServiceUnavailable, "busy",
}

// within runs f with a context that ends after limit. If f fails after that, the error is
// errSlow, unless f returns errQueued.
func within(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	ctx, stop := context.WithTimeoutCause(ctx, limit, errSlow)
	defer stop()
	err := f(ctx)
	if err != nil && ctx.Err() != nil && !errors.Is(err, errQueued) {
		return context.Cause(ctx)
	}
	return err
}

var errNoPage = newRequestError(http.StatusNotFound, "not-found", "this page does not exist")

// fail writes an error: as JSON for the API and completions, else as a page in the frame.
func fail(w http.ResponseWriter, r *http.Request, frame pages.Frame, err error) {
	status := statusOf(err)
	if strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/complete" {
		err = respond(w, status, jsonType, func(out io.Writer) error { return render.JSON(out, service.NewFailure(err)) })
	} else {
		frame.Title = http.StatusText(status)
		faults := faultsOf(err, searchLink)
		err = respond(w, status, htmlType, func(out io.Writer) error { return pages.WriteFault(out, frame, faults) })
	}
	if err != nil {
		http.Error(w, service.Format(err), http.StatusInternalServerError)
	}
}

// maxFaults is the maximum number of faults of a query that are shown: the first causes
// most others.
const maxFaults = 3

// faultsOf returns the faults that an error reports, with help and corrections. link
// returns the address of a query.
func faultsOf(err error, link func(string) string) []pages.Fault {
	if bad, ok := errors.AsType[*service.QueryError](err); ok {
		var list []pages.Fault
		for i, e := range bad.Faults[:min(len(bad.Faults), maxFaults)] {
			f := pages.Fault{Message: e.Message, Query: pages.Place(bad.Text, e.Start, e.End), Help: e.Help}
			for _, name := range e.Suggestions {
				text := corrected(bad, i, name)
				f.Instead = append(f.Instead, pages.Instead{Query: text, Link: link(text)})
			}
			list = append(list, f)
		}
		return list
	}
	f := pages.Fault{Message: err.Error()}
	if missing, ok := errors.AsType[*index.NotFoundError](err); ok {
		f.Instead = render.Each(missing.Near, func(id string) pages.Instead {
			return pages.Instead{Query: id, Link: handoffLink(id)}
		})
	} else if several, ok := errors.AsType[*index.AmbiguousError](err); ok {
		for _, c := range several.Candidates[:min(len(several.Candidates), service.MaxCandidates)] {
			f.Instead = append(f.Instead, pages.Instead{Query: c.ID, Text: c.Project, Link: handoffLink(c.ID)})
		}
	} else {
		f.Help = service.Hints(err)
	}
	return []pages.Fault{f}
}

// corrected returns a query with the fault that has the given index replaced by name, and
// every other fault replaced by its first suggestion.
func corrected(bad *service.QueryError, fault int, name string) string {
	text, end := bad.Text, len(bad.Text)
	for i, e := range slices.Backward(bad.Faults) {
		with := name
		if i != fault {
			if len(e.Suggestions) == 0 {
				continue
			}
			with = e.Suggestions[0]
		}
		if e.End <= end {
			text, end = text[:e.Start]+with+text[e.End:], e.Start
		}
	}
	return text
}

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	if own, ok := errors.AsType[requestError](err); ok {
		return own.status
	}
	if _, ok := errors.AsType[*service.QueryError](err); ok {
		return http.StatusBadRequest
	}
	switch service.Code(err) {
	case "not-found":
		return http.StatusNotFound
	case "index-busy", "index-damaged", "disk-full":
		return http.StatusServiceUnavailable
	case "failed":
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}
