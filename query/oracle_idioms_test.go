package query_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

// What the words of an idiom stand for, from the language's specification; ""
// is no condition.
var (
	idiomAdjectives = map[string]string{
		"all": "", "open": "is:open", "unresolved": "is:open", "closed": "is:closed", "escalated": "is:escalated", "latest": "is:latest", "newest": "is:latest",
		"superseded": "is:superseded", "stale": "is:stale", "valid": "is:valid", "invalid": "is:invalid", "legacy": "is:legacy", "blocked": "is:blocked",
		"pending": "is:pending", "sent": "is:sent", "failed": "is:failed", "completed": "is:completed", "finished": "is:completed", "delegated": "is:delegated", "waiting": "is:waiting",
		"acknowledged": "is:acked", "flawed": "is:warned", "handed over": "is:delegated", "old format": "is:legacy", "overwritten": "is:earlier", "replaced": "is:superseded", "stuck": "is:blocked",
	}
	idiomNouns = map[string]string{
		"handoff": "", "handoffs": "", "sessions": "", "escalation": "is:escalated", "escalations": "is:escalated",
		"blockers": "has:blockers", "gotchas": "has:gotchas", "risks": "has:risks", "approaches": "has:approaches",
	}
	idiomDates = map[string]string{"today": "date:today", "yesterday": "date:yesterday", "this week": "date:this-week", "last month": "date:last-month", "last quarter": "date:last-quarter", "this year": "date:this-year"}
)

// idiomDrawn is an idiom and the query it stands for.
type idiomDrawn struct{ words, long string }

// drawIdiom draws an idiom of each form of LANGUAGE.md.
var drawIdiom = map[string]func(*rapid.T) idiomDrawn{
	"ADJECTIVE... NOUN": drawNoun,
	"failed approaches": func(*rapid.T) idiomDrawn { return idiomDrawn{"failed approaches", "approach:failed"} },
	"[handoffs] waiting for me, needs human, who needs me": func(t *rapid.T) idiomDrawn {
		return idiomDrawn{oneOf(t, "waiting for me", "handoffs waiting for me", "needs human", "who needs me"), "is:open is:waiting"}
	},
	"latest [N] [handoffs] per FIELD": func(t *rapid.T) idiomDrawn {
		field := oneOf(t, "project", "format", "branch", "item", "status")
		n := rapid.IntRange(0, 3).Draw(t, "keep")
		words, long := oneOf(t, "latest", "newest", "last"), "latest-per:"+field
		if n > 0 {
			words, long = fmt.Sprint(words, " ", n), fmt.Sprint(long, " keep:", n)
		}
		return idiomDrawn{words + oneOf(t, "", " handoffs") + " per " + field, long}
	},
	"count by FIELD": func(t *rapid.T) idiomDrawn {
		field := oneOf(t, "project", "format", "branch", "item", "status")
		return idiomDrawn{oneOf(t, "count by ", "count per ") + field, "count-by:" + field}
	},
	"newest first, oldest first": func(t *rapid.T) idiomDrawn {
		return oneOf(t, idiomDrawn{"newest first", "sort:date-desc"}, idiomDrawn{"oldest first", "sort:date-asc"})
	},
	"since DATE, until DATE, before DATE, after DATE": func(t *rapid.T) idiomDrawn {
		name, date := oneOf(t, "since", "until", "before", "after"), oneOf(t, "yesterday", "monday", "last week", "last friday", "2026-02", "2026-03-29", "7d", "2 days ago")
		return idiomDrawn{name + " " + date, name + ":" + strings.ReplaceAll(date, " ", "-")}
	},
	"today, yesterday, this week, last month": func(t *rapid.T) idiomDrawn {
		before, date := drawNoun(t), oneOf(t, sortedKeys(idiomDates)...)
		return idiomDrawn{before.words + " " + date, before.long + " " + idiomDates[date]}
	},
	"in MONTH, in YEAR, in progress": func(t *rapid.T) idiomDrawn {
		before, in := drawNoun(t), oneOf(t, []string{"progress", "is:in-progress"}, []string{"2026", "date:2026"}, []string{"2026-02", "date:2026-02"},
			[]string{"february", "date:february"}, []string{"mar 2026", "date:mar-2026"})
		return idiomDrawn{before.words + " in " + in[0], before.long + " " + in[1]}
	},
	"in PROJECT": func(t *rapid.T) idiomDrawn {
		before, name := drawNoun(t), oneOf(t, projects...).name
		return idiomDrawn{before.words + " in " + name, before.long + " project:" + name}
	},
}

// drawNoun draws adjectives, which all must hold, and what they are said of.
func drawNoun(t *rapid.T) idiomDrawn {
	words, long := []string{}, []string{"*"}
	for range rapid.IntRange(1, 3).Draw(t, "adjectives") {
		word := oneOf(t, sortedKeys(idiomAdjectives)...)
		words, long = append(words, word), append(long, idiomAdjectives[word])
	}
	noun := oneOf(t, sortedKeys(idiomNouns)...)
	if words[len(words)-1] == "failed" && noun == "approaches" {
		noun = "risks" // failed approaches are something else
	}
	return idiomDrawn{strings.Join(append(words, noun), " "), strings.Join(append(long, idiomNouns[noun]), " ")}
}

// TestIdiomsEqualTheirLongForms checks that an idiom finds what the conditions
// and directives find that it stands for.
func TestIdiomsEqualTheirLongForms(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, forms, _ := strings.Cut(string(manual), "| words | meaning | example |\n|---|---|---|\n")
	for row := range strings.Lines(forms) {
		form, _, isRow := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		if !isRow {
			break
		}
		if drawIdiom[form] == nil {
			t.Errorf("no idiom of the form %s is drawn", form)
		}
	}
	db := openIndex(t)
	rapid.Check(t, func(rt *rapid.T) {
		a := asked{TB: rt, tb: t, db: db, oracle: oracle{handoffs: drawCollection(rt)}}
		a.lay(true)
		d := drawer{rt, a.handoffs}
		for _, form := range sortedKeys(drawIdiom) {
			drawn := drawIdiom[form](rt)
			beside := oneOf(rt, "", " ("+d.leaf()+")", ` "token"`)
			if _, err := query.Parse(drawn.long+beside, oracleEnv); err != nil {
				continue
			}
			idiom, long := a.parsed(drawn.words+beside), a.parsed(drawn.long+beside)
			idiom.differ("canonical form", long.q.Canonical(), idiom.q.Canonical())
			idiom.differ("page", long.page(long.q), hids(t, db, idiom.plan))
			if idiom.q.CountBy != nil {
				idiom.differ("counts", long.matches(long.q).buckets(long.q.CountBy), table(t, db, *idiom.plan.Buckets))
			}
			if len(idiom.q.Notes) == 0 || !slices.ContainsFunc(idiom.q.Notes, func(note string) bool { return strings.HasPrefix(note, `read "`) }) {
				rt.Fatalf("%s: nothing tells how it was read: %q", idiom.text, idiom.q.Notes)
			}
		}
	})
}
