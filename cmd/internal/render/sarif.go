package render

import (
	"io"
	"net/url"
	"path/filepath"

	"handex/parse"
)

// The parts of SARIF 2.1.0 that a check has.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
		Invocations []sarifInvocation `json:"invocations"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string       `json:"id"`
		Short      sarifText    `json:"shortDescription"`
		Help       sarifText    `json:"help"`
		Default    sarifDefault `json:"defaultConfiguration"`
		Properties sarifSource  `json:"properties"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifSource struct {
		Source string `json:"source"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex *int            `json:"ruleIndex,omitempty"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifInvocation struct {
		Successful    bool          `json:"executionSuccessful"`
		Notifications []sarifNotice `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotice struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
)

// FindingsSARIF writes the findings as a SARIF 2.1.0 log, for services that
// keep what checkers say of a repository. Files that could not be read are
// notifications.
func FindingsSARIF(w io.Writer, c Checked) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}, Invocations: []sarifInvocation{{Successful: len(c.Unread) == 0}}}
	run.Tool.Driver = sarifDriver{Name: "handex", Version: c.Program}
	at := map[string]int{}
	for i, r := range parse.Rules() {
		at[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.About}, sarifText{r.Fix}, sarifDefault{r.Severity.String()}, sarifSource{r.Source}})
	}
	for _, f := range c.Findings {
		result := sarifResult{RuleID: f.Rule, Level: f.Severity.String(), Message: sarifText{f.Message}, Locations: location(f.Shown, f.Place)}
		if i, ok := at[f.Rule]; ok {
			result.RuleIndex = &i
		}
		run.Results = append(run.Results, result)
	}
	for _, t := range c.Unread {
		notice := sarifNotice{"error", sarifText{"could not be read: " + t.Reason}, location(t.Path, parse.Excerpt{})}
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, notice)
	}
	return JSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func location(path string, p parse.Excerpt) []sarifLocation {
	physical := sarifPhysical{Artifact: sarifArtifact{URI(path)}}
	if p.Line > 0 {
		physical.Region = &sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn}
	}
	return []sarifLocation{{physical}}
}

// URI is a path as an address: relative if the path is, else of the scheme file.
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
