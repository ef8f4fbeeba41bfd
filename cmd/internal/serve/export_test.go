package serve

import (
	"context"
	"time"
)

// What tests of this package look into, beyond what it offers to others.

type Cache struct{ *cache }

func NewCache(ctx context.Context, now func() time.Time, generation func() uint64) *Cache {
	return &Cache{newCache(ctx, now, generation)}
}

func (c *Cache) Get(question any, maxAge time.Duration, build func(context.Context) (any, error)) (any, error) {
	found, err := c.get(question, maxAge, build)
	return found.value, err
}

func (c *Cache) Forget() { c.forget() }
