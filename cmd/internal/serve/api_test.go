package serve_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	byPath "github.com/getkin/kin-openapi/routers/legacy"
	"github.com/google/go-cmp/cmp"
)

// described is the API as its description has it.
type described struct {
	routers.Router
	*openapi3.T
}

func describe(t *testing.T, s *served) described {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData([]byte(s.get("/api/v1/openapi.json")))
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	document.Servers = openapi3.Servers{{URL: s.base + "/api/v1"}}
	router, err := byPath.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	return described{router, document}
}

// holds asks, and holds the answer against the description, and the request as well
// if it is answered. It answers the path of the description.
func (d described) holds(s *served, method, path, body string, want int) (text, pattern string) {
	s.t.Helper()
	request := s.request(method, "/api/v1"+path, body)
	route, values, err := d.FindRoute(request)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	asked := &openapi3filter.RequestValidationInput{
		Request: s.request(method, "/api/v1"+path, body), PathParams: values, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateRequest(s.t.Context(), asked); want == http.StatusOK && err != nil {
		s.t.Errorf("%s %s, the request: %v", method, path, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	text = keepBody(s.t, response)
	answered := &openapi3filter.ResponseValidationInput{RequestValidationInput: asked, Status: response.StatusCode, Header: response.Header, Options: asked.Options}
	answered.SetBodyBytes([]byte(text))
	if err := openapi3filter.ValidateResponse(s.t.Context(), answered); err != nil {
		s.t.Errorf("%s %s: %v\n%s", method, path, err, text)
	}
	if response.StatusCode != want {
		s.t.Errorf("%s %s: %d, want %d\n%s", method, path, response.StatusCode, want, text)
	}
	return text, route.Path
}

// TestAPI holds every answer of the API against its description, and against what
// the command line writes.
func TestAPI(t *testing.T) {
	t.Parallel()
	tree := exampleTree(t)
	s := startOn(t, tree)
	d := describe(t, s)
	id := idOf(t, s, "is:escalated is:open project:pipeline")
	seen := map[string]bool{}
	for _, c := range []struct {
		method, path, body string
		want               int
		same               []string // of the command line
	}{
		{"GET", "/search", "", 200, []string{"search"}},
		{"GET", "/search?q=" + url.QueryEscape("open escalations"), "", 200, []string{"search", "open", "escalations"}},
		{"GET", "/search?q=" + url.QueryEscape("load limit:3 offset:1"), "", 200, []string{"search", "load", "limit:3", "offset:1"}},
		{"GET", "/search?q=" + url.QueryEscape("count by format"), "", 200, []string{"search", "count", "by", "format"}},
		{"GET", "/search?q=" + url.QueryEscape("group-by:project facets:format select:id,title"), "", 200, []string{"search", "group-by:project", "facets:format", "select:id,title"}},
		{"GET", "/search?q=zzzz", "", 200, []string{"search", "zzzz"}},
		{"GET", "/search?q=" + url.QueryEscape("projct:webshop is:opn"), "", 400, nil},
		{"GET", "/search?q=load&limit=3&offset=1", "", 200, nil},
		{"GET", "/search?limit=x", "", 400, nil},
		{"GET", "/search?limit=1001", "", 400, nil},
		{"GET", "/show/" + id, "", 200, []string{"show", id}},
		{"GET", "/show/" + id + "?section=risks", "", 200, []string{"show", id, "--section", "risks"}},
		{"GET", "/show/" + id + "?section=nothing", "", 404, nil},
		{"GET", "/show/h_000000000000", "", 404, nil},
		{"GET", "/values/project", "", 200, []string{"values", "project"}},
		{"GET", "/values/format?q=is%3Aopen", "", 200, []string{"values", "format", "is:open"}},
		{"GET", "/values/nothing", "", 400, nil},
		{"GET", "/latest?dir=" + url.QueryEscape(tree+"/webshop"), "", 200, []string{"latest", tree + "/webshop"}},
		{"GET", "/latest?dir=" + url.QueryEscape(t.TempDir()), "", 404, nil},
		{"GET", "/status", "", 200, nil},
		{"GET", "/report/weekly", "", 200, []string{"report", "weekly"}},
		{"GET", "/report/escalations?q=project%3Anotes", "", 200, []string{"report", "escalations", "project:notes"}},
		{"GET", "/report/nothing", "", 404, nil},
		{"GET", "/report/weekly?week=never", "", 400, nil},
		{"GET", "/report/weekly?q=projct%3Anotes", "", 400, nil},
		{"GET", "/report/weekly?q=limit%3A3", "", 400, nil},
		{"GET", "/report/timeline", "", 400, nil},
		{"POST", "/ack", `{"id":"` + id + `","note":"seen to"}`, 200, nil},
		{"POST", "/ack", `{"id":"` + id + `","undo":true}`, 200, nil},
		{"POST", "/ack", `{"id":""}`, 400, nil},
		{"POST", "/ack", `{"id":"h_000000000000"}`, 404, nil},
		{"POST", "/ack", `{"id":"` + id + `","note":"two\nlines"}`, 400, nil},
		{"POST", "/ack", `{"nothing":1}`, 400, nil},
		{"GET", "/openapi.json", "", 200, nil},
	} {
		body, pattern := d.holds(s, c.method, c.path, c.body, c.want)
		seen[pattern] = true
		if c.same != nil {
			args := append([]string{"--json", "--root", tree}, c.same...)
			if diff := cmp.Diff(s.run(t.Context(), args...).stdout, body); diff != "" {
				t.Errorf("%s %s (-handex +API):\n%s", c.method, c.path, diff)
			}
		}
	}
	for path := range d.Paths.Map() {
		if !seen[path] {
			t.Errorf("%s is described and not tried", path)
		}
	}
}

// idOf is the id of the only hit of a query.
func idOf(t *testing.T, s *served, query string) string {
	t.Helper()
	var answer struct{ Hits []struct{ ID string } }
	if err := json.Unmarshal([]byte(s.get("/api/v1/search?q="+url.QueryEscape(query))), &answer); err != nil || len(answer.Hits) != 1 {
		t.Fatalf("%s: %v, %d hits", query, err, len(answer.Hits))
	}
	return answer.Hits[0].ID
}
