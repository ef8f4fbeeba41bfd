package query_test

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"

	"handex/query"
	schema "handex/sql"
)

func TestZZBuild(t *testing.T) {
	if os.Getenv("ZZ") == "" {
		t.Skip()
	}
	register()
	os.Remove("/tmp/q_exp/b.db")
	db, _ := sql.Open("sqlite", "file:/tmp/q_exp/b.db?_pragma=journal_mode(off)&_pragma=synchronous(off)")
	db.SetMaxOpenConns(1)
	for _, s := range []string{schema.Schema, schema.FullText, "insert into fts(fts, rank) values('hashsize', 33554432)"} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	insertRow(t, db, "root", map[string]any{"id": 1, "path": "/"})
	rng := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(rng, 1.05, 2, 40000)
	vocab := make([]string, 40001)
	for i := range vocab {
		var b strings.Builder
		n := 3 + rng.Intn(8)
		for range n {
			b.WriteByte(byte('a' + rng.Intn(26)))
		}
		vocab[i] = b.String()
	}
	vocab[0], vocab[3], vocab[10], vocab[500], vocab[30000] = "the", "session", "migration", "rollback", "zqrare"
	var pid []int64
	for i := range 300 {
		pid = append(pid, projectOf(t, db, fmt.Sprintf("/home/u/p%d", i)))
	}
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(vocab[zipf.Uint64()])
			b.WriteByte(' ')
		}
		return b.String()
	}
	tx, _ := db.Begin()
	N := 50000
	h, err := tx.Prepare("insert into handoff (id,hid,file_id,entry,project_id,declared,format,session,sender,recipient,status,branch,source,version,words,date,date_end,sort,date_source,date_precision,updated,latest,escalated,blocked,legacy,severity,sections) values (?,?,?,0,?,?,?,?,'','',?,'','','',300,?,?,?,'field','instant',?,?,?,0,0,0,'[]')")
	if err != nil {
		t.Fatal(err)
	}
	bo, _ := tx.Prepare("insert into body values (?,?,'',?,'',?,?,?,'','','','','','','','','','','','','','','',?,'','')")
	at, _ := tx.Prepare("insert into attr values (?,'file',?,?,'',0)")
	start := noon.AddDate(-3, 0, 0)
	tx.Exec("insert into file (id, root_id, path, origin, dev, ino, size, mtime_ns, ctime_ns, seen_ns, sha256, deps, skip) values (1,1,'/x','',0,0,0,0,0,0,'','','')")
	for i := range N {
		d := start.Add(time.Duration(i) * (3 * 365 * 24 * time.Hour / time.Duration(N)))
		id := (d.Unix() - 946684800) * 16
		p := int(math.Abs(rng.NormFloat64()) * 60)
		if p > 299 {
			p = 299
		}
		if _, err := h.Exec(id, fmt.Sprintf("h_%012x", i), 1, pid[p], "", []string{"alpha", "beta"}[i%2], fmt.Sprintf("s%08x", i), []string{"", "completed", "in-progress", "blocked"}[i%4], d.UnixMilli(), d.UnixMilli()+1, d.UnixMilli(), d.UnixMilli(), i%100/99, i%50/49); err != nil {
			t.Fatal(err)
		}
		if _, err := bo.Exec(id, text(6), text(20), text(60), text(100), text(40), text(120)); err != nil {
			t.Fatal(err)
		}
		for k := range 3 {
			at.Exec(id, k, fmt.Sprintf("src/%s/%s.go", vocab[rng.Intn(300)], vocab[rng.Intn(3000)]))
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	db.Exec("insert into fts(fts) values('optimize')")
	db.Exec("insert into state values ('date_slack','172800')")
	db.Close()
}

func TestZZBench(t *testing.T) {
	if os.Getenv("ZZB") == "" {
		t.Skip()
	}
	register()
	db, _ := sql.Open("sqlite", "file:/tmp/q_exp/b.db?mode=ro")
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		"", "limit:20", "zqrare", "session", "the", "migration rollback", `"session migration"`, "migr*", "session NEAR/5 the", "session -migration", "-session", "session OR rollback",
		"session is:open", "is:open", "is:escalated", "session project:p200", "project:p200", "project:p0", "session status:blocked", "session since:30d", "since:30d", "since:30d until:20d", "-since:30d",
		"latest-per:project", "session latest-per:project", "is:open latest-per:project keep:3", "count-by:project", "session count-by:status", "sort:project", "session sort:project",
		"*igratio*", "/igrat.on/", "/igrat.on/ session", "*zqrar*", `"session the"`, `"Session The"`, "file:*.go", "file:nosuch.go", "item:x", "next:session", "(session OR is:blocked)",
		"sort:relevance session", "sort:relevance session migration", "sort:relevance zqrare the", "sort:relevance the session migration rollback", "project:{is:escalated} is:latest",
	} {
		q, err := query.Parse(text, testEnv)
		if err != nil {
			t.Fatal(err)
		}
		p := q.Compile(nil)
		best := func(s query.Statement) (time.Duration, int) {
			b := time.Hour
			n := 0
			for range 3 {
				t0 := time.Now()
				rows, err := db.Query(s.SQL, s.Args...)
				if err != nil {
					t.Fatal(text, err)
				}
				n = 0
				for rows.Next() {
					n++
				}
				rows.Close()
				b = min(b, time.Since(t0))
			}
			return b, n
		}
		main := p.Page
		if p.Buckets != nil {
			main = *p.Buckets
		}
		a, n := best(main)
		c, _ := best(p.Count(0))
		c2, _ := best(p.Count(1000))
		fmt.Printf("%-50s page %8.2f ms (%d)  count %8.2f  count1000 %8.2f\n", text, float64(a.Microseconds())/1000, n, float64(c.Microseconds())/1000, float64(c2.Microseconds())/1000)
	}
}
