package cli

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"handex/cmd/internal/config"
	"handex/cmd/internal/serve"
	"handex/index"
	"handex/query"
)

// backend answers the requests of serve. Each has an app of its own, made of what
// stood when it came, so that none sees another's.
type backend struct {
	app        *app
	now        atomic.Pointer[standing]
	generation atomic.Uint64
	mending    sync.Mutex // one request at a time puts an index right
	acking     sync.Mutex // so does one write acknowledgements

	found kept
	asked singleflight.Group
	made  madeReports

	keepSecrets bool
}

// standing is what requests share. None of it is changed once it is published.
type standing struct {
	conf    *config.Config
	folders []string
	store   store
}

// publish has requests from now on go by what an app knows.
func (b *backend) publish(a *app) {
	b.now.Store(&standing{a.conf, a.folders, *a.store})
	b.generation.Add(1)
}

// request is the app of one request. It says nothing: what matters is part of the
// answer.
func (b *backend) request(ctx context.Context) *app {
	now := b.now.Load()
	held, flags := now.store, *b.app.flags
	held.scratch = "" // it is looked after by the watch, not by requests
	flags.NoRefresh, flags.JSON, flags.NoPager, flags.Limit = true, true, true, nil
	env := b.app.env
	env.Stdout, env.Stderr = Stream{Writer: io.Discard}, Stream{Writer: io.Discard}
	a := &app{ctx: ctx, env: env, flags: &flags, parser: b.app.parser, store: &held, conf: now.conf, folders: now.folders}
	a.out = a.newPager()
	return a
}

// answer runs a request, with an index that is put right if it has to be, and
// tells what goes wrong as the command line does.
func (b *backend) answer(ctx context.Context, run func(*app) error) error {
	a := b.request(ctx)
	err := run(a)
	if errors.Is(err, index.ErrCorrupt) {
		b.mending.Lock()
		err = a.whole(func() error { return run(a) })
		b.mending.Unlock()
	}
	if err == nil {
		return nil
	}
	f := &serve.Error{Err: err, Code: code(err), Text: told(err), Wire: failure{report(err)}}
	if bad, ok := errors.AsType[refused](err); ok {
		f.Code, f.Query, f.Errors = bad.Errors[0].Code, bad.text, bad.Errors
	}
	return f
}

// follow keeps the index current until the run ends; what it answers is closed
// then.
func (b *backend) follow() <-chan struct{} {
	done := make(chan struct{})
	if b.app.flags.NoRefresh {
		close(done)
		return done
	}
	watched := *b.app
	held, flags := *b.app.store, *b.app.flags
	watched.store, watched.flags = &held, &flags
	go func() {
		defer close(done)
		err := held.Watch(watched.ctx, index.WatchOptions{
			Scope: watched.scope,
			Tell:  watched.note,
			Refreshed: func(report index.Report) error {
				held.report = report
				if _, err := watched.config(); err != nil {
					watched.conf = b.now.Load().conf // the watch tells what is wrong with the new one
				}
				if err := watched.mirrorAcks(); err != nil {
					return err
				}
				b.publish(&watched)
				return nil
			},
		})
		if err != nil && watched.ctx.Err() == nil {
			watched.note(err.Error() + "; what is shown stays as it is")
		}
	}()
	return done
}

// Generation changes with the index.
func (b *backend) Generation() uint64 { return b.generation.Load() }

// Now is the run's clock.
func (b *backend) Now() time.Time { return b.app.env.Now() }

// Zone is the person's.
func (b *backend) Zone() *time.Location { return b.app.env.Zone }

// Complete completes the last word of a query as the command line does.
func (b *backend) Complete(ctx context.Context, before string) (word string, list []query.Candidate, err error) {
	word = lastWord(before)
	l := &typedLine{app: b.request(ctx), word: word, known: func(q *query.Query) *index.Result { return b.known(ctx, q) }}
	if word != "" {
		list = l.condition() //nolint:contextcheck // it has it as every app has
	}
	return word, list, nil
}

// lastWord is the word of a query at its end; a quoted text is one word with what
// stands before it.
func lastWord(before string) string {
	quoted, start := false, 0
	for i, c := range before {
		switch {
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\t' || c == '('):
			start = i + 1
		}
	}
	return before[start:]
}
