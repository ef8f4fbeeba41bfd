package serve_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// visit opens the pages of the examples in a window.
func visit(t *testing.T, width, height int) (*served, *tab) {
	t.Helper()
	s := startOn(t, exampleTree(t))
	b := open(t, width, height, s.base)
	b.run(chromedp.Navigate(s.url), chromedp.WaitVisible("#main"))
	return s, b
}

// search opens the page of a query.
func (b *tab) search(s *served, text string) {
	b.t.Helper()
	b.run(chromedp.Navigate(s.base + "/?q=" + url.QueryEscape(text)))
}

const hits = "document.querySelectorAll('.hitlist > li').length"

// Hits follow what is typed, and so does the address. A query that is not typed to its
// end leaves the last hits, and shows its error only later.
func TestTyping(t *testing.T) {
	t.Parallel()
	_, b := visit(t, 1280, 900)
	entries := value[int](b, "history.length")
	b.run(chromedp.SendKeys("#q", "is:escalated is:open"))
	b.until(hits + " === 2 && location.search === '?q=is%3Aescalated%20is%3Aopen'")
	b.until("document.getElementById('live').textContent === '1 to 2 of 2'")
	b.run(chromedp.SendKeys("#q", " projct:x"))
	b.until("document.querySelector('.wrong mark')?.textContent === 'projct' && document.getElementById('q').ariaInvalid !== null")
	value[string](b, "document.getElementById('q').value = ''")
	b.run(chromedp.SendKeys("#q", "zzzz"))
	b.until("document.querySelector('.empty')?.textContent.includes('Nothing matches')")
	if n := value[int](b, "history.length"); n != entries {
		t.Errorf("typing adds %d entries to the history", n-entries)
	}
	b.run(chromedp.SendKeys("#q", kb.Enter), chromedp.WaitVisible(".empty a[href='/']"))
	b.run(chromedp.Click(".empty a[href='/']"))
	b.until(hits + " > 10")
	b.expected("typing")
}

// Filters add conditions to the query; chips, and the filters themselves, take them away.
func TestFilters(t *testing.T) {
	t.Parallel()
	s, b := visit(t, 1280, 900)
	follow := func(text string) {
		t.Helper()
		link := "[...document.querySelectorAll('.tools a, .facets a')].find(a => a.textContent.trim().startsWith('" + text + "'))"
		b.until("document.readyState === 'complete' && " + link + " !== undefined && (" + link + ".click(), true)")
	}
	follow("webshop")
	b.until(`document.getElementById('q').value === 'project="webshop"' && ` + hits + " === 6")
	follow("open")
	b.until(`document.getElementById('q').value === 'project="webshop" is:open'`)
	follow("last 365 days")
	follow("last 30 days")
	b.until(`document.getElementById('q').value === 'project="webshop" is:open since:30d'`)
	if n := value[int](b, "document.querySelectorAll('.chips a').length"); n != 3 {
		t.Errorf("%d chips", n)
	}
	b.run(chromedp.Click(".chips li:first-child a"))
	b.until(`document.getElementById('q').value === 'is:open since:30d'`)
	b.run(chromedp.Click(".facets a[aria-current]"))
	b.until(`document.getElementById('q').value === 'since:30d'`)
	follow("oldest")
	b.until(`document.getElementById('q').value === 'since:30d sort:date-asc' && document.querySelector('.sorts [aria-current]').textContent === 'oldest'`)

	b.harmless("filters")

	// Without scripts, too: a form for dates, and a query of alternatives keeps them all.
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(s.request(http.MethodGet, "/?q=a+OR+b+since%3A7d+sort%3Awords&since=2026-01-02&until=2026-01-31", ""))
	if err != nil {
		t.Fatal(err)
	}
	keepBody(t, response)
	want := "/?q=" + url.QueryEscape("(a OR b) sort:words since:2026-01-02 until:2026-01-31")
	if got := response.Header.Get("Location"); got != want {
		t.Errorf("the form of dates leads to %s, want %s", got, want)
	}
}

// On a phone the header is one row, the filters are a sheet behind a button on the first
// screen, and nothing is wider than the screen but what scrolls by itself.
func TestPhone(t *testing.T) {
	t.Parallel()
	s, b := visit(t, 390, 844)
	b.search(s, "is:open")
	if height := value[float64](b, "document.querySelector('.bar').getBoundingClientRect().height"); height > 60 {
		t.Errorf("the header is %v pixels high", height)
	}
	first := value[float64](b, "document.querySelector('.hitlist h2').getBoundingClientRect().bottom")
	if button := value[float64](b, "document.querySelector('[popovertarget=filters]').getBoundingClientRect().bottom"); button > 300 || first > 450 {
		t.Errorf("the filters are at %v, the first hit at %v", button, first)
	}
	b.run(chromedp.Click(".tools [popovertarget=filters]"), chromedp.WaitVisible("#filters"))
	if top := value[float64](b, "document.querySelector('#filters h2').getBoundingClientRect().top"); top > 100 {
		t.Errorf("the first filter is at %v", top)
	}
	b.shot("phone-filters", false)
	b.run(chromedp.Click("#filters > .opener"), chromedp.WaitNotVisible("#filters"), chromedp.Click(".bar > .opener"), chromedp.WaitVisible("#menu nav"))
	b.shot("phone-menu", false)
	b.run(chromedp.Click("#menu a[href='/report/weekly']"), chromedp.WaitVisible(".report"))
	b.fits("a report on a phone", 390)

	wide := "# Handoff: Wide\n\n## Next\n\n| one | two | three | four | five | six |\n|---|---|---|---|---|---|\n" +
		strings.Repeat("| Donaudampfschifffahrt | incomprehensibilities | b | c | counterrevolutionary | d |\n", 3)
	s = startOn(t, treeOf(t, wide))
	b.allowed = append(b.allowed, s.base)
	b.run(chromedp.Navigate(s.url), chromedp.WaitVisible(".hitlist"), chromedp.Click(".hitlist h2 a"), chromedp.WaitVisible(".prose table"))
	b.fits("a handoff with a wide table", 390)
	if !value[bool](b, "(d => d.scrollWidth > d.clientWidth && d.querySelector('td').clientHeight < 40)(document.querySelector('.prose .scroll'))") {
		t.Error("the table does not scroll by itself, or breaks words")
	}
	b.shot("phone-table", true)
	b.harmless("the phone")
}

// treeOf returns a folder with a handoff.
func treeOf(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "HANDOFF.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A handoff comes with its contents and what is known of it beside the text, and with
// what its file said before; to acknowledge it changes the page where it is.
func TestReading(t *testing.T) {
	t.Parallel()
	text := "# Handoff: Reading\n\n## Done\n\n- the first step\n\n## Next\n\n- the second step\n\n## Gotchas\n\n- none here\n\n## Risks\n\n- HUMAN REVIEW NEEDED: the keys\n"
	tree := treeOf(t, text)
	s := startOn(t, tree)
	b := open(t, 1280, 900, s.base)
	b.run(chromedp.Navigate(s.url), chromedp.WaitVisible(".hitlist"), chromedp.Click(".hitlist h2 a"), chromedp.WaitVisible(".toc"))
	left := func(selector string) string {
		return "document.querySelector('" + selector + "').getBoundingClientRect().left"
	}
	if !value[bool](b, left(".toc")+" > "+left(".prose")+" + 400 && document.querySelector('.prose').getBoundingClientRect().top < 500") {
		t.Error("the contents are not beside the text")
	}
	b.run(chromedp.Click(".toc li:last-child a"))
	b.until("location.hash !== '' && document.querySelector(location.hash).textContent === 'Risks'")

	b.run(chromedp.Click("[data-copy^='handex show']"))
	b.until("document.getElementById('live').textContent.startsWith('Copied: handex show h_')")

	value[bool](b, "window.still = true")
	b.run(chromedp.SendKeys("#note", "keys are turned"), chromedp.Click(".ack button.primary"))
	b.until("window.still && document.querySelector('.ack')?.textContent.includes('keys are turned') && document.querySelector('.notice.go') !== null")
	b.run(chromedp.Click(".ack button"))
	b.until("window.still && document.querySelector('.notice.alarm') !== null && document.querySelector('#note') !== null")

	if err := os.WriteFile(filepath.Join(tree, "HANDOFF.md"), []byte(strings.Replace(text, "second", "third", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	b.search(s, "third step")
	b.until(hits + " === 1")
	b.run(chromedp.Click(".hitlist h2 a"), chromedp.Click(".tabs a[href$='/changes']"), chromedp.WaitVisible(".diff"))
	if gone, came := b.text(".diff del"), b.text(".diff ins"); gone != "-- the second step" || came != "+- the third step" {
		t.Errorf("the changes are %q and %q", gone, came)
	}
	b.run(chromedp.Click(".tabs a[href$='/history']"), chromedp.Click("a[href*='/changes?from=']"), chromedp.WaitVisible(".diff"))
	b.harmless("reading")
}

// All can be done with keys; those of one letter can be turned off.
func TestKeys(t *testing.T) {
	t.Parallel()
	s, b := visit(t, 1280, 900)
	b.search(s, "project:webshop")
	press := func(keys string) { b.t.Helper(); b.run(chromedp.KeyEvent(keys)) }
	focused := func(n int) string {
		return fmt.Sprintf("document.activeElement === document.querySelectorAll('.hitlist h2 a')[%d]", n)
	}
	press(kb.Tab)
	b.until("document.activeElement.className === 'skip'")
	press(kb.Enter)
	b.until("location.hash === '#main'")
	press("jjj")
	b.until(focused(2))
	press("k")
	b.until(focused(1))
	// A key event of the protocol types its character even where a page prevents that.
	value[bool](b, "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}))")
	b.until("document.activeElement.id === 'q'")
	press("j" + kb.Escape + kb.Escape) // the first can close the completions
	b.until("document.activeElement === document.body && document.getElementById('q').value === 'j'")
	press("?")
	b.until("document.getElementById('keys').matches(':popover-open')")
	b.shot("keys", false)
	press(kb.Escape)
	b.until("!document.getElementById('keys').matches(':popover-open')")
	b.search(s, "project:webshop")
	press("j" + kb.Enter)
	b.until("document.readyState === 'complete' && location.pathname.startsWith('/h/') && document.querySelector('.older') !== null")
	at := value[string](b, "location.pathname")
	press("j")
	b.until("document.readyState === 'complete' && location.pathname !== '" + at + "' && document.querySelector('.newer') !== null")
	press("k")
	b.until("document.readyState === 'complete' && location.pathname === '" + at + "' && document.querySelector('.older') !== null")
	press("?")
	b.run(chromedp.Click("#use-keys"))
	press(kb.Escape + "j")
	if got := value[string](b, "location.pathname"); got != at {
		t.Errorf("a key that is turned off leads to %s", got)
	}
	b.harmless("keys")
}

// What is not there is said on a page that leads on.
func TestNotFound(t *testing.T) {
	t.Parallel()
	s, b := visit(t, 1280, 900)
	for path, want := range map[string]string{"/nothing": "this page does not exist", "/h/h_000000000000": "h_000000000000", "/report/nothing": "nothing"} {
		b.run(chromedp.Navigate(s.base+path), chromedp.WaitVisible("nav a[href='/report/weekly']"))
		if got := b.text(".fault"); !strings.Contains(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
	b.run(chromedp.SendKeys("#q", "is:open"+kb.Enter), chromedp.WaitVisible(".hitlist"))
	b.expected("what is not there")
}

// Reports draw what they count, and each project has its timeline.
func TestPictures(t *testing.T) {
	t.Parallel()
	s, b := visit(t, 1280, 900)
	b.run(chromedp.Navigate(s.base + "/report/weekly"))
	if got := value[int](b, "document.querySelectorAll('#main svg.bars rect').length"); got < 10 || !strings.Contains(b.text("#t-open"), "Open items over time") {
		t.Errorf("%d bars", got)
	}
	b.run(chromedp.Navigate(s.base + "/report/timeline"))
	if got := value[int](b, "document.querySelectorAll('.choice a').length"); got != value[int](b, "fetch('/api/v1/status').then(r => r.json()).then(s => s.projects.length)") {
		t.Errorf("a choice of %d projects", got)
	}
	b.run(chromedp.Click(".choice a[href*=webshop]"), chromedp.WaitVisible(".of-timeline svg.bars"))
	if got := b.text(".of-timeline svg.bars title"); !strings.HasPrefix(got, "Handoffs by status, by ") {
		t.Errorf("the timeline shows %q", got)
	}
	b.harmless("the reports")
}
