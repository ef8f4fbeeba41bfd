package cli

import (
	"errors"
	"fmt"
	"os"

	"handex/index"
)

// openScratch puts an index that lasts as long as the run in the place of the
// one that cannot be had, for a reason it tells.
func (a *app) openScratch(reason string) error {
	if a.store.Store != nil {
		// What closing it says has been said, or nobody could do anything about it.
		_ = a.store.Store.Close()
		a.store.Store = nil
	}
	if err := a.makeScratch(false); err != nil {
		return err
	}
	a.note(reason + "; everything is read anew for this run")
	return nil
}

// makeScratch opens an empty index that lasts as long as the run; one that is
// wordless cannot be searched.
func (a *app) makeScratch(wordless bool) error {
	options, err := a.indexOptions()
	if err != nil {
		return err
	}
	if a.store.scratch, err = scratchFolder(); err != nil {
		return fmt.Errorf("make an index for this run: %w", err)
	}
	if a.scratches != nil {
		a.scratches <- a.store.scratch
	}
	options.Dir, options.ReadOnly, options.Passing, options.Wordless = a.store.scratch, false, true, wordless
	a.store.Store, err = index.Open(a.ctx, options)
	return err
}

// scratchFolder makes a folder for an index: where temporary files go, or in
// memory where that is full or cannot be written either.
func scratchFolder() (string, error) {
	dir, err := os.MkdirTemp("", "handex-")
	if err == nil {
		return dir, nil
	}
	const memory = "/dev/shm"
	dir, again := os.MkdirTemp(memory, "handex-")
	if again != nil {
		return "", errors.Join(err, again)
	}
	return dir, nil
}
