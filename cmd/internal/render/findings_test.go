package render_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

func finding(path, rule string, line int, place parse.Excerpt) render.Finding {
	r, _ := parse.RuleOf(rule)
	place.Line = line
	return render.Finding{
		Path: "/w/" + path, Shown: path, Format: "company", Place: place,
		Problem: parse.Problem{Severity: r.Severity, Rule: rule, Line: line, Message: "status is \"x\""},
	}
}

func place(before, at, after string) parse.Excerpt {
	column := 1 + len([]rune(before))
	return parse.Excerpt{Column: column, EndLine: 4, EndColumn: column + len([]rune(at)), Before: before, At: at, After: after}
}

func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFindingExcerpts(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	for _, c := range []struct {
		name  string
		place parse.Excerpt
		width int
		want  string
	}{
		{"plain", place("status: ", "done", " # x"), 0, "  4 | status: done # x\n    |         ^^^^\n"},
		{"a spot", place("status: ", "", "done"), 0, "  4 | status: done\n    |         ^\n"},
		{"wide characters", place("状态: ", "完成", "。"), 0, "  4 | 状态: 完成。\n    |       ^^^^\n"},
		{"combining and emoji", place("é ✅ ", "a", ""), 0, "  4 | é ✅ a\n    |      ^\n"},
		{"tabs", place("\tx:\t", "y", ""), 0, "  4 |     x:    y\n    |           ^\n"},
		{"control characters", place("a\x1b[2J ", "b\x07", "\u202e"), 0, "  4 | a^[[2J b^G<U+202E>\n    |        ^^^\n"},
		{"bytes that are no text", place("a\xff ", "b", ""), 0, "  4 | a\\xff b\n    |       ^\n"},
		{"a blank line", place("  ", "", ""), 0, ""},
		{"far to the right", place(long, "done", ""), 60, "  4 | …45678901234567890123456789done\n    |                            ^^^^\n"},
		{"a long value", place("x: ", long, ""), 40, "  4 | x: 012345678901234567890123456789…\n    |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"},
		{"a long rest", place("x: ", "y", long), 40, "  4 | x: y01234567890123456789012345678…\n    |    ^\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := finding("meta/handoff.yaml", "company.status-enum", 4, c.place)
			got := written(t, func(w io.Writer) error {
				return render.Findings(w, render.Checked{Findings: []render.Finding{f}}, render.Options{Width: c.width})
			})
			head, rest, _ := strings.Cut(got, "\n")
			excerpt, _, _ := strings.Cut(rest, "  fix: ")
			if !strings.HasPrefix(head, "meta/handoff.yaml:4:") || !strings.HasSuffix(head, ` error company.status-enum: status is "x"`) {
				t.Errorf("head: %q", head)
			}
			if diff := cmp.Diff(c.want, excerpt); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// Names and texts that try to end what they stand in.
func hostileFinding() render.Finding {
	f := finding("a\nb,c:d%25\r::error::\x1b[2J\xff/ \u202e\"<ü>.md", "company.status-enum", 3, place("", "x", ""))
	f.Message = "bad\n::error file=x::gotcha\r%0A \x1b[31m"
	f.Place.EndLine = 3
	return f
}

func TestGitHubAnnotations(t *testing.T) {
	whole := finding("x.md", "text.empty", 0, parse.Excerpt{})
	whole.Message = "the file is empty"
	several := finding("x.md", "company.status-enum", 4, place("status: ", "'a", ""))
	several.Place.EndLine = 6
	c := render.Checked{Findings: []render.Finding{hostileFinding(), whole, several}, Unread: []index.Trouble{{Path: "/w/y,z.md", Reason: "permission denied"}}}
	want := `::error file=a%0Ab%2Cc%3Ad%2525%0D%3A%3Aerror%3A%3A^[[2J\xff/ <U+202E>"<ü>.md,line=3,endLine=3,col=1,endColumn=2,title=company.status-enum::bad ::error file=x::gotcha %250A ^[[31m. Set status to one of these words, in lower case.
::warning file=x.md,title=text.empty::the file is empty. Write the handoff, or remove the empty file.
::error file=x.md,line=4,endLine=6,col=9,title=company.status-enum::status is "x". Set status to one of these words, in lower case.
::error file=/w/y%2Cz.md,title=unread::could not be read: permission denied
`
	got := written(t, func(w io.Writer) error { return render.FindingsGitHub(w, c) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// The structure SARIF 2.1.0 asks for.
func TestSARIF(t *testing.T) {
	whole := finding("x.md", "text.empty", 0, parse.Excerpt{})
	outside := finding("x.md", "company.from-is-to", 2, parse.Excerpt{Column: 5, EndLine: 2, EndColumn: 9})
	outside.Shown = "/w/o/a b.md"
	colon := finding("a:b.md", "company.from-is-to", 2, parse.Excerpt{Column: 5, EndLine: 2, EndColumn: 9})
	c := render.Checked{
		Findings: []render.Finding{hostileFinding(), whole, outside, colon},
		Unread:   []index.Trouble{{Path: "/w/y.md", Reason: "permission denied"}}, Program: "v1",
	}
	type region struct{ StartLine, StartColumn, EndLine, EndColumn int }
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           *region
		}
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct {
						ID                     string
						ShortDescription, Help struct{ Text string }
						DefaultConfiguration   struct{ Level string }
						Properties             struct{ Source string }
					}
				}
			}
			ColumnKind string
			Results    []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []location
			}
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct {
					Level     string
					Message   struct{ Text string }
					Locations []location
				}
			}
		}
	}
	dec := json.NewDecoder(strings.NewReader(written(t, func(w io.Writer) error { return render.FindingsSARIF(w, c) })))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || !strings.HasSuffix(log.Schema, "sarif-2.1.0.json") || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	run := log.Runs[0]
	if d := run.Tool.Driver; d.Name != "handex" || d.Version != "v1" || len(d.Rules) != len(parse.Rules()) || run.ColumnKind != "unicodeCodePoints" {
		t.Errorf("driver %s %s, %d rules, columns %s", d.Name, d.Version, len(d.Rules), run.ColumnKind)
	}
	for i, r := range parse.Rules() {
		got := run.Tool.Driver.Rules[i]
		if got.ID != r.ID || got.ShortDescription.Text != r.About || got.Help.Text != r.Fix || got.DefaultConfiguration.Level != r.Severity.String() || got.Properties.Source != r.Source {
			t.Errorf("rule %d is %+v, want %+v", i, got, r)
		}
	}
	type place struct {
		rule, level, uri string
		region           region
	}
	var got []place
	for _, r := range run.Results {
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("odd result %+v", r)
		}
		physical := r.Locations[0].PhysicalLocation
		p := place{rule: r.RuleID, level: r.Level, uri: physical.ArtifactLocation.URI}
		if physical.Region != nil {
			p.region = *physical.Region
		}
		got = append(got, p)
	}
	want := []place{
		{"company.status-enum", "error", "./a%0Ab,c:d%2525%0D::error::%1B%5B2J%FF/%20%E2%80%AE%22%3C%C3%BC%3E.md", region{3, 1, 3, 2}},
		{"text.empty", "warning", "x.md", region{}},
		{"company.from-is-to", "error", "file:///w/o/a%20b.md", region{2, 5, 2, 9}},
		{"company.from-is-to", "error", "./a:b.md", region{2, 5, 2, 9}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(place{})); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	in := run.Invocations
	if len(in) != 1 || in[0].ExecutionSuccessful || len(in[0].ToolExecutionNotifications) != 1 || in[0].ToolExecutionNotifications[0].Message.Text != "could not be read: permission denied" {
		t.Errorf("invocations: %+v", in)
	}
}

func TestCheckedSummary(t *testing.T) {
	c := render.Checked{Files: 1, Findings: []render.Finding{hostileFinding(), hostileFinding()}}
	if got, want := c.Summary(), "1 file, 2 errors, 0 warnings"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c = render.Checked{Files: 3, Findings: []render.Finding{finding("x.md", "text.empty", 0, parse.Excerpt{})}, Unread: make([]index.Trouble, 2)}
	if got, want := c.Summary(), "3 files, 0 errors, 1 warning; 2 could not be read"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
