package main

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	element   = regexp.MustCompile(`(?s)<[a-zA-Z/!][^>]*>`)
	attribute = regexp.MustCompile(`\b(?:title|alt|placeholder|aria-label|content|label)="([^"]+)"`)
	quoted    = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`")
	described = regexp.MustCompile(`"(?:title|summary|description)":\s*"((?:[^"\\]|\\.)*)"`)
	letters   = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// markupTexts returns the texts of an HTML or text template: the lines without elements and
// actions, the attributes that are shown or read aloud, and the literals in actions.
func markupTexts(source string) ([]text, error) {
	var texts []text
	for _, place := range action.FindAllStringIndex(source, -1) {
		texts = append(texts, literals(source[place[0]:place[1]], lineAt(source, place[0]))...)
	}
	source = blank(source, action, "…")
	texts = append(texts, groups(source, attribute)...)
	for i, line := range strings.Split(blank(source, element, " "), "\n") {
		if line = strings.Join(strings.Fields(line), " "); letters.MatchString(line) {
			texts = append(texts, text{i + 1, line})
		}
	}
	return texts, nil
}

// scriptTexts returns the texts for people in JavaScript and TypeScript source: its string
// literals.
func scriptTexts(source string) ([]text, error) {
	var texts []text
	for i, line := range strings.Split(source, "\n") {
		code, _, _ := strings.Cut(line, "//")
		texts = append(texts, literals(code, i+1)...)
	}
	return texts, nil
}

// jsonTexts returns the titles, summaries and descriptions in a JSON schema.
func jsonTexts(source string) ([]text, error) { return groups(source, described), nil }

// groups returns what the first group of a pattern matches, for each match that contains a
// word.
func groups(source string, pattern *regexp.Regexp) []text {
	var texts []text
	for _, place := range pattern.FindAllStringSubmatchIndex(source, -1) {
		if s := source[place[2]:place[3]]; letters.MatchString(s) {
			texts = append(texts, text{lineAt(source, place[0]), s})
		}
	}
	return texts
}

// literals returns the string literals in code that are texts for people. line is the line
// on which the code begins.
func literals(code string, line int) []text {
	var texts []text
	for _, place := range quoted.FindAllStringIndex(code, -1) {
		literal := code[place[0]:place[1]]
		s, err := strconv.Unquote(literal)
		if err != nil { // of more than one character between single quotes
			s = literal[1 : len(literal)-1]
		}
		if isProse(s) {
			texts = append(texts, text{line + strings.Count(code[:place[0]], "\n"), s})
		}
	}
	return texts
}

// blank replaces each match of a pattern by with and the line ends of the match, so that
// line numbers stay.
func blank(source string, pattern *regexp.Regexp, with string) string {
	return pattern.ReplaceAllStringFunc(source, func(s string) string {
		return with + strings.Repeat("\n", strings.Count(s, "\n"))
	})
}

// lineAt returns the number of the line, from 1, that contains an offset.
func lineAt(source string, offset int) int { return 1 + strings.Count(source[:offset], "\n") }
