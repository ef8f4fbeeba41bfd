package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/query"
)

const (
	languageFile = "../../../LANGUAGE.md"
	examples     = "../../../examples"
)

// TestLanguageTables keeps the tables of the manual those of the language; with
// -update it writes them.
func TestLanguageTables(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(languageFile)
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	for name, table := range map[string]string{
		"fields": fieldTable(), "states": stateTable(), "directives": directiveTable(),
	} {
		begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
		before, rest, ok := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no markers %s", languageFile, name)
		}
		want = before + begin + table + end + after
	}
	if diff := cmp.Diff(want, string(text)); diff != "" && *update {
		if err := os.WriteFile(languageFile, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if diff != "" {
		t.Errorf("tables of %s (-language +file); -update writes them:\n%s", languageFile, diff)
	}
}

func fieldTable() string {
	rows := [][]string{}
	for _, f := range query.Fields() {
		name := f.Name
		if strings.HasSuffix(name, ".") {
			name += "NAME"
		}
		name = code(name)
		for _, alias := range f.Aliases {
			name += ", " + code(alias)
		}
		doc := f.Doc
		values := f.Values
		if f.Name == "format" {
			values = parse.FormatNames()
		}
		if len(values) > 0 {
			doc += ": " + strings.Join(values, ", ")
		}
		rows = append(rows, []string{name, string(f.Kind), cell(doc), code(f.Example)})
	}
	return table([]string{"field", "kind", "finds", "example"}, rows)
}

func stateTable() string {
	rows := [][]string{}
	for _, s := range query.States() {
		rows = append(rows, []string{code("is:" + strings.Join(s.Spellings(), "`, `is:")), cell(s.Doc)})
	}
	return table([]string{"state", "of a handoff"}, rows)
}

func directiveTable() string {
	rows := [][]string{}
	for _, d := range query.Directives() {
		rows = append(rows, []string{code(d.Name + ":" + d.Values), cell(d.Doc), code(d.Example)})
	}
	return table([]string{"directive", "meaning", "example"}, rows)
}

func table(header []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("\n| " + strings.Join(header, " | ") + " |\n" + strings.Repeat("|---", len(header)) + "|\n")
	for _, r := range rows {
		b.WriteString("| " + strings.Join(r, " | ") + " |\n")
	}
	return b.String() + "\n"
}

func code(text string) string { return "`" + cell(text) + "`" }

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// manualEnv is what the manual's queries refer to.
func manualEnv() query.Env {
	return query.Env{
		Now: time.Date(2026, time.February, 12, 12, 0, 0, 0, time.UTC), Zone: time.UTC,
		Formats: parse.FormatNames(), Saved: map[string]string{"standup": "is:open since:yesterday"}, Project: func() string { return "/home/me/web" },
	}
}

// idiomExamples returns the examples in the manual's table of idioms.
func idiomExamples(t *testing.T) (list []string) {
	t.Helper()
	manual, err := os.ReadFile(languageFile)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(manual), "\n| words | meaning | example |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		list = append(list, strings.Split(row, "`")[1])
	}
	if len(list) == 0 {
		t.Fatalf("%s has no table of idioms", languageFile)
	}
	return list
}

// TestLanguageExamples reads every example of the tables and of the help.
func TestLanguageExamples(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, f := range query.Fields() {
		texts = append(texts, f.Example)
	}
	for _, s := range query.States() {
		texts = append(texts, "is:"+s.Name)
	}
	texts = append(texts, idiomExamples(t)...)
	for _, d := range query.Directives() {
		texts = append(texts, d.Example)
	}
	for _, text := range texts {
		if _, err := query.Parse(text, manualEnv()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A manualQuery is a line of the manual; hits is -1 where it names none.
type manualQuery struct {
	text string
	hits int
}

var fenced = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

// blocks are the boxes of the manual of one sort.
func blocks(t *testing.T, sort string) []string {
	t.Helper()
	text, err := os.ReadFile(languageFile)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
		if m[1] == sort {
			found = append(found, m[2])
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no box of the sort %s", languageFile, sort)
	}
	return found
}

var manualLine = regexp.MustCompile(`^(.*?)(?: +\((\d+)\).*|  +.*)?$`)

func manualQueries(t *testing.T) []manualQuery {
	t.Helper()
	var list []manualQuery
	for _, block := range blocks(t, "query") {
		for line := range strings.Lines(block) {
			m := manualLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			q := manualQuery{m[1], -1}
			if m[2] != "" {
				q.hits, _ = strconv.Atoi(m[2])
			}
			list = append(list, q)
		}
	}
	return list
}

// TestLanguageQueries asks every query of the manual of the examples.
func TestLanguageQueries(t *testing.T) {
	t.Parallel()
	list := manualQueries(t)
	var lines strings.Builder
	for _, q := range list {
		if _, err := query.Parse(q.text, manualEnv()); err != nil {
			t.Errorf("%s: %v", q.text, err)
		}
		lines.WriteString(q.text + "\n")
	}
	root := exampleTree(t)
	env := append(cleanEnv(t), "HANDEX_NOW=2026-02-12T12:00:00Z")
	runHandex(t, env, "", "query", "save", "standup", "is:open", "since:yesterday")
	answers := strings.SplitAfter(runHandex(t, env, lines.String(), "search", "-", "--json", "--root", root).stdout, "\n")
	if len(answers) != len(list)+1 {
		t.Fatalf("%d queries, %d answers", len(list), len(answers)-1)
	}
	for i, q := range list {
		var answer struct{ Total int }
		if err := json.Unmarshal([]byte(answers[i]), &answer); err != nil {
			t.Fatal(err)
		}
		if q.hits >= 0 && answer.Total != q.hits {
			t.Errorf("%s finds %d, the manual says %d", q.text, answer.Total, q.hits)
		}
	}
}

// TestLanguageRefusals compares the errors of the manual with those of the
// program.
func TestLanguageRefusals(t *testing.T) {
	t.Parallel()
	env := cleanEnv(t)
	for _, block := range blocks(t, "refused") {
		text, want, _ := strings.Cut(block, "\n")
		got := runHandex(t, env, "", "search", "--", text)
		if diff := cmp.Diff(want, got.stderr); diff != "" || got.status != 2 {
			t.Errorf("%s: status %d (-manual +got):\n%s", text, got.status, diff)
		}
	}
	for _, block := range blocks(t, "json") {
		var fault struct{ Error struct{ Query string } }
		if err := json.Unmarshal([]byte(block), &fault); err != nil {
			t.Fatal(err)
		}
		if got := runHandex(t, env, "", "search", "--json", "--", fault.Error.Query); got.stderr != block {
			t.Errorf("%s: %s", fault.Error.Query, cmp.Diff(block, got.stderr))
		}
	}
}

// conformanceCase is one line of the file of conformance cases.
type conformanceCase struct {
	ID        string            `json:"id"`
	Query     string            `json:"query"`
	Now       string            `json:"now"`
	Zone      string            `json:"tz"`
	Saved     map[string]string `json:"saved"`
	Canonical string            `json:"canonical"`
	Notes     []string          `json:"notes"`
	Stderr    string            `json:"stderr"`
	Exit      int               `json:"exit"`
}

// TestLanguageConformance gives the program the cases of the file that
// HANDEX_CASES names.
func TestLanguageConformance(t *testing.T) {
	t.Parallel()
	path := os.Getenv("HANDEX_CASES")
	if path == "" {
		t.Skip("HANDEX_CASES names no file of conformance cases")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var c conformanceCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(c.ID, func(t *testing.T) { conforms(t, c) })
	}
	if n == 0 {
		t.Fatalf("%s holds no cases", path)
	}
}

func conforms(t *testing.T, c conformanceCase) {
	t.Helper()
	m := newMachine(t)
	m.env["HANDEX_ROOTS"] = m.home
	var err error
	if m.now, err = time.Parse(time.RFC3339, c.Now); err != nil {
		t.Fatal(err)
	}
	if m.zone, err = time.LoadLocation(c.Zone); err != nil {
		t.Fatal(err)
	}
	for name, text := range c.Saved {
		m.must(t, 0, "query", "save", name, "--", text)
	}
	search := m.run(t.Context(), "search", "--", c.Query)
	explain := m.run(t.Context(), "explain", "--tree", "--", c.Query)
	if c.Exit == 2 {
		for _, got := range []output{search, explain} {
			if diff := cmp.Diff(output{2, "", c.Stderr}, got, cmp.AllowUnexported(output{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.Query, diff)
			}
		}
		return
	}
	if diff := cmp.Diff(output{0, c.Canonical + "\n", ""}, explain, cmp.AllowUnexported(output{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", c.Query, diff)
	}
	notes := ""
	for _, note := range c.Notes {
		notes += "handex: note: " + note + "\n"
	}
	// There is nothing to find here.
	if search.status != 1 || !strings.HasPrefix(search.stderr, notes+"handex: nothing matches\n") {
		t.Errorf("%s: status %d, want notes %q: %s", c.Query, search.status, notes, search.stderr)
	}
}

// cleanEnv is the environment of a person who has nothing yet.
func cleanEnv(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TZ=UTC", "HANDEX_ROOTS=" + home, "TMPDIR=" + os.Getenv("TMPDIR"),
		"XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home, "XDG_STATE_HOME=" + home,
	}
}

// runHandex runs the program itself.
func runHandex(t *testing.T, env []string, stdin string, args ...string) output {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "handex", args...)
	var stdout, stderr strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = strings.NewReader(stdin), &stdout, &stderr, env
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return output{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}
