package serve_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowsing does what a person does: opens the printed address, searches, makes a
// mistake, has a word finished, reads, acknowledges, looks at reports, and finds a
// handoff that comes meanwhile.
func TestBrowsing(t *testing.T) {
	t.Parallel()
	tree := exampleTree(t)
	s := startOn(t, tree)
	b := open(t, 1280, 900, s.base)
	b.run(chromedp.Navigate(s.url), chromedp.WaitVisible("#q"))
	if address := value[string](b, "location.href"); strings.Contains(address, "token") {
		t.Errorf("the token stays in the address %s", address)
	}
	b.harmless("the first page")

	b.run(chromedp.SendKeys("#q", "open escalations"+kb.Enter), chromedp.WaitVisible(".hitlist"))
	b.until("document.querySelectorAll('.hitlist > li').length === 2")
	b.shot("search", false)

	b.run(chromedp.Navigate(s.base+"/"), chromedp.SendKeys("#q", "projct:webshop is:open"+kb.Enter), chromedp.WaitVisible(".fault"))
	if what, where := b.text(".fault strong"), b.text(".wrong mark"); !strings.Contains(what, "unknown field") || where != "projct" {
		t.Errorf("the mistake is %q at %q", what, where)
	}
	b.shot("mistake", false)
	b.run(chromedp.Click(".instead a"))
	b.until("document.querySelectorAll('.hitlist > li').length === 2")

	b.run(chromedp.Navigate(s.base+"/"), chromedp.SendKeys("#q", "format:hum"))
	b.until("!document.getElementById('candidates').hidden")
	b.run(chromedp.SendKeys("#q", kb.Tab)) // perhaps before those of the last letter have come
	b.until("document.getElementById('q').value === 'format:humanlayer '")
	b.run(chromedp.SendKeys("#q", "is:lat"))
	b.until("document.querySelector('#candidates li')?.textContent.startsWith('is:latest')")
	b.shot("completion", false)
	b.run(chromedp.SendKeys("#q", kb.ArrowDown+kb.Tab))
	b.until("document.getElementById('q').value === 'format:humanlayer is:latest '")
	b.harmless("search")

	b.run(chromedp.Navigate(s.base+"/?q="+url.QueryEscape("open escalations project:pipeline")), chromedp.Click(".hitlist h2 a"), chromedp.WaitVisible(".handoff"))
	if got := b.text("h1"); got != "The nightly load says which file it choked on" {
		t.Errorf("the handoff is %q", got)
	}
	b.shot("handoff", true)
	b.run(chromedp.SendKeys("#note", "raised to 500"), chromedp.Click(".ack button.primary"))
	b.until("document.querySelector('.ack')?.textContent.includes('raised to 500')")
	if got := s.must(t, 0, "acks", "--root", tree, "--plain").stdout; !strings.Contains(got, "raised to 500") {
		t.Errorf("the acknowledgement is %q", got)
	}
	if got := s.get("/api/v1/search?q=" + url.QueryEscape("is:open is:escalated project:pipeline")); !strings.Contains(got, `"total":0`) {
		t.Errorf("it is still open: %s", got)
	}
	b.run(chromedp.Click(".ack button"))
	b.until("document.querySelector('.ack button.primary') !== null")
	for _, view := range []string{"raw", "history"} {
		b.run(chromedp.Click(`.tabs a[href$="/`+view+`"]`), chromedp.WaitVisible(`.tabs a[href$="/`+view+`"][aria-current]`))
	}
	b.harmless("the handoff")

	b.run(chromedp.Navigate(s.base + "/?q=wanderer"))
	b.until("document.querySelector('.empty')?.textContent.includes('Nothing matches')")
	fresh := "# Handoff\n\npurpose: The wanderer is here\n\n## Next\n\n- rest\n"
	if err := os.WriteFile(filepath.Join(tree, "notes", "HANDOFF.md"), []byte(fresh), 0o600); err != nil {
		t.Fatal(err)
	}
	b.until("document.querySelector('.hitlist h2')?.textContent.includes('The wanderer is here')")
	b.harmless("a page that changes")
}

// TestLooks visits each page in light and dark, on a desk and on a phone.
func TestLooks(t *testing.T) {
	t.Parallel()
	tree := exampleTree(t)
	s := startOn(t, tree)
	b := open(t, 1280, 900, s.base)
	b.run(chromedp.Navigate(s.url))
	id := idOf(t, s, "is:escalated is:open project:pipeline")
	pages := []struct{ name, path string }{
		{"search", "/?q=" + url.QueryEscape("is:open")},
		{"nothing", "/?q=zzzz"},
		{"counts", "/?q=" + url.QueryEscape("count by project")},
		{"handoff", "/h/" + id},
		{"raw", "/h/" + id + "/raw"},
		{"history", "/h/" + id + "/history"},
		{"status", "/status"},
		{"missing", "/h/h_000000000000"},
		{"digest", "/report/digest"},
		{"weekly", "/report/weekly"},
		{"standup", "/report/standup"},
		{"escalations", "/report/escalations"},
		{"health", "/report/health"},
		{"timeline", "/report/timeline?q=project%3Awebshop"},
		{"choice", "/report/timeline"},
	}
	sizes := []struct {
		name          string
		width, height int64
	}{{"desk", 1280, 900}, {"phone", 390, 844}}
	for _, p := range pages {
		b.run(chromedp.Navigate(s.base + p.path))
		for _, size := range sizes {
			b.run(chromedp.EmulateViewport(size.width, size.height))
			b.fits(p.name+" on a "+size.name, int(size.width))
			b.shot(size.name+"-"+p.name, true)
		}
	}
	b.wrong = nil // of the page that is missing
	b.scheme("light")
	b.run(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.base+"/report/digest"))
	ground := func() string { return value[string](b, "getComputedStyle(document.body).backgroundColor") }
	light := ground()
	b.run(chromedp.Click("label[for=theme-dark]"))
	dark := ground()
	b.run(chromedp.Reload())
	again := ground()
	if light != "rgb(246, 247, 249)" || dark != "rgb(18, 21, 27)" || again != dark {
		t.Errorf("light is %s, dark %s, and after loading again %s", light, dark, again)
	}
	b.shot("desk-dark", true)

	// Those of the README.
	b.run(chromedp.Click("label[for=theme-light]"), chromedp.EmulateViewport(1200, 800), chromedp.Navigate(s.base+"/?q=is%3Aopen"))
	b.shot("readme-search", false)
	b.run(chromedp.Click("label[for=theme-dark]"), chromedp.EmulateViewport(1200, 1700), chromedp.Navigate(s.base+"/report/weekly?week=2026-W07"))
	b.shot("readme-report", false)
	b.harmless("the pages")
}
