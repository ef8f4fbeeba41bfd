package brief_test

import (
	"os"
	"testing"
	"time"

	"handex/cmd/internal/brief"
	"handex/index"
)

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
