package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/OWNER/handex/cmd/internal/render"
	"github.com/OWNER/handex/index"
)

// A runner runs the command of --exec for each hit, one after the other. Output of the
// command goes to the standard error: the standard output is for the hits.
type runner struct {
	app     *app
	words   []string
	timeout time.Duration
	hits    chan index.Hit
	done    chan struct{}
}

// maxWaiting is how many hits may wait for their command; then the watch waits.
const maxWaiting = 1024

// newRunner reads a command line and starts a goroutine that waits for hits. It returns an
// error if the command cannot be run.
func (a *app) newRunner(line string, timeout time.Duration) (*runner, error) {
	words, err := splitWords(line)
	if err != nil {
		return nil, fmt.Errorf("--exec: %w", err)
	}
	if len(words) == 0 {
		return nil, errors.New("--exec: the command is empty")
	}
	for _, word := range words {
		if isPlaceholder(word) && placeholders[word] == nil {
			return nil, fmt.Errorf("--exec: unknown placeholder %s; placeholders: %s", word,
				strings.Join(slices.Sorted(maps.Keys(placeholders)), " "))
		}
	}
	if timeout <= 0 {
		return nil, errors.New("--exec-timeout must be longer than 0")
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, fmt.Errorf("--exec: %w", err)
	}
	c := &runner{app: a, words: words, timeout: timeout, hits: make(chan index.Hit, maxWaiting), done: make(chan struct{})}
	go c.work()
	return c, nil
}

// run queues a hit for the command, and waits while the queue is full. On a nil runner it
// does nothing.
func (c *runner) run(h index.Hit) error {
	if c == nil {
		return nil
	}
	select {
	case c.hits <- h:
		return nil
	case <-c.app.ctx.Done():
		return c.app.ctx.Err()
	}
}

// close waits until the command has run for all queued hits; an interrupt ends it.
func (c *runner) close() {
	if c == nil {
		return
	}
	close(c.hits)
	<-c.done
}

// work runs the command for each queued hit until the queue is closed. A failure is written
// as a warning.
func (c *runner) work() {
	defer close(c.done)
	for h := range c.hits {
		if c.app.ctx.Err() != nil {
			continue
		}
		if err := c.once(h); err != nil && c.app.ctx.Err() == nil {
			c.app.say(fmt.Sprintf("warning: %s for %s: %v; watch continues", c.words[0], h.ID, err))
		}
	}
}

// once runs the command for one hit, with its placeholders replaced and the hit as JSON on
// its standard input. It returns an error if that fails or takes too long.
func (c *runner) once(h index.Hit) error {
	var input bytes.Buffer
	if err := render.HitsJSONL(&input, render.Answer{Rows: []render.Row{{Hit: h}}}); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(c.app.ctx, c.timeout)
	defer stop()
	args := slices.Clone(c.words)
	for i, word := range args[1:] {
		if value := placeholders[word]; value != nil {
			args[i+1] = value(h)
		}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &input, c.app.env.Stderr.Writer, c.app.env.Stderr.Writer
	cmd.WaitDelay = time.Second // for processes of its own that it leaves behind
	err := cmd.Run()
	if ctx.Err() != nil && c.app.ctx.Err() == nil {
		return fmt.Errorf("stopped after %v", c.timeout)
	}
	return err
}

// placeholders are the arguments that are replaced by a part of the hit. Only whole
// arguments do: what a handoff says never becomes a part of another argument.
var placeholders = map[string]func(index.Hit) string{
	"{id}":      func(h index.Hit) string { return h.ID },
	"{path}":    func(h index.Hit) string { return h.Path },
	"{project}": func(h index.Hit) string { return argument(h.Project) },
	"{root}":    func(h index.Hit) string { return argument(h.Root) },
	"{format}":  func(h index.Hit) string { return h.Format },
	"{date}":    func(h index.Hit) string { return h.Date.UTC().Format(time.RFC3339) },
	"{title}":   func(h index.Hit) string { return argument(render.Title(h.Summary)) },
	"{goal}":    func(h index.Hit) string { return argument(render.Line(h.Goal)) },
}

// argument returns a text from a handoff as an argument that cannot be read as a flag: with
// a blank before a leading hyphen.
func argument(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if strings.HasPrefix(text, "-") {
		return " " + text
	}
	return text
}

// isPlaceholder reports whether a word has the form {name}.
func isPlaceholder(word string) bool {
	return len(word) > 2 && word[0] == '{' && word[len(word)-1] == '}' && !strings.ContainsAny(word[1:len(word)-1],
		"{} \"':,")
}

// wordPart is a quoted or a plain part of a word.
var wordPart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'[^']*'|"[^"]*"|[^ \t\n'"]+`) })

// splitWords splits a command line at blanks. Text between two ' or two " belongs to one
// word, also its blanks and the other kind of quote; nothing else has a special meaning. It
// returns an error if a quote is not closed.
func splitWords(line string) (words []string, err error) {
	end := -1 // of the part before
	for _, at := range wordPart().FindAllStringIndex(line, -1) {
		part := line[at[0]:at[1]]
		if part[0] == '\'' || part[0] == '"' {
			part = part[1 : len(part)-1]
		}
		if at[0] != end {
			words = append(words, "")
		}
		words[len(words)-1] += part
		end = at[1]
	}
	if quote := strings.Trim(wordPart().ReplaceAllString(line, ""), " \t\n"); quote != "" {
		return nil, fmt.Errorf("a %c is not closed in %q", quote[0], line)
	}
	return words, nil
}
