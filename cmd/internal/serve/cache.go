package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A cache keeps answers by their questions, which are comparable values. An answer is fresh
// while the index and the minute are the same, as words such as "today" depend on the time.
type cache struct {
	ctx        context.Context //nolint:containedctx // ends what nobody waits for
	limit      time.Duration   // for making an answer
	now        func() time.Time
	generation func() uint64

	mu      sync.Mutex
	answers map[any]*cached
	builds  singleflight.Group
}

// cached is an answer for the state of the index at the time of its request, or a later
// state. err is errSlow if the answer took too long.
type cached struct {
	value      any
	err        error
	generation uint64
	at         time.Time
	took       time.Duration
	renewing   bool
}

// Limits of the cache.
const (
	// maxAnswers is the maximum number of answers in the cache.
	maxAnswers = 96
	// restAfter says when an answer is renewed at the earliest, in multiples of the time
	// that making it took. It keeps renewals to a fifth of one core, however often the
	// index changes.
	restAfter = 4
)

func newCache(ctx context.Context, now func() time.Time, generation func() uint64) *cache {
	return &cache{ctx: ctx, limit: answerTime, now: now, generation: generation, answers: map[any]*cached{}}
}

// errLate is the error for an answer that is still being made.
var errLate = errors.New("the response takes longer")

// getWithin returns a fresh answer to a question like get, but waits no longer than wait.
// After that it returns errLate while build continues; whoever asks again gets its answer.
func (c *cache) getWithin(wait time.Duration, question any, build func(context.Context) (any, error)) (*cached, error) {
	type outcome struct {
		answer *cached
		err    error
	}
	generation := c.generation()
	if known, _ := c.lookUp(question, generation, 0); known != nil {
		return known, known.err
	}
	made := make(chan outcome, 1)
	go func() {
		answer, err := c.build(question, generation, build)
		made <- outcome{answer, err}
	}()
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case o := <-made:
		return o.answer, o.err
	case <-late.C:
		return nil, errLate
	}
}

// get returns the answer to a question. If there is no fresh one, build makes it. An older
// answer that is younger than maxAge is returned at once, and renewed in the background if
// that is due.
func (c *cache) get(question any, maxAge time.Duration, build func(context.Context) (any, error)) (*cached, error) {
	generation := c.generation()
	known, renew := c.lookUp(question, generation, maxAge)
	if known == nil {
		return c.build(question, generation, build)
	}
	if renew {
		go func() {
			if _, err := c.build(question, generation, build); err != nil {
				c.forget() // the next request gets the error
			}
		}()
	}
	return known, known.err
}

// lookUp returns the answer to a question if it is fresh or younger than maxAge, else nil.
// renew says that the caller has to renew it.
func (c *cache) lookUp(question any, generation uint64, maxAge time.Duration) (known *cached, renew bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	known = c.answers[question]
	switch {
	case known == nil:
	case known.generation == generation && known.at.Truncate(time.Minute).Equal(now.Truncate(time.Minute)):
	case known.err != nil, now.Sub(known.at) >= maxAge:
		known = nil
	case !known.renewing && now.Sub(known.at) >= restAfter*known.took:
		known.renewing, renew = true, true
	}
	return known, renew
}

// build calls the given function to make an answer and keeps the answer, or that making it
// took too long. Calls with the same question at the same time share one result.
func (c *cache) build(question any, generation uint64, build func(context.Context) (any, error)) (*cached, error) {
	made, err, _ := c.builds.Do(buildKey(question, generation), func() (any, error) {
		made := &cached{generation: generation, at: c.now()}
		made.err = within(c.ctx, c.limit, func(ctx context.Context) (err error) {
			made.value, err = build(ctx)
			return err
		})
		if made.err != nil && !errors.Is(made.err, errSlow) {
			return nil, made.err
		}
		made.took = c.now().Sub(made.at)
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.answers) >= maxAnswers {
			clear(c.answers)
		}
		c.answers[question] = made
		return made, made.err
	})
	if err != nil {
		return nil, err
	}
	return made.(*cached), nil
}

// buildKey returns a key for a question about one generation of the index.
func buildKey(question any, generation uint64) string {
	return fmt.Sprintf("%d %T %+v", generation, question, question)
}

// forget removes all answers, so that a person who changed something sees the change.
func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.answers)
}
