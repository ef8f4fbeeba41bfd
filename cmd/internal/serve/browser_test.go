package serve_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a page of a real browser. Whatever it should not do is kept.
type tab struct {
	t       testing.TB
	ctx     context.Context //nolint:containedctx // lives as long as the test
	allowed []string        // begins of addresses that it may ask for
	mu      sync.Mutex
	wrong   []string
}

// chrome is the one browser of all tests, started by the first that needs it.
var chrome struct {
	start  sync.Once
	ctx    context.Context //nolint:containedctx // lives as long as the tests
	cancel func()
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chrome.cancel != nil {
		chrome.cancel()
	}
	os.Exit(code)
}

// startChrome starts the browser at path.
func startChrome(path string) {
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator) // ends with the allocator
	chrome.ctx, chrome.cancel = ctx, cancel  //nolint:fatcontext // lives as long as the tests
	chrome.err = chromedp.Do(ctx)
}

// open opens a page in a profile of its own, or skips the test where there is no browser.
func open(tb testing.TB, width, height int, allowed ...string) *tab {
	tb.Helper()
	if testing.Short() {
		tb.Skip("starts a browser")
	}
	path := findBrowser(tb)
	chrome.start.Do(func() { startChrome(path) })
	if chrome.err != nil {
		tb.Fatal(chrome.err)
	}
	ctx, cancel := context.WithTimeout(chrome.ctx, 5*time.Minute)
	tb.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	tb.Cleanup(cancel)
	b := &tab{t: tb, ctx: ctx, allowed: append(allowed, "data:", "about:")}
	if err := chromedp.Listen(ctx, b.see); err != nil {
		tb.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	b.run(chromedp.EmulateViewport(int64(width), int64(height)))
	return b
}

// call sends a command of the protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

func findBrowser(tb testing.TB) string {
	tb.Helper()
	name := os.Getenv("HANDEX_BROWSER")
	if name == "" {
		tb.Skip("starts a browser: set HANDEX_BROWSER to a program of Chromium, or run make browser")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// see notes a request that leaves, a dialog, an error of a script and what the
// policy had to stop.
func (b *tab) see(event any) {
	what := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !slices.ContainsFunc(b.allowed, func(begin string) bool { return strings.HasPrefix(e.Request.URL, begin) }) {
			what = "asks for " + e.Request.URL
		}
	case *page.EventJavascriptDialogOpening:
		what = "opens a dialog: " + e.Message
		go func() {
			// The page waits for it; where it cannot be closed, the test runs out of time.
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}()
	case *runtime.EventExceptionThrown:
		what = "a script fails: " + e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || strings.Contains(e.Entry.Text, "Content Security Policy") {
			what = "is told: " + e.Entry.Text
		}
	case *browser.EventDownloadWillBegin:
		what = "downloads " + e.URL
	}
	if what != "" {
		b.mu.Lock()
		b.wrong = append(b.wrong, what)
		b.mu.Unlock()
	}
}

// harmless fails if the page did what it should not.
func (b *tab) harmless(where string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, what := range b.wrong {
		b.t.Errorf("%s: the page %s", where, what)
	}
	b.wrong = nil
}

func (b *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// value is what an expression comes to.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// text is that of the first element a selector finds.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return strings.TrimSpace(value[string](b, fmt.Sprintf("document.querySelector(%q)?.textContent ?? 'NONE'", selector)))
}

// until waits for an expression to be true, also while another page is loaded.
func (b *tab) until(expression string) {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](expression))
		if err == nil && ok {
			return
		}
	}
	b.t.Fatalf("in 20 s no %s", expression)
}

// shot keeps a picture of the page, if a folder for it is named.
func (b *tab) shot(name string, full bool) {
	b.t.Helper()
	dir := os.Getenv("HANDEX_SCREENSHOTS")
	if dir == "" {
		return
	}
	take := chromedp.CaptureScreenshot()
	if full {
		take = chromedp.FullScreenshot(100)
	}
	picture, err := chromedp.Run(b.ctx, take)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// fits fails where a page is wider than the window.
func (b *tab) fits(where string, width int) {
	b.t.Helper()
	if n := value[int](b, "document.documentElement.scrollWidth"); n > width {
		b.t.Errorf("%s is %d pixels wide in a window of %d", where, n, width)
	}
}
