// Package ids assigns the ids of handoffs: row ids, which are in the order of time, and public ids.
package ids

import (
	"cmp"
	"strconv"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

// Ids of handoffs are in the order of their sort instants, so that "newest
// first" is a walk down the key of every table: seconds, and where several share
// one, the seconds after it.
const (
	Epoch     = 946684800 // 2000-01-01 UTC
	idWindow  = 256
	maxIDTime = 253402300800 // the year 10000
)

// Base returns the first id to try for a handoff with the given sort instant.
func Base(sort time.Time) int64 {
	return min(max(sort.Unix(), -maxIDTime), maxIDTime) - Epoch
}

// An Allocator assigns ids that are free. Many files can share a second (a fresh clone), so it
// remembers where each run of taken ids ends.
type Allocator struct {
	// taken lists the ids in [low, high) that the index holds; nil if it was
	// empty at first.
	taken  func(low, high int64) ([]int64, error)
	loaded map[int64]bool  // windows that taken was asked for
	after  map[int64]int64 // id that is taken -> one above it to try
	below  map[int64]int64 // base -> the last id that takeBelow gave out for it
}

// New returns an Allocator. taken returns the ids from low, and below high, that the index
// contains; nil means an empty index.
func New(taken func(low, high int64) ([]int64, error)) *Allocator {
	return &Allocator{taken: taken, loaded: map[int64]bool{}, after: map[int64]int64{}, below: map[int64]int64{}}
}

// Take returns the first free id from base up, and takes it.
func (a *Allocator) Take(base int64) (int64, error) {
	id := base
	for {
		if err := a.load(id); err != nil {
			return 0, err
		}
		next, ok := a.after[id]
		if !ok {
			break
		}
		id = next
	}
	for at := base; at != id; {
		next := a.after[at]
		a.after[at] = id + 1
		at = next
	}
	a.after[id] = id + 1
	return id, nil
}

// TakeBelow returns the first free id from base up that is less than other, or else the first free
// one from base down.
func (a *Allocator) TakeBelow(base, other int64) (int64, error) {
	for id := base; id < other; id++ {
		if free, err := a.takeIfFree(id); free || err != nil {
			return id, err
		}
	}
	id := base
	if low, ok := a.below[base]; ok {
		id = low - 1
	}
	for ; ; id-- {
		if free, err := a.takeIfFree(id); free || err != nil {
			a.below[base] = id
			return id, err
		}
	}
}

// takeIfFree takes id if it is free, and reports whether it was.
func (a *Allocator) takeIfFree(id int64) (bool, error) {
	err := a.load(id)
	_, taken := a.after[id]
	if err == nil && !taken {
		a.after[id] = id + 1
	}
	return !taken, err
}

// Reserve prevents an id that has become free from being given out.
func (a *Allocator) Reserve(id int64) { a.after[id] = cmp.Or(a.after[id], id+1) }

// load reads the taken ids near id, once.
func (a *Allocator) load(id int64) error {
	window := id &^ (idWindow - 1)
	if a.taken == nil || a.loaded[window] {
		return nil
	}
	a.loaded[window] = true
	list, err := a.taken(window, window+idWindow)
	if err != nil {
		return err
	}
	for _, id := range list {
		if _, ok := a.after[id]; !ok {
			a.after[id] = id + 1
		}
	}
	return nil
}

// Public returns a public id: the same for the same entry (key) of the same file (origin), whenever
// and however often the index is built. again is increased for an id that another handoff already
// has.
func Public(origin, key string, again int) string {
	text := origin + "\x00" + key
	if again > 0 {
		text += "\x00" + strconv.Itoa(again)
	}
	return "h_" + fsx.ContentSum([]byte(text))[:12]
}
