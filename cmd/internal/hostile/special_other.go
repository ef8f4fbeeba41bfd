//go:build !unix

package hostile

import "testing"

// special returns no cases, as this system has neither pipes nor permission bits.
func special(testing.TB, string) []Case { return nil }
