package query_test

import (
	"database/sql"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The oracle answers queries without an index: from handoffs that are plain
// values, by the text of the language's specification. What SQL finds must be
// the same. See oracle_holds_test.go for how it judges.

// project is a project of the oracle.
type project struct{ root, name string }

// part is a piece of a handoff's text, as the column sections of the index
// tells them: a section of a level from 0 on, more text of the section before
// (-1), or the value of a field (-2).
type part struct {
	kind    string
	level   int
	heading string
	text    string
}

// fact is a value of a field that can have many; note is the outcome of an
// approach.
type fact struct{ name, value, note string }

// broken is a rule a handoff breaks: 1 warns, 2 blocks.
type broken struct {
	severity int
	rule     string
}

// handoff is a handoff of the oracle. Missing is "", nil, or a zero time.
type handoff struct {
	id                                                   int64
	hid                                                  string
	project                                              project
	declared, path, format, session, from, to            string
	status, branch, member, source, version, title, head string
	priority                                             string
	progress, phase                                      *float64
	words                                                int
	start, end, sort, updated, sent                      time.Time
	precision                                            string
	dateOfFile                                           bool // the date is only that of the file
	latest, standing, earlier, escalated                 bool
	legacy, blocked, waiting, acked, link                bool
	parts                                                []part
	facts                                                []fact
	problems                                             []broken
}

var levels = []string{"low", "medium", "high", "critical"}

// severity is that of the worst problem.
func (h *handoff) severity() int {
	worst := 0
	for _, p := range h.problems {
		worst = max(worst, p.severity)
	}
	return worst
}

// columns are the texts of the handoff by column, and what it is called by.
func (h *handoff) columns() map[string]string {
	c := map[string]string{"title": h.title, "head": h.head, "name": h.project.name + "\n" + path.Base(h.path)}
	for _, p := range h.parts {
		if p.level >= 0 {
			c["heading"] += p.heading + "\n"
		}
		c[p.kind] += p.text + "\n"
	}
	return c
}

// layout is the column sections.
func (h *handoff) layout(tb testing.TB) string {
	tb.Helper()
	list := make([][]any, len(h.parts))
	for i, p := range h.parts {
		list[i] = []any{p.kind, p.level, 0, 0, len(p.heading), len(p.text), 0}
	}
	b, err := json.Marshal(list)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

// mark is a token only this handoff has in the column meta.
func (h *handoff) mark() string { return "x0h" + h.hid }

// collection is the handoffs of an index, newest first.
type collection []*handoff

// store replaces what the index holds. The words of meta, which begin
// with x0, are no text.
func (c collection) store(tb testing.TB, db *sql.DB) {
	tb.Helper()
	for _, table := range []string{"handoff", "body", "file", "project", "attr", "problem", "ack", "state"} {
		if _, err := prepared(tb, db, "DELETE FROM "+table).Exec(); err != nil {
			tb.Fatal(err)
		}
	}
	for _, h := range c {
		h.row(tb).insert(tb, db)
	}
}

// storeSlack tells the index how far an id can lie from what its date covers.
func (c collection) storeSlack(tb testing.TB, db *sql.DB) {
	tb.Helper()
	most := int64(0)
	for _, h := range c {
		at := h.id + millennium
		most = max(most, h.end.Unix()+1-at, at-h.start.Unix())
	}
	insertRow(tb, db, "state", map[string]any{"key": "date_slack", "value": strconv.FormatInt(most, 10)})
}

const millennium = 946684800 // ids count seconds from 2000

// row is the handoff as the other tests write it.
func (h *handoff) row(tb testing.TB) row {
	tb.Helper()
	r := row{
		id: h.id, hid: h.hid, date: h.start.UTC().Format(time.RFC3339), project: h.project.root, name: h.project.name, declared: h.declared, path: h.path, format: h.format, acked: h.acked,
		fields: map[string]any{
			"session": h.session, "sender": h.from, "recipient": h.to, "status": h.status, "branch": h.branch, "member": h.member, "source": h.source, "version": h.version, "words": h.words,
			"date": h.start.UnixMilli(), "date_end": h.end.UnixMilli(), "sort": h.sort.UnixMilli(), "date_precision": h.precision, "updated": h.updated.UnixMilli(),
			"latest": h.latest, "standing": h.standing, "earlier": h.earlier, "escalated": h.escalated, "legacy": h.legacy, "blocked": h.blocked, "waiting": h.waiting, "severity": h.severity(), "sections": h.layout(tb),
		},
		body: h.columns(),
	}
	r.body["meta"] = h.mark() + " x0token x0refresh x0"
	if h.dateOfFile {
		r.fields["date_source"] = "mtime"
	}
	if i := slices.Index(levels, h.priority); i >= 0 {
		r.fields["priority"] = i
	}
	if h.progress != nil {
		r.fields["progress"] = *h.progress
	}
	if h.phase != nil {
		r.fields["phase"] = *h.phase
	}
	if !h.sent.IsZero() {
		r.fields["sent"] = h.sent.UnixMilli()
	}
	for _, f := range h.facts {
		r.attrs = append(r.attrs, f.name+"="+f.value+"="+f.note)
	}
	if h.link {
		r.attrs = append(r.attrs, "link=other.md=continues")
	}
	for _, p := range h.problems {
		r.problems = append(r.problems, strconv.Itoa(p.severity)+" "+p.rule)
	}
	return r
}

// encodings are the two names agents give the folder of a project's handoffs.
func encodings(root string) [2]string {
	return [2]string{
		strings.NewReplacer("/", "-", ".", "-").Replace(root),
		regexp.MustCompile("[^a-zA-Z0-9-]").ReplaceAllString(root, "-"),
	}
}

var berlin = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return zone
}()

// values are the values of a field that holds names, none of them empty.
func (h *handoff) values(field string) []string {
	var list []string
	switch field {
	case "project":
		list = []string{h.project.name}
	case "format":
		list = []string{h.format}
	case "id":
		list = []string{h.hid}
	case "session":
		list = []string{h.session}
	case "from":
		list = []string{h.from}
	case "to":
		list = []string{h.to}
	case "agent":
		list = []string{h.from, h.to}
	case "status":
		list = []string{h.status}
	case "branch":
		list = []string{h.branch}
	case "member":
		list = []string{h.member}
	case "path":
		list = []string{h.path}
	case "source":
		list = []string{h.source}
	case "priority":
		list = []string{h.priority}
	case "problem":
		for _, p := range h.problems {
			list = append(list, p.rule)
		}
	default:
		list = h.many(field)
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(s string) bool { return s == "" })
}

// many are the values of item, commit, file, approach and meta.<key>.
func (h *handoff) many(field string) []string {
	var list []string
	for _, f := range h.facts {
		if !strings.EqualFold(f.name, field) {
			continue
		}
		if f.name == "approach" {
			list = append(list, f.note)
		} else {
			list = append(list, f.value)
		}
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
