package sync

import (
	"context"

	"github.com/OWNER/handex/index/internal/ids"
	"github.com/OWNER/handex/index/internal/store"
)

// hids sets the public id of each handoff of the batch. Two could be equal: where a
// file was moved and another came in its place, or by the chance of 48 bits.
func (w *writer) hids(ctx context.Context, batch []*outcome) (map[*record]string, error) {
	hids := map[*record]string{}
	var want []*record
	origin := map[*record]string{}
	for _, o := range batch {
		o.origin = w.moves.origin(o)
		for _, r := range o.records {
			want = append(want, r)
			origin[r] = o.origin
		}
	}
	used := map[string]bool{}
	for again := 0; len(want) > 0; again++ {
		list := make([]string, len(want))
		for i, r := range want {
			list[i] = ids.Public(origin[r], r.doc.Key, again)
		}
		taken, err := w.q.TakenHIDs(ctx, store.TextList(list))
		if err != nil {
			return nil, err
		}
		for _, hid := range taken {
			used[hid] = true
		}
		var rest []*record
		for i, r := range want {
			if used[list[i]] {
				rest = append(rest, r)
				continue
			}
			used[list[i]] = true
			hids[r] = list[i]
		}
		want = rest
	}
	return hids, nil
}
