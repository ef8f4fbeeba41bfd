package topic

import (
	"strings"
	"sync"
)

// A headingCache remembers what headings are about: the handoffs of a disk have
// a few hundred headings among them, over and over. It keeps the first that
// come, so that a hostile file costs others no more than the benefit.
type headingCache struct {
	mu    sync.RWMutex
	reads map[string]headingRead
}

// Bounds of the cache: some megabytes, most of the time.
const (
	maxCached     = 20_000
	maxCachedText = 96
)

var headings = headingCache{reads: map[string]headingRead{}}

// read returns what a heading says, from the cache if it is there.
func (c *headingCache) read(head string) headingRead {
	if len(head) > maxCachedText {
		return readHeading(head)
	}
	c.mu.RLock()
	h, ok := c.reads[head]
	full := len(c.reads) >= maxCached
	c.mu.RUnlock()
	if ok {
		return h
	}
	h = readHeading(head)
	if !full {
		c.mu.Lock()
		c.reads[strings.Clone(head)] = h // not to keep the file it is in
		c.mu.Unlock()
	}
	return h
}
