package serve

import (
	"io"
	"net/http"
	"strconv"

	"handex/cmd/internal/pages"
)

// static answers the files of the pages. They are in the program: no name leads to
// the disk.
func static(w http.ResponseWriter, r *http.Request) {
	var text, kind string
	switch r.PathValue("name") {
	case "style.css":
		text, kind = pages.Style, "text/css; charset=utf-8"
	case "app.js":
		text, kind = pages.Script, "text/javascript; charset=utf-8"
	case "icon.svg":
		text, kind = pages.Icon, "image/svg+xml"
	default:
		refuse(w, r, http.StatusNotFound, "not-found", "there is no such page")
		return
	}
	answer(w, http.StatusOK, kind, func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
}

// generation answers a number that changes with the index.
func (s *Server) generation(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, "text/plain; charset=utf-8", func(out io.Writer) error {
		_, err := io.WriteString(out, strconv.FormatUint(s.backend.Generation(), 10)+"\n")
		return err
	})
}
