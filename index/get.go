package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"handex/index/internal/sqlitedb"
	"handex/parse"
)

// unlessEmpty takes ErrNoIndex for the answer of an index that holds nothing, unless
// that index was removed.
func unlessEmpty(err error) error {
	if errors.Is(err, ErrNoIndex) && !errors.Is(err, errRemoved) {
		return nil
	}
	return err
}

// idDigits are the hex digits of an id or the beginning of one, "" where ref is
// neither.
func idDigits(ref string) string {
	digits := strings.TrimPrefix(ref, "h_")
	if len(digits) < 4 || len(digits) > 12 || strings.Trim(digits, "0123456789abcdef") != "" {
		return ""
	}
	return digits
}

// Find resolves what a person typed: an id or the beginning of one (4 hex digits
// or more, with or without "h_"), a session or the beginning of one (4
// characters or more), or a path, absolute or relative to wd, which names all
// handoffs of the file. Newest first, but those of a file in its order. Earlier
// versions of files are named by their ids and where the archive keeps them; by
// the path they were at, the newest is, if nothing stands there now. The errors are *NotFoundError and, where several handoffs are not of one file,
// *AmbiguousError.
func (s *Store) Find(ctx context.Context, ref, wd string) ([]Summary, error) {
	var list []Summary
	err := s.transaction(ctx, "find", func(q *sqlitedb.Queries) error {
		ids, err := find(ctx, q, ref, wd)
		if err == nil {
			list, err = s.summaries(ctx, q, ids)
		}
		if err == nil && slices.ContainsFunc(list, func(h Summary) bool { return !h.isNamed(ref, wd) }) {
			err = rowMismatch(ref)
		}
		return err
	})
	switch {
	case unlessEmpty(err) != nil:
		return nil, err
	case len(list) == 0:
		return nil, s.notFound(ctx, ref)
	}
	for _, other := range list[1:] {
		if other.Path != list[0].Path {
			return nil, &AmbiguousError{Ref: ref, Candidates: list}
		}
	}
	return list, nil
}

// isNamed reports whether ref is a name of the handoff, as find reads it.
func (h *Summary) isNamed(ref, wd string) bool {
	path := ref
	if !filepath.IsAbs(path) {
		path = filepath.Join(wd, path)
	}
	digits := idDigits(ref)
	return digits != "" && strings.HasPrefix(h.ID, "h_"+digits) || h.Path == filepath.Clean(path) || h.VersionOf == filepath.Clean(path) ||
		len(h.Session) >= len(ref) && strings.EqualFold(h.Session[:len(ref)], ref)
}

// rowMismatch is an index of a table that leads to rows it does not speak of.
func rowMismatch(by string) error {
	return fmt.Errorf("%w: %q leads to another handoff", ErrCorrupt, by)
}

// find answers ids for the first reading of ref that fits anything.
func find(ctx context.Context, q *sqlitedb.Queries, ref, wd string) ([]int64, error) {
	readings := []func() ([]int64, error){
		func() ([]int64, error) {
			digits := idDigits(ref)
			if digits == "" {
				return nil, nil
			}
			return q.IDsOfHID(ctx, sqlitedb.IDsOfHIDParams{Low: "h_" + digits, High: "h_" + digits + "g"})
		},
		func() ([]int64, error) {
			path := ref
			if !filepath.IsAbs(path) {
				path = filepath.Join(wd, path)
			}
			path = filepath.Clean(path)
			ids, err := q.IDsOfPath(ctx, path)
			if err != nil || len(ids) > 0 {
				return ids, err
			}
			return newestVersion(ctx, q, path)
		},
		func() ([]int64, error) {
			if len(ref) < 4 {
				return nil, nil
			}
			return idsOfSession(ctx, q, ref)
		},
	}
	for _, read := range readings {
		if ids, err := read(); err != nil || len(ids) > 0 {
			return ids, err
		}
	}
	return nil, nil
}

// idsOfSession leaves earlier versions out where the session wrote what is there.
func idsOfSession(ctx context.Context, q *sqlitedb.Queries, prefix string) ([]int64, error) {
	all, err := q.IDsOfSession(ctx, prefix)
	if err != nil || len(all) < 2 {
		return all, err
	}
	live, err := q.LiveIDs(ctx, numberList(all))
	if len(live) > 0 {
		all = live
	}
	return all, err
}

// newestVersion finds the handoffs of the last file that is known to have been at
// a path.
func newestVersion(ctx context.Context, q *sqlitedb.Queries, path string) ([]int64, error) {
	rows, err := q.VersionsOf(ctx, textList([]string{path}))
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

// notFound looks for ids and sessions that begin like ref.
func (s *Store) notFound(ctx context.Context, ref string) error {
	e := &NotFoundError{Ref: ref}
	short := strings.TrimPrefix(ref, "h_")
	if len(short) < 3 || strings.ContainsRune(ref, filepath.Separator) {
		return e
	}
	err := s.transaction(ctx, "find", func(q *sqlitedb.Queries) error {
		ids, err := q.IDsOfHID(ctx, sqlitedb.IDsOfHIDParams{Low: "h_" + short[:3], High: "h_" + short[:3] + "g"})
		if err == nil && len(ids) == 0 {
			ids, err = q.IDsOfSession(ctx, short[:3])
		}
		if err != nil {
			return err
		}
		list, err := s.summaries(ctx, q, ids[:min(3, len(ids))])
		for _, h := range list {
			e.Near = append(e.Near, h.ID)
		}
		return err
	})
	if unlessEmpty(err) != nil {
		return err
	}
	return e
}

// Summaries answers what is shown of the handoffs with these public ids, in
// their order; an id that the index does not hold is left out.
func (s *Store) Summaries(ctx context.Context, hids []string) ([]Summary, error) {
	var list []Summary
	err := s.transaction(ctx, "read handoffs", func(q *sqlitedb.Queries) error {
		rows, err := q.IDsOfHIDs(ctx, textList(hids))
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
		list, err = s.summaries(ctx, q, ids)
		for _, h := range list {
			if _, ok := byHID[h.ID]; !ok {
				return rowMismatch(h.ID)
			}
		}
		return err
	})
	return list, unlessEmpty(err)
}

// Latest returns the latest handoff of each format of the project that dir is
// in, newest first. dir is the project's root or a folder below it. A project
// that is not known has none.
func (s *Store) Latest(ctx context.Context, dir string) ([]Summary, error) {
	var list []Summary
	err := s.transaction(ctx, "read project", func(q *sqlitedb.Queries) error {
		found, err := nearestProject(ctx, q, dir, q.LatestOfProjects)
		if err != nil || found == nil {
			return err
		}
		if list, err = s.summaries(ctx, q, found.ids); err != nil {
			return err
		}
		for _, h := range list {
			if err := found.check(h.Root); err != nil {
				return err
			}
		}
		return nil
	})
	return list, unlessEmpty(err)
}

// A foundProject is what nearestProject found.
type foundProject struct {
	roots    []string // the names it can have as root
	projects string   // a JSON array
	ids      []int64  // of handoffs
}

// check refuses a handoff of another project.
func (p *foundProject) check(root string) error {
	if !slices.Contains(p.roots, root) {
		return rowMismatch(p.roots[0])
	}
	return nil
}

// nearestProject finds the nearest project that dir is in of which pick returns
// handoffs, nil if there is none: by its root, and by the encoded names of the
// root, under which handoffs stand whose folder shares its name with another.
// The other encodings are asked only where the contract's own has nothing.
func nearestProject(
	ctx context.Context, q *sqlitedb.Queries, dir string, pick func(ctx context.Context, projects string) ([]int64, error),
) (*foundProject, error) {
	for _, root := range upwards(dir) {
		names := encodings(root)
		for _, roots := range [][]string{{root, names[0]}, names[1:]} {
			projects, err := q.ProjectsByRoot(ctx, textList(roots))
			if err != nil {
				return nil, err
			}
			list := numberList(projects)
			ids, err := pick(ctx, list)
			if err != nil {
				return nil, err
			}
			if len(ids) > 0 {
				return &foundProject{roots, list, ids}, nil
			}
		}
	}
	return nil, nil
}

// upwards lists dir and the folders it is in.
func upwards(dir string) []string {
	dir = filepath.Clean(dir)
	list := []string{dir}
	for up := filepath.Dir(dir); up != dir; up = filepath.Dir(dir) {
		dir = up
		list = append(list, dir)
	}
	return list
}

// Load answers everything the index knows of the handoff with a public id, or
// *NotFoundError. Places in the file are lines; offsets are not kept.
func (s *Store) Load(ctx context.Context, hid string) (*Handoff, error) {
	var h *Handoff
	err := s.transaction(ctx, "read handoff", func(q *sqlitedb.Queries) error {
		rows, err := q.IDsOfHIDs(ctx, textList([]string{hid}))
		if err != nil || len(rows) == 0 {
			return err
		}
		h, err = s.load(ctx, q, rows[0].ID)
		if h != nil && h.ID != hid {
			return rowMismatch(hid)
		}
		return err
	})
	if err := unlessEmpty(err); err != nil {
		return nil, err
	}
	if h == nil {
		return nil, s.notFound(ctx, hid)
	}
	return h, nil
}

func (s *Store) load(ctx context.Context, q *sqlitedb.Queries, id int64) (*Handoff, error) {
	list, err := s.loadAll(ctx, q, []int64{id})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// loadAll reads handoffs whole, in the order of the ids, which come from the
// index in the same transaction.
func (s *Store) loadAll(ctx context.Context, q *sqlitedb.Queries, ids []int64) ([]*Handoff, error) {
	cards, err := s.summaries(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	return wholeOf(ctx, q, cards, ids)
}

// wholeOf reads the rest of handoffs of which the summaries are known.
func wholeOf(ctx context.Context, q *sqlitedb.Queries, cards []Summary, ids []int64) ([]*Handoff, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list := make([]*Handoff, len(ids))
	byID := make(map[int64]*Handoff, len(ids))
	for i, id := range ids {
		list[i] = &Handoff{Summary: cards[i]}
		byID[id] = list[i]
	}
	if err := readBodies(ctx, q, byID, numberList(ids)); err != nil {
		return nil, err
	}
	attrs, problems, err := factsOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	addAttrs(byID, attrs)
	for _, p := range problems {
		h := byID[p.HandoffID]
		h.Problems = append(h.Problems, parse.Problem{Severity: parse.Severity(p.Severity), Rule: p.Rule, Line: int(p.Line), Message: p.Message})
	}
	return list, nil
}

// readBodies fills in the texts of handoffs, and the items in them.
func readBodies(ctx context.Context, q *sqlitedb.Queries, byID map[int64]*Handoff, ids string) error {
	bodies, err := q.Bodies(ctx, ids)
	if err != nil {
		return err
	}
	if len(bodies) != len(byID) {
		return fmt.Errorf("%w: a handoff has no text", ErrCorrupt)
	}
	var scratch rows
	for i := range bodies {
		b, err := unpack(&scratch, &bodies[i])
		if err != nil {
			return err
		}
		h := byID[bodies[i].ID]
		h.Head, h.Sections = b.head, sectionsOf(b.pieces)
		for _, p := range b.pieces {
			if p.level == levelField {
				h.Lines = append(h.Lines, parse.Field{Key: string(p.kind), Value: p.text, Span: parse.Span{Line: p.line, EndLine: p.end}})
				continue
			}
			h.Items = append(h.Items, p.items()...)
		}
	}
	return nil
}

// addAttrs fills in the facts of handoffs. An approach without a text is the list
// item on its line.
func addAttrs(byID map[int64]*Handoff, attrs []sqlitedb.Attr) {
	var of *Handoff
	var items map[int]string
	for _, a := range attrs {
		h := byID[a.HandoffID]
		if h != of {
			of, items = h, nil
		}
		if a.Name == "approach" && a.Value == "" {
			if items == nil {
				items = itemLines(h.Items)
			}
			a.Value = items[int(a.Line)]
		}
		h.addAttr(a)
	}
}

// kindAt is the kind of the section that a line of the file belongs to.
func (h *Handoff) kindAt(line int) parse.Kind {
	for _, s := range slices.Backward(h.Sections) {
		if s.Span.Line <= line && line <= s.Span.EndLine {
			return s.Kind
		}
	}
	return ""
}

func (h *Handoff) addAttr(a sqlitedb.Attr) {
	line := int(a.Line)
	switch a.Name {
	case "file":
		h.Files = append(h.Files, parse.File{Path: a.Value, Action: a.Note, Section: h.kindAt(line), Line: line})
	case "item":
		h.WorkItems = append(h.WorkItems, a.Value)
	case "approach":
		h.Approaches = append(h.Approaches, parse.Approach{Text: a.Value, Outcome: a.Note, Line: line})
	case "link":
		h.Links = append(h.Links, parse.Link{Relation: a.Note, Target: a.Value, Line: line})
	case "escalation":
		h.Escalations = append(h.Escalations, parse.Line{Number: line, Text: a.Value})
	default:
		key := strings.TrimPrefix(a.Name, "meta.")
		h.Meta = append(h.Meta, parse.Field{Key: key, Label: a.Note, Value: a.Value, Span: parse.Span{Line: line, EndLine: line}})
	}
}
