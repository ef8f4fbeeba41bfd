package digest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/cmd/internal/digest"
)

// A text is like the first before it that is alike, as comparing it with each tells.
func TestLikeness(t *testing.T) {
	again, fresh := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		words := strings.Fields("empty the price cache by hand before invoices are imported again and never at night 7 12 数据库迁移还没有完成")
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), " ")
		})
		var like digest.Likeness
		var kinds []string
		for _, text := range rapid.SliceOfN(text, 1, 40).Draw(t, "texts") {
			want := slices.IndexFunc(kinds, func(kind string) bool {
				return kind == text || digest.WordingOf(kind).Alike(digest.WordingOf(text))
			})
			if want < 0 {
				want = len(kinds)
				fresh++
			} else {
				again++
			}
			if want == len(kinds) {
				kinds = append(kinds, text)
			}
			if got := like.Of(text); got != want {
				t.Fatalf("%q is like %d, want %d of %q", text, got, want, kinds)
			}
		}
	})
	if again < 20 || fresh < 20 {
		t.Errorf("%d alike and %d new texts tell too little", again, fresh)
	}
}

func TestLikenessOfMany(t *testing.T) {
	var like digest.Likeness
	began := time.Now()
	for i := range 20_000 {
		like.Of(fmt.Sprintf("the import of the invoices %d of customer %d stops at line %d and must be begun again", i%977, i, i*7))
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("20,000 texts take %v", took)
	}
}
