package cli

import (
	"context"
	"sync"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/serve"
	"handex/index"
	"handex/query"
)

// A kept holds answers of one state of the index: a page is often asked for again,
// by its reader or because it follows.
type kept struct {
	mu         sync.Mutex
	generation uint64
	minute     time.Time // words as "today" are of it
	answers    map[serve.Question]render.Answer
}

// maxKept bounds the answers.
const maxKept = 64

func (k *kept) find(generation uint64, now time.Time, key serve.Question) (render.Answer, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.generation != generation || !k.minute.Equal(now.Truncate(time.Minute)) {
		return render.Answer{}, false
	}
	answer, ok := k.answers[key]
	return answer, ok
}

func (k *kept) put(generation uint64, now time.Time, key serve.Question, answer render.Answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if minute := now.Truncate(time.Minute); k.generation != generation || !k.minute.Equal(minute) || len(k.answers) == maxKept {
		k.generation, k.minute, k.answers = generation, minute, map[serve.Question]render.Answer{}
	}
	k.answers[key] = answer
}

// known answers a query that completes a word; what cannot be answered is nothing.
func (b *backend) known(ctx context.Context, q *query.Query) *index.Result {
	generation, now, key := b.Generation(), b.Now(), serve.Question{Text: q.Canonical(), Facets: completes}
	if answer, ok := b.found.find(generation, now, key); ok {
		return answer.Result
	}
	a := b.request(ctx)
	found, err := a.store.Search(ctx, q, index.SearchOptions{Roots: a.store.roots, NoSnippets: true})
	if err != nil || found == nil {
		return &index.Result{}
	}
	b.found.put(generation, now, key, render.Answer{Result: found})
	return found
}

// madeReports holds reports, which take long to make. One that the index has gone on
// from is still shown for a while, as the time it was made stands on it, and made anew
// meanwhile.
type madeReports struct {
	one    sync.Mutex // is made at a time: it takes the index for long
	again  sync.Mutex // so is one made anew
	mu     sync.Mutex
	list   map[serve.ReportQuestion]serve.Made
	making map[serve.ReportQuestion]bool
}

const (
	maxMade = 32
	maxAge  = 5 * time.Minute

	// Making reports anew is to take a fifth of one core, however often the index
	// changes.
	restAfter = 4
	maxRest   = 10 * time.Second
)

// Report answers a report that was made, or makes it.
func (b *backend) Report(ctx context.Context, q serve.ReportQuestion) (serve.Made, error) {
	fresh := q.Fresh
	q.Fresh = false
	b.made.mu.Lock()
	made, ok := b.made.list[q]
	b.made.mu.Unlock()
	age := b.Now().Sub(made.At)
	switch {
	case ok && made.Generation == b.Generation() && age < time.Minute:
		return made, nil
	case ok && !fresh && age < maxAge:
		go b.renew(q)
		return made, nil
	}
	return b.makeReport(ctx, q)
}

// makeReport makes a report and keeps it. It is of the state of the index that is
// asked for before it is made, or of a later one.
func (b *backend) makeReport(ctx context.Context, q serve.ReportQuestion) (serve.Made, error) {
	b.made.one.Lock()
	defer b.made.one.Unlock()
	made := serve.Made{Generation: b.Generation(), At: b.Now()}
	var err error
	if made.Report, made.Beside, err = b.buildReport(ctx, q); err != nil {
		return made, err
	}
	b.made.mu.Lock()
	defer b.made.mu.Unlock()
	if len(b.made.list) == maxMade {
		b.made.list = map[serve.ReportQuestion]serve.Made{}
	}
	b.made.list[q] = made
	return made, nil
}

// forget drops the reports: a person who has changed something sees it.
func (r *madeReports) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = map[serve.ReportQuestion]serve.Made{}
}

// renew makes a report anew, unless somebody does.
func (b *backend) renew(q serve.ReportQuestion) {
	b.made.mu.Lock()
	busy := b.made.making[q]
	b.made.making[q] = true
	b.made.mu.Unlock()
	if busy {
		return
	}
	b.made.again.Lock()
	start := b.Now()
	// What goes wrong is told to who asks next.
	_, _ = b.makeReport(b.app.ctx, q)
	rest := time.NewTimer(min(restAfter*b.Now().Sub(start), maxRest))
	select {
	case <-rest.C:
	case <-b.app.ctx.Done():
	}
	b.made.again.Unlock()
	b.made.mu.Lock()
	delete(b.made.making, q)
	b.made.mu.Unlock()
}
