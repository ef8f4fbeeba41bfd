package pages_test

import (
	"encoding/json"
	"os"
	"testing"
)

// payloads are texts that have run as script in pages of others, for every place a
// text of a handoff can come to: between tags, in an attribute, in an address, in
// Markdown.
func payloads(tb testing.TB) []string {
	tb.Helper()
	text, err := os.ReadFile("testdata/payloads.json")
	if err != nil {
		tb.Fatal(err)
	}
	var list []string
	if err := json.Unmarshal(text, &list); err != nil || len(list) < 60 {
		tb.Fatalf("%d payloads, %v", len(list), err)
	}
	return list
}
