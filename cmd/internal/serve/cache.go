package serve

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A cache keeps answers by their questions, which are comparable values. An answer is
// fresh while the index and the minute are the same: words as "today" depend on the
// time.
type cache struct {
	ctx        context.Context //nolint:containedctx // ends what nobody waits for
	limit      time.Duration   // for making an answer
	now        func() time.Time
	generation func() uint64

	mu      sync.Mutex
	answers map[any]*cached
	builds  singleflight.Group
}

// cached is a response for the state of the index at the time of the request, or for a
// later one. err is errSlow where there is none.
type cached struct {
	value      any
	err        error
	generation uint64
	at         time.Time
	took       time.Duration
	renewing   bool
}

const (
	// maxAnswers bounds the answers that are kept.
	maxAnswers = 96
	// restAfter keeps the renewals of an answer to a fifth of one core, however often
	// the index changes.
	restAfter = 4
)

func newCache(ctx context.Context, now func() time.Time, generation func() uint64) *cache {
	return &cache{ctx: ctx, limit: answerTime, now: now, generation: generation, answers: map[any]*cached{}}
}

// errLate says that an answer is not there yet; it is still being made.
var errLate = errors.New("the response takes longer")

// getWithin is get for a fresh answer that is waited for no longer than a time, and then
// errLate. Whoever asks again gets what was being made.
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

// get returns the answer to a question. If there is none that is fresh, build makes
// one. Where maxAge allows an older one that is returned, and renewed meanwhile.
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

// lookUp returns an answer that is fresh or younger than maxAge, nil if there is none,
// and whether the caller is to renew it.
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

// build makes an answer and keeps it, or that there is none in the time for it. Whoever
// asks the same meanwhile gets the same.
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

// buildKey is a question about one state of the index.
func buildKey(question any, generation uint64) string {
	return fmt.Sprintf("%d %T %+v", generation, question, question)
}

// forget drops all answers: a person who has changed something sees it.
func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.answers)
}
