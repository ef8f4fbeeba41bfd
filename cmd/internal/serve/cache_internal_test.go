package serve

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// clock is a time and a state of the index that a test changes.
type clock struct {
	at         atomic.Int64 // in seconds
	generation atomic.Uint64
}

func (c *clock) now() time.Time { return time.Unix(c.at.Load(), 0).UTC() }

func (c *clock) cacheOf(t *testing.T) *cache {
	t.Helper()
	return newCache(t.Context(), c.now, c.generation.Load)
}

// counted answers with how often it was asked.
func counted() (build func(context.Context) (any, error), asked *atomic.Int32) {
	asked = &atomic.Int32{}
	return func(context.Context) (any, error) { return int(asked.Add(1)), nil }, asked
}

func expect(t *testing.T, c *cache, maxAge time.Duration, build func(context.Context) (any, error), want int) {
	t.Helper()
	got, err := c.get("q", maxAge, build)
	if err != nil || got.value != want {
		t.Errorf("the answer is %v, %v, want %d", got, err, want)
	}
}

// An answer is kept for as long as the index and the minute are the same.
func TestCacheKeepsFreshAnswers(t *testing.T) {
	var now clock
	c := now.cacheOf(t)
	build, _ := counted()
	expect(t, c, 0, build, 1)
	now.at.Store(59)
	expect(t, c, 0, build, 1)
	now.at.Store(60)
	expect(t, c, 0, build, 2)
	now.generation.Add(1)
	expect(t, c, 0, build, 3)
	expect(t, c, 0, build, 3)
	c.forget()
	expect(t, c, time.Hour, build, 4)
}

// One that may be old is returned at once, and made anew meanwhile.
func TestCacheRenewsOldAnswers(t *testing.T) {
	var now clock
	c := now.cacheOf(t)
	build, asked := counted()
	expect(t, c, time.Minute, build, 1)
	now.generation.Add(1)
	expect(t, c, time.Minute, build, 1)
	for asked.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	now.at.Store(3600)
	if got, err := c.get("q", time.Minute, build); err != nil || got.value.(int) < 2 {
		t.Errorf("an hour later the answer is %v, %v", got, err)
	}
}

// What failed is asked again.
func TestCacheKeepsNoError(t *testing.T) {
	var now clock
	c := now.cacheOf(t)
	failed := errors.New("failed")
	if _, err := c.get("q", time.Hour, func(context.Context) (any, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("the error is %v", err)
	}
	build, _ := counted()
	expect(t, c, 0, build, 1)
}

// Who asks the same at once waits for one answer.
func TestCacheAsksOnce(t *testing.T) {
	var now clock
	c := now.cacheOf(t)
	entered, end := make(chan bool), make(chan bool)
	var asked atomic.Int32
	build := func(context.Context) (any, error) {
		if asked.Add(1) == 1 {
			close(entered)
		}
		<-end
		return 1, nil
	}
	answers := make(chan any, 8)
	ask := func() {
		got, _ := c.get("q", 0, build)
		answers <- got.value
	}
	go ask()
	<-entered
	for range 7 {
		go ask()
	}
	close(end)
	for range 8 {
		if got := <-answers; got != 1 {
			t.Errorf("the answer is %v", got)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("it was asked %d times", n)
	}
}
