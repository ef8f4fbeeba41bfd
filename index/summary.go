package index

import (
	"context"
	"strings"
	"time"

	"handex/index/internal/sqlitedb"
	"handex/parse"
)

// summaries reads what is shown of handoffs, in the order of the ids. One that
// is gone by now is left out.
func (s *Store) summaries(ctx context.Context, q *sqlitedb.Queries, ids []int64) ([]Summary, []int64, error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	rows, err := q.Summaries(ctx, numberList(ids))
	if err != nil {
		return nil, nil, err
	}
	byID := make(map[int64]*sqlitedb.SummariesRow, len(rows))
	for i := range rows {
		byID[rows[i].ID] = &rows[i]
	}
	list := make([]Summary, 0, len(rows))
	found := make([]int64, 0, len(rows))
	for _, id := range ids {
		if row := byID[id]; row != nil {
			list = append(list, s.summary(row))
			found = append(found, id)
		}
	}
	return list, found, nil
}

func (s *Store) summary(r *sqlitedb.SummariesRow) Summary {
	at := func(ms int64) time.Time { return time.UnixMilli(ms).In(s.opt.Zone) }
	return Summary{
		ID: r.Hid, Project: r.Project, Root: r.Root, Format: r.Format, Path: r.Path, Entry: int(r.Entry),
		Session: r.Session, From: r.Sender, To: r.Recipient,
		Date: at(r.Date), DateEnd: at(r.DateEnd), DateSource: r.DateSource, DatePrecision: r.DatePrecision, Updated: at(r.Updated),
		Title: r.Title, Goal: firstText(r.Goal), Status: r.Status, Branch: r.Branch, States: s.states(r),
	}
}

// firstText is the first line of text that says something, without the mark of
// a list item.
func firstText(text string) string {
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

// states names what is true of a handoff, in the words of is:, leaving out what
// Status says and that nothing is wrong.
func (s *Store) states(r *sqlitedb.SummariesRow) []string {
	closed := r.Status == "completed" || r.Status == "sent" || r.Latest == 0 || r.Acked == 1
	stale := !closed && time.UnixMilli(r.Date).Before(s.opt.Now().Add(-s.opt.Stale))
	var list []string
	for _, state := range []struct {
		name string
		on   bool
	}{
		{"open", !closed},
		{"closed", closed},
		{"escalated", r.Escalated == 1},
		{"blocked", r.Blocked == 1},
		{"latest", r.Latest == 1},
		{"superseded", r.Latest == 0},
		{"stale", stale},
		{"acked", r.Acked == 1},
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
