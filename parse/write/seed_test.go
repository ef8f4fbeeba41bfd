package write_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain gives random tests the same values in every run, so that none fails
// by chance. With HANDEX_FAULTS, as in make faults, they draw new ones.
func TestMain(m *testing.M) {
	if os.Getenv("HANDEX_FAULTS") == "" {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
