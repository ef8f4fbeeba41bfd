package topic

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"handex/parse/internal/scan"
)

//go:embed terms.txt
var termsText string

// A lexiconRow is a row of terms.txt: usual headings where points is 0.
type lexiconRow struct {
	kind   Kind
	points int
	terms  []string
}

// lexicon is the table of terms.txt, without the accents of its terms, which many
// leave out.
var lexicon = sync.OnceValue(func() []lexiconRow {
	var rows []lexiconRow
	text := strings.ReplaceAll(termsText, "\n ", " ")
	for line := range strings.Lines(text) {
		head, list, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		kind, points, _ := strings.Cut(head, " ")
		row := lexiconRow{kind: Kind(kind)}
		row.points, _ = strconv.Atoi(points)
		for term := range strings.SplitSeq(list, ",") {
			row.terms = append(row.terms, scan.FoldAccents(strings.TrimSpace(term)))
		}
		rows = append(rows, row)
	}
	return rows
})

// usualHeadings are the kinds of whole headings.
var usualHeadings = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for _, row := range lexicon() {
		if row.points > 0 {
			continue
		}
		for _, heading := range row.terms {
			m[heading] = row.kind
		}
	}
	return m
})

// maxHeadingWords is where a heading becomes a sentence, in which a term is an
// ordinary word.
const maxHeadingWords = 9
