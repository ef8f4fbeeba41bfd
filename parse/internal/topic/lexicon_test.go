package topic_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/OWNER/handex/parse/internal/topic"
)

// Each line of the table of terms is a comment, a row of a known kind, or goes on
// with the row above it.
func TestTermsAreATable(t *testing.T) {
	table, err := os.ReadFile("terms.txt")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^([a-z]+)(?: [1-9][0-9]?)?: \S`)
	for line := range strings.SplitSeq(string(table), "\n") {
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "  ") {
			continue
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("%q is no row", line)
			continue
		}
		if kind, ok := topic.Named(m[1]); !ok || string(kind) != m[1] {
			if m[1] != string(topic.Other) {
				t.Errorf("%q is no kind", m[1])
			}
		}
	}
}
