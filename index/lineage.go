package index

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
)

// decide finds the earlier versions among the copies of what was at one path, and
// has those read that are new, or that something else came after than before.
func (x *shelf) decide(copies []*copyOf) {
	origin, ok := x.originOf(copies)
	if !ok {
		x.leave(copies)
		return
	}
	s := x.scanOf(origin)
	if s == nil || x.passedOver(origin) {
		return
	}
	list, live, ok := x.lineage(origin, copies)
	if !ok {
		x.leave(copies)
		return
	}
	later := make([]holding, 0, len(list)+len(live))
	for _, v := range list {
		later = append(later, holding{x.pathOf(v), v.sum[:halfLength], true})
	}
	later = append(later, live...)
	for i, v := range list {
		s.earlier, x.wanted[x.pathOf(v)] = true, true
		x.place(v, origin, s, later[i+1:])
	}
}

// lineage is what was at a path in the order it was written, and what stands there
// now. ok is false if that cannot be made out.
func (x *shelf) lineage(origin string, copies []*copyOf) (list []*copyOf, live []holding, ok bool) {
	live = x.standsAt(origin)
	for _, v := range copies {
		if slices.ContainsFunc(live, func(s holding) bool { return s.sum == v.sum[:halfLength] }) {
			continue
		}
		to, err := x.movedTo(origin, v)
		if live = append(live, to...); len(to) > 0 {
			continue
		}
		if err == nil {
			err = x.date(v)
		}
		switch {
		case err == nil:
			list = append(list, v)
		case vanished(err): // it was removed meanwhile
			x.unsure = true
		default:
			x.doubtful(x.pathOf(v), err)
			return nil, nil, false
		}
	}
	if x.veiled[origin] {
		x.unsure = true
		return nil, nil, false
	}
	slices.SortFunc(list, func(a, b *copyOf) int { return cmp.Or(cmp.Compare(a.written, b.written), cmp.Compare(a.sum, b.sum)) })
	return list, live, true
}

// date finds out when a copy was written. Its sidecar is as it was read if the copy
// is.
func (x *shelf) date(v *copyOf) error {
	if old := x.earlier[x.pathOf(v)]; old != nil && old.stat.CtimeNS == v.mtime {
		v.written = old.stat.MtimeNS
		return nil
	}
	err := x.describe(v)
	v.written = v.Written.UnixNano()
	return err
}

// place has a version read, unless the index has it as it is.
func (x *shelf) place(v *copyOf, origin string, s *scan, later []holding) {
	path := x.pathOf(v)
	old := x.earlier[path]
	if reason, ok := x.o.unread[path]; ok && old != nil {
		x.carry(old)
		x.doubtful(path, errors.New(reason))
		return
	}
	if old != nil && old.root != s.id {
		to := berth{root: s.id}
		x.plan.claims[to] = append(x.plan.claims[to], old.id)
	}
	if old != nil && old.stat.CtimeNS == v.mtime && !x.anew(old, origin) && old.replacedBy(later) {
		return
	}
	if err := x.describe(v); err != nil {
		x.doubtful(path, err)
		x.leave([]*copyOf{v})
		return
	}
	ver := &version{kept: v.kept, sum: v.sum, mtime: v.mtime, later: later}
	x.changes = append(x.changes, change{
		File: File{Path: path, Stat: Stat{Size: v.Size, MtimeNS: v.written}}, scan: s, old: old,
		origin: ver.origin(), force: true, version: ver,
	})
}

// anew reports whether a version must be read again: what it was read with
// changed, or what its project is called.
func (x *shelf) anew(old *indexed, origin string) bool {
	c := x.changed[origin]
	return x.build || old.isOfAnotherZone() || c != nil && c.force || x.p.watch.changed(origin, old.deps) ||
		x.p.reread(&indexed{id: old.id, root: old.root, path: origin})
}

// replacedBy reports whether what came after a version is what it was read with.
func (k *indexed) replacedBy(later []holding) bool {
	if k.deps == "" {
		return true
	}
	var list []dependency
	if json.Unmarshal([]byte(k.deps), &list) != nil {
		return false
	}
	next := ""
	if len(later) > 0 {
		next = later[0].sum
	}
	return !slices.ContainsFunc(list, func(d dependency) bool { return d.size == successor && d.sum != next })
}

// originOf tells which path copies are of.
func (x *shelf) originOf(copies []*copyOf) (string, bool) {
	if origin, ok := x.origins[copies[0].key]; ok {
		return origin, true
	}
	for _, v := range copies {
		err := x.describe(v)
		if err == nil {
			return v.Origin, true
		}
		x.doubtful(x.pathOf(v), err)
	}
	return "", false
}

// describe reads the sidecar of a copy, once.
func (x *shelf) describe(v *copyOf) error {
	if v.Origin != "" {
		return nil
	}
	k, err := readSidecar(x.loader.kept.sidecar(v.key, v.sum))
	if err == nil && originKey(k.Origin) != v.key {
		err = errNotKept
	}
	if err == nil {
		v.kept = k
	}
	return err
}

func (x *shelf) pathOf(v *copyOf) string { return x.loader.kept.path(v.name) }

// doubtful tells why a version cannot be made out for now. What was removed
// meanwhile the next look misses.
func (x *shelf) doubtful(path string, err error) {
	x.unsure = true
	if t := (Trouble{path, reason(err)}); !vanished(err) && !slices.Contains(x.plan.troubles, t) {
		x.plan.troubles = append(x.plan.troubles, t)
	}
}

// leaveAll has a build take over all versions that the index has.
func (x *shelf) leaveAll() {
	if !x.build {
		return
	}
	for _, f := range x.earlier {
		x.carry(f)
	}
}

// carry has a build take a version over as the index has it.
func (x *shelf) carry(f *indexed) { x.plan.kept = append(x.plan.kept, f.id) }

// leave keeps what the index has of copies.
func (x *shelf) leave(copies []*copyOf) {
	for _, v := range copies {
		path := x.pathOf(v)
		x.wanted[path] = true
		if old := x.earlier[path]; old != nil && x.build {
			x.carry(old)
		}
	}
}
