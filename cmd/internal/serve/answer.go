package serve

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"

	"handex/cmd/internal/pages"
	"handex/cmd/internal/render"
)

// isProgram reports whether a program asks, which is told of errors in JSON.
func isProgram(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/complete"
}

// refuse answers a request that is not let through.
func refuse(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	if isProgram(r) {
		answerJSON(w, status, wireFault(code, message))
		return
	}
	fail(w, status, "handex: "+message+"\n")
}

// fail answers with a page that has nothing but the error.
func fail(w http.ResponseWriter, status int, text string) {
	answer(w, status, "text/html; charset=utf-8", func(out io.Writer) error {
		return pages.WriteFault(out, http.StatusText(status), text)
	})
}

// answer answers with what write writes, or nothing of it if that fails.
func answer(w http.ResponseWriter, status int, kind string, write func(io.Writer) error) {
	var out bytes.Buffer
	if err := write(&out); err != nil {
		kind, status = "text/plain; charset=utf-8", http.StatusInternalServerError
		out.Reset()
		out.WriteString("handex: " + render.Line(err.Error()) + "\n")
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(out.Len()))
	w.WriteHeader(status)
	// A browser that went away needs no answer.
	_, _ = w.Write(out.Bytes())
}

func answerPage(w http.ResponseWriter, write func(io.Writer) error) error {
	answer(w, http.StatusOK, "text/html; charset=utf-8", write)
	return nil
}

func answerJSON(w http.ResponseWriter, status int, value any) {
	answer(w, status, "application/json", func(out io.Writer) error { return render.JSON(out, value) })
}
