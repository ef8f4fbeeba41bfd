package index

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// A dated is a content with what tidying asks of it.
type dated struct {
	*copyOf
	size     int64
	written  int64 // nanoseconds
	replaced time.Time
}

// tidy is list after what is too old or too much was removed, and what a write
// that died left behind. The newest content of each path stays. ok is false where
// the archive cannot be listed; fault says why.
func (a *archive) tidy() (held map[string][]*copyOf, ok bool) {
	if held, a.fault = a.list(nil); a.fault != nil || len(held) == 0 {
		return nil, a.fault == nil
	}
	a.sweep()
	total, list := a.replaced(held)
	limit := a.now().AddDate(0, 0, -a.KeepDays)
	for _, d := range list {
		old := a.KeepDays > 0 && d.replaced.Before(limit)
		large := a.MaxBytes > 0 && total > a.MaxBytes
		if (large || old) && a.remove(d, large) {
			total -= d.size
			held[d.key] = slices.DeleteFunc(held[d.key], func(v *copyOf) bool { return v == d.copyOf })
		}
	}
	return held, true
}

// replaced lists the contents that another one came after, the one first that
// was replaced first, and answers the size of the whole archive.
func (a *archive) replaced(held map[string][]*copyOf) (total int64, list []dated) {
	for _, key := range slices.Sorted(maps.Keys(held)) {
		var group []dated
		for _, v := range held[key] {
			st, err := lstat(a.path(v.name))
			switch {
			case err != nil && !vanished(err): // what cannot be looked at now may be there
				continue
			case err != nil, st.Size == 0: // as a crash leaves it: nothing empty is kept
				held[key] = slices.DeleteFunc(slices.Clone(held[key]), func(c *copyOf) bool { return c == v })
				continue
			}
			total += st.Size
			group = append(group, dated{copyOf: v, size: st.Size, written: st.MtimeNS})
		}
		slices.SortFunc(group, func(x, y dated) int {
			return cmp.Or(cmp.Compare(x.written, y.written), strings.Compare(x.name, y.name))
		})
		for i := range len(group) - 1 {
			group[i].replaced = time.Unix(0, group[i+1].written)
			list = append(list, group[i])
		}
	}
	maps.DeleteFunc(held, func(_ string, list []*copyOf) bool { return len(list) == 0 })
	slices.SortStableFunc(list, func(x, y dated) int { return x.replaced.Compare(y.replaced) })
	return total, list
}

// remove takes a content out of the archive, unless it is what its file holds
// now, or is of git, where age means nothing.
func (a *archive) remove(d dated, large bool) bool {
	k, err := readSidecar(a.sidecar(d.key, d.sum))
	if err != nil || k.Commit != "" && !large || digestOf(k.Origin) == d.sum {
		return false
	}
	return os.Remove(a.sidecar(d.key, d.sum)) == nil && os.Remove(a.path(d.name)) == nil
}

// leftover is how old what a write left behind must be to be removed.
const leftover = 24 * time.Hour

// sweep removes what writes that died left behind.
func (a *archive) sweep() {
	names, err := a.names()
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, temporary) {
			continue
		}
		if st, err := lstat(a.path(name)); err == nil && st.MtimeNS < a.now().Add(-leftover).UnixNano() {
			_ = os.Remove(a.path(name)) // the next time tries again
		}
	}
}
