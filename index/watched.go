package index

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"handex/index/internal/sqlitedb"
)

// Watched reports whether a watcher keeps the index so that Refresh with the
// same arguments would find nothing to do, and answers what that would report
// of files that could not be indexed. Where there is any doubt it is false; it
// takes a millisecond where a watcher answers, and at most a tenth of a second.
//
// Why it may be believed. A beat alone could not be: a file written since would
// be missed. So the watcher is asked, by a new file in a folder whose events it
// takes, and it answers into that file.
//
//   - All events of a watcher come through one queue, and the kernel puts an
//     event there before the call that caused it returns. What was written
//     before the question therefore stands in the queue before the question;
//     the watcher takes all of that first, refreshes if any of it is news, and
//     answers then. Where events come in no such order nobody is asked.
//   - A refresh that follows an event sees the change: its second look at files
//     younger than two seconds does not go by their times.
//   - Which folders have events is decided by the rules of the walk; a folder is
//     watched before it is listed. What makes no event is compared when the
//     question comes: the identity of the roots, and the mounts. A root with
//     anything else that events do not tell (file systems of other machines,
//     files with several names, links out of it, folders that cannot be read or
//     are too many) is in doubt, and roots in doubt are never answered for.
//     Two things go unseen until the next sweep: a write through mapped memory,
//     and one by a second name that a file was given while it was watched.
//   - A dead watcher does not answer, nor does one that was stopped, one on
//     another machine or of the original of a copied folder: no clock, process
//     number or file left behind is believed. They only spare the wait.
//   - The answer names the roots and all else that decides what a refresh finds;
//     claims says when that covers another process's.
//   - The stamp of the index in the answer is the one that is there: nobody has
//     written since, perhaps for other roots.
func (s *Store) Watched(ctx context.Context, scope Scope) (Report, bool) {
	last, ok := s.dir.readBeat()
	if !ok || s.opt.ReadOnly {
		return Report{}, false
	}
	c := claim{Scope: scope, zone: fingerprint(s.opt.Zone), boot: namespace(), program: s.opt.Program}
	if !last.covers(c) || !s.dir.watched() {
		return Report{}, false
	}
	answer, ok := s.ask(ctx)
	if !ok || !answer.Settled || !answer.covers(c) {
		return Report{}, false
	}
	stamp, err := s.currentStamp(ctx)
	if err != nil || stamp == "" || stamp != answer.Stamp {
		return Report{}, false
	}
	return Report{Skipped: c.of(answer.Skipped)}, true
}

// A claim is what a process would refresh.
type claim struct {
	Scope
	zone, boot, program string
}

// of are the files below the roots.
func (c claim) of(list []Skip) []Skip {
	return slices.DeleteFunc(list, func(s Skip) bool {
		return !slices.ContainsFunc(c.Roots, func(r Root) bool { return below(s.Path, filepath.Clean(r.Path)) })
	})
}

// covers reports whether what a watcher refreshes leaves the claim's refresh
// nothing to do.
func (b beat) covers(c claim) bool {
	return b.Boot == c.boot && b.Zone == c.zone && b.Program == c.program && b.Home == c.Home && b.coversRoots(c.Roots) && b.namesAlike(c.Known)
}

// coversRoots: every root is watched, by the same rules and in the same order,
// as the first root that finds a file keeps it. For the same reason no other
// root that is watched may share folders with one of them.
func (b beat) coversRoots(roots []Root) bool {
	at := -1
	for _, r := range roots {
		i := slices.IndexFunc(b.Roots, func(w WatchedRoot) bool { return w.same(r) })
		if i <= at || b.Roots[i].Doubt != "" {
			return false
		}
		at = i
	}
	for _, w := range b.Roots {
		asked := slices.ContainsFunc(roots, w.same)
		if !asked && slices.ContainsFunc(roots, func(r Root) bool {
			path := filepath.Clean(r.Path)
			return below(path, w.Path) || below(w.Path, path)
		}) {
			return false
		}
	}
	return true
}

func (w WatchedRoot) same(r Root) bool {
	return w.Path == filepath.Clean(r.Path) && slices.Equal(w.Include, r.Include) && slices.Equal(w.Exclude, r.Exclude)
}

// namesAlike reports whether projects have the same names with these known
// folders: one that only one side knows matters only where a folder has its
// encoded name.
func (b beat) namesAlike(known []string) bool {
	for _, pair := range [][2][]string{{known, b.Known}, {b.Known, known}} {
		for _, path := range pair[0] {
			if slices.Contains(pair[1], path) {
				continue
			}
			if slices.ContainsFunc(encodings(path), func(name string) bool { return slices.Contains(b.Encoded, name) }) {
				return false
			}
		}
	}
	return true
}

// How long an answer may take, how often is looked for it, and how old the last
// beat may be for a question to be worth asking.
const (
	answerWait = 100 * time.Millisecond
	answerLook = 200 * time.Microsecond
	maxBeatAge = 3 * heartbeat
)

// ask asks the watcher and waits for its answer.
func (s *Store) ask(ctx context.Context) (b beat, ok bool) {
	path := filepath.Join(s.dir.watching(), askPrefix+rand.Text())
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return beat{}, false
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(path)
	}()
	if !s.dir.beatsNow(f) {
		return beat{}, false
	}
	wait := time.NewTimer(answerWait)
	defer wait.Stop()
	look := time.NewTicker(answerLook)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return beat{}, false
		case <-wait.C:
			return beat{}, false
		case <-look.C:
			if b, ok := readAnswer(f); ok {
				return b, true
			}
		}
	}
}

// beatsNow reports whether the last beat is about as old as a file that was
// made now. Both times are of one clock, that of their file system.
func (d folder) beatsNow(now *os.File) bool {
	last, err := os.Stat(d.beat())
	if err != nil {
		return false
	}
	made, err := now.Stat()
	if err != nil {
		return false
	}
	age := made.ModTime().Sub(last.ModTime())
	return age > -maxBeatAge && age < maxBeatAge
}

// readAnswer reads an answer, if all of it is there.
func readAnswer(f *os.File) (b beat, ok bool) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return beat{}, false
	}
	text := make([]byte, info.Size())
	n, err := f.ReadAt(text, 0)
	if err != nil || n == 0 || text[n-1] != answerEnd {
		return beat{}, false
	}
	return b, json.Unmarshal(bytes.TrimSpace(text), &b) == nil
}

// currentStamp names the state of the index: every transaction that writes what
// a refresh found gives it another. Empty while there is no index.
func (s *Store) currentStamp(ctx context.Context) (stamp string, err error) {
	err = s.transaction(ctx, "read index", func(q *sqlitedb.Queries) error {
		facts, err := q.Facts(ctx)
		for _, f := range facts {
			if f.Key == factStamp {
				stamp = f.Value
			}
		}
		return err
	})
	if errors.Is(err, ErrNoIndex) {
		err = nil
	}
	return stamp, err
}

// WatchState is what a living watcher says of itself.
type WatchState struct {
	PID     int
	Folders int  // whose events it takes
	Settled bool // no change waits to be indexed
	Roots   []WatchedRoot
}

// WatchState answers how the index is watched; nil if no watcher lives.
func (s *Store) WatchState() *WatchState {
	b, ok := s.dir.readBeat()
	if !ok || !s.dir.watched() {
		return nil
	}
	return &WatchState{PID: b.PID, Folders: b.Folders, Settled: b.Settled, Roots: b.Roots}
}
