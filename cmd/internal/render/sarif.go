package render

import (
	"io"
	"net/url"
	"path/filepath"

	"github.com/OWNER/handex/parse"
)

// FindingsSARIF writes the findings as a SARIF 2.1.0 log, for services that
// keep what checkers say of a repository. Files that could not be read are
// notifications.
func FindingsSARIF(w io.Writer, c Checked) error {
	at := map[string]int{}
	for i, r := range parse.Rules() {
		at[r.ID] = i
	}
	driver := object{{"name", "handex"}, {"version", c.Program}, {"rules", all(parse.Rules(), func(r parse.Rule) object {
		return object{
			{"id", r.ID},
			{"shortDescription", sarifText(r.About)},
			{"help", sarifText(r.Fix)},
			{"defaultConfiguration", object{{"level", r.Severity.String()}}},
			{"properties", object{{"source", always{r.Source}}}},
		}
	})}}
	results := all(c.Findings, func(f Finding) object {
		var rule any
		if i, ok := at[f.Rule]; ok {
			rule = i
		}
		return object{
			{"ruleId", f.Rule},
			{"ruleIndex", rule},
			{"level", f.Severity.String()},
			{"message", sarifText(f.Message)},
			{"locations", sarifLocations(f.Shown, f.Place)},
		}
	})
	var notices []object
	for _, t := range c.Unread {
		notices = append(notices, object{
			{"level", "error"},
			{"message", sarifText("could not be read: " + t.Reason)},
			{"locations", sarifLocations(t.Path, parse.Excerpt{})},
		})
	}
	run := object{
		{"tool", object{{"driver", driver}}},
		{"columnKind", "unicodeCodePoints"},
		{"results", results},
		{"invocations", []object{{{"executionSuccessful", len(c.Unread) == 0}, {"toolExecutionNotifications", notices}}}},
	}
	return JSON(w, object{
		{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
		{"version", "2.1.0"},
		{"runs", []object{run}},
	})
}

func sarifText(text string) object { return object{{"text", always{text}}} }

// sarifLocations returns a place in a file, or the file as a whole.
func sarifLocations(path string, p parse.Excerpt) []object {
	var region object
	if p.Line > 0 {
		region = object{{"startLine", p.Line}, {"startColumn", p.Column}, {"endLine", p.EndLine}, {"endColumn", p.EndColumn}}
	}
	return []object{{{"physicalLocation", object{
		{"artifactLocation", object{{"uri", always{URI(path)}}}},
		{"region", region},
	}}}}
}

// URI returns a path as an address: relative if the path is, else of the scheme file.
func URI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		if u.Path[0] != '/' { // a drive
			u.Path = "/" + u.Path
		}
		u.Scheme = "file"
	}
	return u.String()
}
