// Package scan looks at single lines and words of text: list items, "key: value",
// code fences, marks of Markdown, letters of any script.
package scan
