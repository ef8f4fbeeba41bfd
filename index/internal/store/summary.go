package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/parse"
)

// SummariesOf returns the summaries of handoffs, in the order of the row ids. The ids must come
// from the index in the same transaction.
func (s *DB) SummariesOf(ctx context.Context, q *sqlitedb.Queries, ids []int64) ([]Summary, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var scratch Rows
	rows, err := q.Summaries(ctx, NumberList(ids))
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*sqlitedb.SummariesRow, len(rows))
	for i := range rows {
		if err := checkCard(&scratch, &rows[i]); err != nil {
			return nil, err
		}
		byID[rows[i].Handoff.ID] = &rows[i]
	}
	list := make([]Summary, len(ids))
	for i, id := range ids {
		row := byID[id]
		if row == nil {
			return nil, fmt.Errorf("%w: handoff %d has no row, text, file or project", ErrCorrupt, id)
		}
		list[i] = s.summary(row)
	}
	return list, nil
}

// summary returns a row of the query Summaries as a Summary.
func (s *DB) summary(row *sqlitedb.SummariesRow) Summary {
	r := &row.Handoff
	at := func(ms int64) time.Time { return time.UnixMilli(ms).In(s.Options.Zone) }
	return Summary{
		ID: r.Hid, Project: row.Project, Declared: r.Declared, Member: r.Member, Root: row.Root, Format: r.Format,
		Path: row.Path, VersionOf: row.VersionOf, Revision: row.Revision, Entry: int(r.Entry), Digest: r.Digest,
		Session: r.Session, From: r.Sender, To: r.Recipient,
		Date: at(r.Date), DateEnd: at(r.DateEnd), DateSource: r.DateSource, DatePrecision: r.DatePrecision,
		Updated: at(r.Updated),
		Title:   row.Title, Goal: FirstText(row.Goal), Status: r.Status, Branch: r.Branch,
		States: s.states(r, row.Acked == 1),
	}
}

// FirstText returns the first line of text that is not blank or only punctuation, without the mark
// of a list item.
func FirstText(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"- ", "* ", "+ "} {
			line = strings.TrimPrefix(line, mark)
		}
		if line = strings.TrimSpace(line); line != "" && strings.Trim(line, "-*_=#`") != "" {
			return line
		}
	}
	return ""
}

// states returns the states of a handoff, in the words of is:, without those that Status tells and
// without "valid".
func (s *DB) states(r *sqlitedb.Handoff, acked bool) []string {
	closed := r.Status == "completed" || r.Status == "sent" || r.Standing == 0 || acked
	stale := !closed && time.UnixMilli(r.Date).Before(s.Options.Now().Add(-s.Options.Stale))
	var list []string
	for _, state := range []struct {
		name string
		on   bool
	}{
		{"open", !closed},
		{"closed", closed},
		{"escalated", r.Escalated == 1},
		{"blocked", r.Blocked == 1},
		{"waiting", r.Waiting == 1},
		{"latest", r.Latest == 1},
		{"superseded", r.Latest == 0},
		{"stale", stale},
		{"acked", acked},
		{"delegated", r.Recipient != ""},
		{"warned", r.Severity == int64(parse.Warning)},
		{"invalid", r.Severity == int64(parse.Error)},
		{"legacy", r.Legacy == 1},
	} {
		if state.on {
			list = append(list, state.name)
		}
	}
	return list
}

// A Summary is the part of a handoff that every listing shows. Empty strings, nil and the zero time
// mean that the handoff does not say.
type Summary struct {
	ID            string // public id, "h_" and 12 hex digits
	Project       string // name
	Declared      string // the name of a project it gives itself, "" if none
	Member        string // who shared it from another machine, as name@machine; "" for what is on this one
	Root          string // absolute project root, or the encoded directory name
	Format        string
	Path          string // absolute; of an earlier version where the archive keeps it
	VersionOf     string // of an earlier version the path it was at, else ""
	Revision      string // the git commit that version is of, "" if it was kept when it was read
	Entry         int
	Digest        int64 // of what the file says in it, the same in any index
	Session       string
	From, To      string
	Date          time.Time
	DateEnd       time.Time
	DateSource    string
	DatePrecision string
	Updated       time.Time // the file's mtime
	Title         string
	Goal          string // one line
	Status        string
	Branch        string
	States        []string // as language is: names, in the order open escalated blocked waiting latest superseded ...
}

// A Handoff is everything that the index contains of one handoff.
type Handoff struct {
	Summary
	Sections    []parse.Section
	Lines       []parse.Field // goal, state, hypothesis and outcome, where a format gives them as a line
	Items       []parse.Item
	Files       []parse.File
	WorkItems   []string
	Links       []parse.Link
	Approaches  []parse.Approach
	Escalations []parse.Line
	Meta        []parse.Field // "meta.<key>" without the prefix
	Problems    []parse.Problem
	Head        string
}
