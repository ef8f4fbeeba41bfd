package search

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index/internal/sqlitedb"
	"github.com/OWNER/handex/index/internal/store"
)

// NotFoundError says that no handoff has the reference. Near contains ids or
// sessions that look like it.
type NotFoundError struct {
	Ref  string
	Near []string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no handoff has the id, session or path %q", e.Ref)
}

// AmbiguousError says that a reference fits several handoffs, newest first.
type AmbiguousError struct {
	Ref        string
	Candidates []store.Summary
}

func (e *AmbiguousError) Error() string {
	ids := make([]string, 0, 3)
	for _, c := range e.Candidates[:min(3, len(e.Candidates))] {
		ids = append(ids, c.ID)
	}
	more := ""
	if n := len(e.Candidates) - len(ids); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%q is ambiguous: %s%s", e.Ref, strings.Join(ids, ", "), more)
}

// idDigits returns the hex digits of an id or the beginning of one, "" where ref is
// neither.
func idDigits(ref string) string {
	digits, marked := strings.CutPrefix(ref, "h_")
	if len(digits) < 3 && !marked || digits == "" || len(digits) > 12 || strings.Trim(digits, "0123456789abcdef") != "" {
		return ""
	}
	return digits
}

// Find resolves what a person typed: an id or the beginning of one (3 hex digits
// or more, or fewer behind "h_"), a session or the beginning of one (4
// characters or more), or a path, absolute or relative to wd, which names all
// handoffs of the file. Newest first, but those of a file in its order. Earlier
// versions of files are named by their ids and where the archive keeps them; by
// the path they were at, the newest is, if nothing is there now. The errors are
// *NotFoundError and, where several handoffs are not of one file, *AmbiguousError.
func (ix Index) Find(ctx context.Context, ref, wd string) ([]store.Summary, error) {
	var list []store.Summary
	err := ix.Read(ctx, "find", func(q *sqlitedb.Queries) error {
		ids, err := find(ctx, q, ref, wd)
		if err == nil {
			list, err = ix.SummariesOf(ctx, q, ids)
		}
		if err == nil && slices.ContainsFunc(list, func(h store.Summary) bool { return !isNamed(&h, ref, wd) }) {
			err = store.RowMismatch(ref)
		}
		return err
	})
	switch {
	case store.IgnoreNoIndex(err) != nil:
		return nil, err
	case len(list) == 0:
		return nil, ix.NotFound(ctx, ref)
	}
	for _, other := range list[1:] {
		if other.Path != list[0].Path {
			return nil, &AmbiguousError{Ref: ref, Candidates: list}
		}
	}
	return list, nil
}

// isNamed reports whether ref is a name of the handoff, as find reads it.
func isNamed(h *store.Summary, ref, wd string) bool {
	path, digits := absolute(ref, wd), idDigits(ref)
	return digits != "" && strings.HasPrefix(h.ID, "h_"+digits) || h.Path == path || h.VersionOf == path ||
		len(h.Session) >= len(ref) && strings.EqualFold(h.Session[:len(ref)], ref)
}

// absolute returns a path as the index keeps it.
func absolute(path, wd string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(wd, path)
}

// find returns ids for the first reading of ref that fits anything.
func find(ctx context.Context, q *sqlitedb.Queries, ref, wd string) ([]int64, error) {
	if digits := idDigits(ref); digits != "" {
		ids, err := q.IDsOfHID(ctx, sqlitedb.IDsOfHIDParams{Low: "h_" + digits, High: "h_" + digits + "g"})
		if err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	path := absolute(ref, wd)
	ids, err := q.IDsOfPath(ctx, path)
	if err == nil && len(ids) == 0 {
		ids, err = newestVersion(ctx, q, path)
	}
	if err != nil || len(ids) > 0 || len(ref) < 4 {
		return ids, err
	}
	return idsOfSession(ctx, q, ref)
}

// idsOfSession leaves earlier versions out where the session wrote what is there.
func idsOfSession(ctx context.Context, q *sqlitedb.Queries, prefix string) ([]int64, error) {
	all, err := q.IDsOfSession(ctx, prefix)
	if err != nil || len(all) < 2 {
		return all, err
	}
	live, err := q.LiveIDs(ctx, store.NumberList(all))
	if len(live) > 0 {
		all = live
	}
	return all, err
}

// newestVersion finds the handoffs of the last file that is known to have been at
// a path.
func newestVersion(ctx context.Context, q *sqlitedb.Queries, path string) ([]int64, error) {
	rows, err := q.VersionsOf(ctx, store.TextList([]string{path}))
	var ids []int64
	file := int64(0)
	for _, row := range rows {
		if row.VersionOf == path && (file == 0 || row.FileID == file) {
			file = row.FileID
			ids = append(ids, row.ID)
		}
	}
	return ids, err
}

// NotFound returns the error for an unknown ref, with ids and sessions that begin like
// it.
func (ix Index) NotFound(ctx context.Context, ref string) error {
	e := &NotFoundError{Ref: ref}
	short := strings.TrimPrefix(ref, "h_")
	if len(short) < 3 || strings.ContainsRune(ref, filepath.Separator) {
		return e
	}
	err := ix.Read(ctx, "find", func(q *sqlitedb.Queries) error {
		ids, err := q.IDsOfHID(ctx, sqlitedb.IDsOfHIDParams{Low: "h_" + short[:3], High: "h_" + short[:3] + "g"})
		if err == nil && len(ids) == 0 {
			ids, err = q.IDsOfSession(ctx, short[:3])
		}
		if err != nil {
			return err
		}
		list, err := ix.SummariesOf(ctx, q, ids[:min(3, len(ids))])
		for _, h := range list {
			e.Near = append(e.Near, h.ID)
		}
		return err
	})
	if store.IgnoreNoIndex(err) != nil {
		return err
	}
	return e
}

// Summaries returns what is shown of the handoffs with these public ids, in
// their order; an id that the index does not contain is left out.
func (ix Index) Summaries(ctx context.Context, hids []string) ([]store.Summary, error) {
	var list []store.Summary
	err := ix.Read(ctx, "read handoffs", func(q *sqlitedb.Queries) error {
		rows, err := q.IDsOfHIDs(ctx, store.TextList(hids))
		if err != nil {
			return err
		}
		byHID := map[string]int64{}
		for _, row := range rows {
			byHID[row.Hid] = row.ID
		}
		var ids []int64
		for _, hid := range hids {
			if id, ok := byHID[hid]; ok {
				ids = append(ids, id)
			}
		}
		list, err = ix.SummariesOf(ctx, q, ids)
		for _, h := range list {
			if _, ok := byHID[h.ID]; !ok {
				return store.RowMismatch(h.ID)
			}
		}
		return err
	})
	return list, store.IgnoreNoIndex(err)
}

// Load returns everything the index knows of the handoff with a public id, or
// *NotFoundError. Places in the file are lines; offsets are not kept.
func (ix Index) Load(ctx context.Context, hid string) (*store.Handoff, error) {
	var h *store.Handoff
	err := ix.ReadHandoff(ctx, "read handoff", hid, func(q *sqlitedb.Queries, id int64) error {
		list, err := ix.LoadAll(ctx, q, []int64{id})
		if err != nil {
			return err
		}
		if h = list[0]; h.ID != hid {
			return store.RowMismatch(hid)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// ReadHandoff runs f on the row of the handoff with a public id, in one state of the
// index. The error is *NotFoundError if there is none.
func (ix Index) ReadHandoff(ctx context.Context, op, hid string, f func(q *sqlitedb.Queries, id int64) error) error {
	known := false
	err := ix.Read(ctx, op, func(q *sqlitedb.Queries) error {
		found, err := q.IDsOfHIDs(ctx, store.TextList([]string{hid}))
		if err != nil || len(found) == 0 {
			return err
		}
		known = true
		return f(q, found[0].ID)
	})
	if err := store.IgnoreNoIndex(err); err != nil || known {
		return err
	}
	return ix.NotFound(ctx, hid)
}
