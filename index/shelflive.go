package index

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
)

// A holding is a content where it can be read, in a root or copied to the archive.
// sum is the first half of its hash.
type holding struct {
	path, sum string
	copied    bool
}

// look collects what the plan and the index say of the files themselves.
func (x *shelf) look(ctx context.Context) error {
	for _, f := range x.plan.gone {
		x.gone[f.path] = true
	}
	for _, f := range x.earlier {
		x.origins[originKey(f.versionOf)] = f.versionOf
	}
	for i := range x.plan.changes {
		c := &x.plan.changes[i]
		x.changed[c.Path] = c
		if c.old == nil {
			x.fresh[c.Stat.Size] = append(x.fresh[c.Stat.Size], c)
		}
		for _, path := range x.formers(c.Path, c.origin) {
			if x.copies[originKey(path)] != nil {
				x.standChanged(path, c)
			}
		}
	}
	var paths []string
	for path, f := range x.p.held {
		if key := originKey(path); f.id >= 0 && x.copies[key] != nil {
			x.origins[key] = path
			x.veiled[path] = x.unseen(path)
			paths = append(paths, path)
		}
	}
	if x.q == nil || len(x.copies) == 0 {
		return nil
	}
	rows, err := x.q.LiveContents(ctx, textList(paths))
	for _, row := range rows {
		if x.gone[row.Path] {
			x.last[row.Path] = row.Sha256
			continue
		}
		if x.changed[row.Path] != nil || row.Sha256 == "" {
			continue
		}
		for _, path := range append(x.formers(row.Path, row.Origin), row.Path) {
			x.live[path] = append(x.live[path], holding{path: row.Path, sum: row.Sha256})
			x.veiled[path] = x.veiled[path] || x.unseen(row.Path)
		}
	}
	return err
}

// standChanged notes what the index will hold of a change that was at a path.
func (x *shelf) standChanged(path string, c *change) {
	sum, ok := c.judge()
	x.veiled[path] = x.veiled[path] || !ok
	if sum != "" {
		x.live[path] = append(x.live[path], holding{path: c.Path, sum: sum})
	}
}

// unseen reports whether a file that the index holds should have been seen but was
// not, or could not be read.
func (x *shelf) unseen(path string) bool {
	_, unread := x.o.unread[path]
	f := x.p.held[path]
	return unread || f != nil && f.id >= 0 && !f.seen && !x.gone[path] && x.p.searched(path, f.root) != nil
}

// formers lists where the file at a path was before.
func (r *refresh) formers(path, origin string) []string {
	list := r.moved().of(path).formers()
	if origin != "" && origin != path && !slices.Contains(list, origin) {
		list = append(list, origin)
	}
	return list
}

// judge is the sum of what the index will hold of a change's file after the
// refresh, "" for no content. ok is false if the file cannot be read.
func (c *change) judge() (sum string, ok bool) {
	if c.judged || c.fault != nil {
		return c.judgment, c.fault == nil
	}
	c.judged = true
	raw, _, err := readSettled(c.Path, maxFile)
	switch {
	case err == nil:
		c.judgment = halfSum(raw)
	case !isNoContent(err):
		c.fault = err
	}
	return c.judgment, c.fault == nil
}

// isNoContent reports whether the error of reading a file says that there is none
// to be indexed, and not that it cannot be read now.
func isNoContent(err error) bool {
	return vanished(err) || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrNotRegular)
}

// standsAt lists what stands when the refresh is done at a path, which comes first,
// or where its file was moved to.
func (x *shelf) standsAt(origin string) []holding {
	if c := x.changed[origin]; c != nil {
		c.archived = true
		x.standChanged(origin, c)
	}
	list := slices.Clone(x.live[origin])
	slices.SortFunc(list, func(a, b holding) int {
		return cmp.Or(cmp.Compare(flag(a.path != origin), flag(b.path != origin)), strings.Compare(a.path, b.path))
	})
	return list
}

// movedTo finds the new files that hold what one which is gone held at last, if
// that is the copy.
func (x *shelf) movedTo(origin string, v *copyOf) (list []holding, _ error) {
	if !x.gone[origin] || x.last[origin] != v.sum[:halfLength] {
		return nil, nil
	}
	st, err := lstat(x.pathOf(v))
	if err != nil {
		return nil, err
	}
	for _, c := range x.fresh[st.Size] {
		sum, ok := c.judge()
		x.veiled[origin] = x.veiled[origin] || !ok
		if sum == v.sum[:halfLength] {
			list = append(list, holding{path: c.Path, sum: sum})
		}
	}
	return list, nil
}
