package serve

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A cache keeps answers by their questions. An answer is fresh for as long as the
// index is the same and it is the same minute: words as "today" are of one.
type cache struct {
	ctx        context.Context //nolint:containedctx // ends what nobody waits for
	now        func() time.Time
	generation func() uint64

	mu      sync.Mutex
	answers map[any]answered
	making  singleflight.Group
	rest    sync.Mutex // is held by the one answer that is made anew without anybody waiting
	renewed map[any]bool
}

// answered is an answer, of the state of the index that it was asked for in or of a
// later one.
type answered struct {
	value      any
	generation uint64
	at         time.Time
}

const (
	// maxAnswers bounds the answers that are kept.
	maxAnswers = 96

	// Making answers anew is to take a fifth of one core, however often the index
	// changes.
	restAfter = 4
	maxRest   = 10 * time.Second
)

func newCache(ctx context.Context, now func() time.Time, generation func() uint64) *cache {
	return &cache{ctx: ctx, now: now, generation: generation, answers: map[any]answered{}, renewed: map[any]bool{}}
}

// get returns the answer to a question, which build makes if there is none that is
// fresh, or else none younger than maxAge; then it is made anew without being waited
// for. Who asks the same meanwhile waits for the one answer.
func (c *cache) get(question any, maxAge time.Duration, build func(context.Context) (any, error)) (answered, error) {
	c.mu.Lock()
	known, ok := c.answers[question]
	c.mu.Unlock()
	now := c.now()
	switch {
	case ok && known.generation == c.generation() && known.at.Truncate(time.Minute).Equal(now.Truncate(time.Minute)):
		return known, nil
	case ok && now.Sub(known.at) < maxAge:
		go c.renew(question, build)
		return known, nil
	}
	return c.make(question, build)
}

// make builds an answer and keeps it.
func (c *cache) make(question any, build func(context.Context) (any, error)) (answered, error) {
	generation, now := c.generation(), c.now()
	made, err, _ := c.making.Do(fmt.Sprintf("%d %T %+v", generation, question, question), func() (any, error) {
		value, err := build(c.ctx)
		if err != nil {
			return answered{}, err
		}
		made := answered{value, generation, now}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.answers) >= maxAnswers {
			clear(c.answers)
		}
		c.answers[question] = made
		return made, nil
	})
	return made.(answered), err
}

// forget drops all answers: a person who has changed something sees it.
func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.answers)
}

// renew makes an answer anew, unless somebody does, and then rests.
func (c *cache) renew(question any, build func(context.Context) (any, error)) {
	c.mu.Lock()
	busy := c.renewed[question]
	c.renewed[question] = true
	c.mu.Unlock()
	if busy {
		return
	}
	defer func() {
		c.mu.Lock()
		delete(c.renewed, question)
		c.mu.Unlock()
	}()
	c.rest.Lock()
	defer c.rest.Unlock()
	start := c.now()
	// What goes wrong is told to who asks next.
	_, _ = c.make(question, build)
	rest := time.NewTimer(min(restAfter*c.now().Sub(start), maxRest))
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-c.ctx.Done():
	}
}
