package brief_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
)

// A paragraph of very many lines is read in time that grows with it: it would take
// minutes if each line copied those before it.
func TestLongParagraphIsQuick(t *testing.T) {
	t.Parallel()
	f := poisoned("canary")
	f.Handoffs[0].Sections = []parse.Section{{Kind: parse.Next, Heading: "Next", Level: 2, Body: strings.Repeat("a\n", 1<<19)}}
	begun := time.Now()
	brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: 8000, Unit: 'c'}, Now: testNow})
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

// BenchmarkBriefing gathers and composes what HANDEX_INDEX, an index, holds of the
// project of the folder HANDEX_PROJECT.
func BenchmarkBriefing(b *testing.B) {
	dir, project := os.Getenv("HANDEX_INDEX"), os.Getenv("HANDEX_PROJECT")
	if dir == "" || project == "" {
		b.Skip("HANDEX_INDEX and HANDEX_PROJECT name no index and project")
	}
	for b.Loop() {
		s, err := index.Open(b.Context(), index.Options{Dir: dir, Now: time.Now, ReadOnly: true})
		if err != nil {
			b.Fatal(err)
		}
		f, err := brief.Gather(b.Context(), s, project, brief.Options{Getenv: os.Getenv})
		if err != nil {
			b.Fatal(err)
		}
		o := brief.ComposeOptions{Budget: brief.Budget{N: 8000, Unit: 'c'}, Now: time.Now()}
		if brief.Plain.Write(brief.Compose(f, brief.Plain, o)) == "" {
			b.Fatal("nothing is told")
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
