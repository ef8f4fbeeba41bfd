package index

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A dated is a content with what tidying asks of it.
type dated struct {
	*copyOf
	size     int64
	mtime    int64 // nanoseconds
	replaced time.Time
}

// tidy answers the copies that are left when what is too old or too much was
// removed, and what a write that died left behind. The newest content of each
// path stays, and all of an archive that is frozen.
func (a *archive) tidy() map[string][]*copyOf {
	copies := a.copies(nil)
	total, list := a.replaced(copies)
	if a.frozen {
		return copies
	}
	a.sweep()
	limit := a.now().AddDate(0, 0, -a.KeepDays)
	for _, d := range list {
		old := a.KeepDays > 0 && d.replaced.Before(limit)
		large := a.MaxBytes > 0 && total > a.MaxBytes
		if (large || old) && a.remove(d, large) {
			total -= d.size
			copies[d.key] = slices.DeleteFunc(copies[d.key], func(v *copyOf) bool { return v == d.copyOf })
		}
	}
	return copies
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
			group = append(group, dated{copyOf: v, size: st.Size, mtime: st.MtimeNS})
		}
		slices.SortFunc(group, func(x, y dated) int {
			return cmp.Or(cmp.Compare(x.mtime, y.mtime), strings.Compare(x.name, y.name))
		})
		for i := range len(group) - 1 {
			group[i].replaced = time.Unix(0, group[i+1].mtime)
			list = append(list, group[i])
		}
	}
	maps.DeleteFunc(held, func(_ string, list []*copyOf) bool { return len(list) == 0 })
	slices.SortStableFunc(list, func(x, y dated) int { return x.replaced.Compare(y.replaced) })
	return total, list
}

// remove takes a content out of the archive, unless it is what its file holds
// now, or may hold, or is of git, where age means nothing.
func (a *archive) remove(d dated, large bool) bool {
	sidecar := a.sidecar(d.key, d.sum)
	k, err := readSidecar(sidecar)
	if err != nil || k.Commit != "" && !large {
		return false
	}
	if raw, _, err := readSettled(k.Origin, maxFile); err == nil && contentSum(raw) == d.sum || err != nil && !vanished(err) {
		return false
	}
	if os.Remove(sidecar) != nil {
		return false
	}
	a.names.remove(filepath.Base(sidecar))
	if os.Remove(a.path(d.name)) == nil { // or else it is swept
		a.names.remove(d.name)
	}
	return true
}

// leftover is how old what a write left behind must be to be removed.
const leftover = 24 * time.Hour

// sweep removes what writes and removals that died left behind: the next time
// tries again what cannot be removed.
func (a *archive) sweep() {
	limit := a.now().Add(-leftover).UnixNano()
	for _, name := range a.names.others {
		if st, err := lstat(a.path(name)); strings.HasPrefix(name, temporary) && err == nil && st.MtimeNS < limit {
			_ = os.Remove(a.path(name))
		}
	}
	for name := range a.names.has {
		key, sum, rest, _ := cutName(name)
		if rest == sidecarEnd || a.names.holds(key+"-"+sum+sidecarEnd) {
			continue
		}
		if st, err := lstat(a.path(name)); err == nil && st.CtimeNS < limit && os.Remove(a.path(name)) == nil {
			a.names.remove(name)
		}
	}
}
