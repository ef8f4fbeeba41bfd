package brief_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/cmd/internal/brief"
	"github.com/OWNER/handex/index"
)

func TestCredentialsAreMaskedAndCounted(t *testing.T) {
	t.Parallel()
	// Put together here, so that no scanner takes this file for a leak.
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	for _, c := range []struct {
		keep     bool
		has, not []string
	}{
		{false, []string{"it runs with [GitHub token masked]", "1 credential masked."}, []string{secret[:12]}},
		{true, []string{"it runs with " + secret}, []string{"masked"}},
	} {
		f := &brief.Facts{Total: 1, Handoffs: []*index.Handoff{{Summary: index.Summary{ID: "h_0123456789ab", Title: "it runs with " + secret, Date: testNow}}}}
		out := brief.Plain.Write(brief.Compose(f, brief.Plain, brief.ComposeOptions{Budget: brief.Budget{N: 2000, Unit: 'c'}, Now: testNow, KeepSecrets: c.keep}))
		for _, want := range c.has {
			if !strings.Contains(out, want) {
				t.Errorf("keep %v: no %q in\n%s", c.keep, want, out)
			}
		}
		for _, not := range c.not {
			if strings.Contains(out, not) {
				t.Errorf("keep %v: %q in\n%s", c.keep, not, out)
			}
		}
	}
}
