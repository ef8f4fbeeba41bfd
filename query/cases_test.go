package query_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/query"
)

// conformanceCase is one line of the conformance file.
type conformanceCase struct {
	ID        string            `json:"id"`
	Query     string            `json:"query"`
	Now       time.Time         `json:"now"`
	Zone      string            `json:"tz"`
	Saved     map[string]string `json:"saved"`
	Canonical string            `json:"canonical"`
	Notes     []string          `json:"notes"`
	Stderr    string            `json:"stderr"`
	Exit      int               `json:"exit"`
	FTS       []struct{ Table, Match string }
	Errors    []struct {
		Code  string `json:"code"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	} `json:"errors"`
}

func (c conformanceCase) env(t *testing.T) query.Env {
	t.Helper()
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		t.Fatal(err)
	}
	return query.Env{Now: c.Now, Zone: zone, Saved: c.Saved}
}

// TestConformance reads the cases every reader of the language must meet from
// the file HANDEX_CASES names.
func TestConformance(t *testing.T) {
	t.Parallel()
	path := os.Getenv("HANDEX_CASES")
	if path == "" {
		t.Skip("HANDEX_CASES names no file of conformance cases")
	}
	for _, c := range loadCases(t, path) {
		t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
	}
}

func checkCase(t *testing.T, c conformanceCase) {
	t.Helper()
	q, err := query.Parse(c.Query, c.env(t))
	if c.Exit == 0 {
		if err != nil {
			t.Fatalf("%s\n%v", c.Query, err)
		}
		if diff := cmp.Diff(c.Canonical, q.Canonical()); diff != "" {
			t.Errorf("%s: canonical (-want +got):\n%s", c.Query, diff)
		}
		if diff := cmp.Diff(c.Notes, q.Notes); diff != "" {
			t.Errorf("%s: notes (-want +got):\n%s", c.Query, diff)
		}
		checkMatches(t, c, q)
		return
	}
	var errs query.Errors
	if !errors.As(err, &errs) {
		t.Fatalf("%s: want errors, got %v", c.Query, err)
	}
	if diff := cmp.Diff(c.Stderr, errs.Format(c.Query)); diff != "" {
		t.Errorf("%s: stderr (-want +got):\n%s", c.Query, diff)
	}
	for i, want := range c.Errors {
		if got := errs[i]; got.Code != want.Code || got.Start != want.Start || got.End != want.End {
			t.Errorf("%s: error %d is %s %d-%d, want %s %d-%d", c.Query, i, got.Code, got.Start, got.End, want.Code, want.Start, want.End)
		}
	}
	if len(errs) != len(c.Errors) {
		t.Errorf("%s: %d errors, want %d", c.Query, len(errs), len(c.Errors))
	}
}

// checkMatches compares what the full-text tables are asked. There is one, u,
// with the words of p spelled out; g, the substrings, is a scan.
func checkMatches(t *testing.T, c conformanceCase, q *query.Query) {
	t.Helper()
	leaves := q.Compile(nil).Leaves
	for i, want := range c.FTS {
		if i < len(leaves) && (want.Table == "u" || want.Table == "p") && leaves[i].Match != want.Match {
			t.Errorf("%s: leaf %d asks %s, want %s", c.Query, i, leaves[i].Match, want.Match)
		}
	}
	if c.FTS != nil && len(leaves) != len(c.FTS) {
		t.Errorf("%s: %d leaves, want %d", c.Query, len(leaves), len(c.FTS))
	}
}

func loadCases(t *testing.T, path string) []conformanceCase {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}()
	var cases []conformanceCase
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c conformanceCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s holds no cases", path)
	}
	return cases
}
