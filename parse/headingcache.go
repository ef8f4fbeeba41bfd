package parse

import (
	"strings"
	"sync"
)

// A headingCache remembers what headings are about: the handoffs of a disk have
// a few hundred headings among them, over and over. It keeps the first that
// come, so that a hostile file costs others no more than the benefit.
type headingCache struct {
	mu    sync.RWMutex
	kinds map[string]Kind
}

// Bounds of the cache: a megabyte, most of the time.
const (
	maxCached     = 10_000
	maxCachedText = 64
)

var headings = headingCache{kinds: map[string]Kind{}}

// kind answers from the cache, or remembers what of answers.
func (c *headingCache) kind(head string, of func(string) Kind) Kind {
	if len(head) > maxCachedText {
		return of(head)
	}
	c.mu.RLock()
	k, ok := c.kinds[head]
	full := len(c.kinds) >= maxCached
	c.mu.RUnlock()
	if ok {
		return k
	}
	k = of(head)
	if !full {
		c.mu.Lock()
		c.kinds[strings.Clone(head)] = k // not to keep the file it stands in
		c.mu.Unlock()
	}
	return k
}
