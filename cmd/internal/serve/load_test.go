package serve_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLoad asks 5,000 requests over 8 connections while handoffs come, change and go,
// and tells how long they took. It fails if any is not answered. HANDEX_LOAD names
// the tree of handoffs to serve, which is copied.
func TestLoad(t *testing.T) {
	t.Parallel()
	from := os.Getenv("HANDEX_LOAD")
	if from == "" {
		t.Skip("HANDEX_LOAD names no tree of handoffs")
	}
	tree := t.TempDir()
	if err := os.CopyFS(tree, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	s := startOn(t, tree)
	kinds := requestsOf(t, s)
	stop, changes := make(chan struct{}), make(chan int)
	go func() { changes <- disturb(t, tree, stop) }()
	before := generationOf(s)
	times := ask(t, s, kinds, loadRequests(), 8)
	close(stop)
	changed := <-changes
	var all []time.Duration
	for _, kind := range slices.Sorted(maps.Keys(times)) {
		tell(t, kind, times[kind])
		all = append(all, times[kind]...)
	}
	tell(t, "all", all)
	after := generationOf(s)
	t.Logf("%d changes of files, %d of the index", changed, after-before)
	if changed == 0 || after == before || len(all) != loadRequests() {
		t.Errorf("%d changes of files, generations %d to %d, %d answers", changed, before, after, len(all))
	}
}

// requestsOf are the requests that are asked, by kind, in turn.
func requestsOf(t *testing.T, s *served) map[string][]string {
	t.Helper()
	var found struct{ Hits []struct{ ID string } }
	if err := json.Unmarshal([]byte(s.get("/api/v1/search?limit=200")), &found); err != nil || len(found.Hits) < 50 {
		t.Fatalf("%d handoffs, %v", len(found.Hits), err)
	}
	kinds := map[string][]string{
		"search": {}, "handoff": {}, "api search": {}, "api show": {}, "complete": {}, "generation": {"/generation"}, "report": {"/report/digest", "/report/weekly", "/report/escalations", "/report/standup", "/report/health"},
	}
	for _, q := range []string{"", "open escalations", "is:blocked", "next:test", "token", "latest per project", "count by format", "gotchas:cache OR risks:cache", "since:2026-01-01 is:open"} {
		kinds["search"] = append(kinds["search"], "/?q="+url.QueryEscape(q))
		kinds["api search"] = append(kinds["api search"], "/api/v1/search?q="+url.QueryEscape(q))
	}
	for _, h := range found.Hits {
		kinds["handoff"] = append(kinds["handoff"], "/h/"+h.ID)
		kinds["api show"] = append(kinds["api show"], "/api/v1/show/"+h.ID)
	}
	for _, word := range []string{"pro", "project:", "is:", "format:cl", "branch:f"} {
		kinds["complete"] = append(kinds["complete"], "/complete?q="+url.QueryEscape(word))
	}
	return kinds
}

// ask asks n requests over some connections and answers how long each took, by kind.
func ask(t *testing.T, s *served, kinds map[string][]string, n, connections int) map[string][]time.Duration {
	t.Helper()
	names := slices.Sorted(maps.Keys(kinds))
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}}
	times := map[string][]time.Duration{}
	var mu sync.Mutex
	var workers sync.WaitGroup
	work := make(chan int)
	for range connections {
		workers.Go(func() {
			for i := range work {
				kind := names[i%len(names)]
				list := kinds[kind]
				at := time.Now()
				err := answered(client, s.request(http.MethodGet, list[i/len(names)%len(list)], ""))
				spent := time.Since(at)
				mu.Lock()
				if err != nil {
					t.Errorf("%s: %v", kind, err)
				} else {
					times[kind] = append(times[kind], spent)
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	workers.Wait()
	return times
}

func answered(client *http.Client, r *http.Request) error {
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = response.Body.Close()
	}
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %d: %.300s", r.URL, response.StatusCode, text)
	}
	return err
}

// disturb writes, changes and removes a handoff a few times a second until it is
// stopped, and answers how often.
func disturb(t *testing.T, tree string, stop <-chan struct{}) int {
	t.Helper()
	dir := filepath.Join(tree, "disturbed", "docs", "handoffs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Error(err)
		return 0
	}
	for n := 0; ; n++ {
		select {
		case <-stop:
			return n
		case <-time.After(100 * time.Millisecond):
		}
		file := filepath.Join(dir, fmt.Sprintf("2026-02-%02d-step.md", n%28+1))
		err := os.WriteFile(file, []byte(fmt.Sprintf("# Handoff\n\npurpose: step %d\n\n## Next\n\n- go on\n", n)), 0o600)
		if n%5 == 4 {
			err = os.Remove(file)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func generationOf(s *served) int {
	s.t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(s.get("/generation")))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func tell(t *testing.T, kind string, list []time.Duration) {
	t.Helper()
	slices.Sort(list)
	at := func(share float64) time.Duration {
		return list[min(int(share*float64(len(list))), len(list)-1)].Round(100 * time.Microsecond)
	}
	t.Logf("%-12s %5d  p50 %v  p90 %v  p99 %v  max %v", kind, len(list), at(0.5), at(0.9), at(0.99), at(1))
}

// loadRequests is how many requests are asked: 5,000, or what HANDEX_LOAD_REQUESTS
// says.
func loadRequests() int {
	if n, err := strconv.Atoi(os.Getenv("HANDEX_LOAD_REQUESTS")); err == nil {
		return n
	}
	return 5000
}
