package query

import "testing"

// TestMayMatchMeta checks which expressions are kept from the tokens of meta.
func TestMayMatchMeta(t *testing.T) {
	t.Parallel()
	for match, want := range map[string]bool{
		`"token" OR "tokens"`: false,
		`"x"`:                 false,
		`"expired"`:           false,
		`"x0p1"`:              true,
		`"a-X0falpha"`:        true,
		`"ẋ0p1"`:              true,
		`"x"*`:                true,
		`"x-"*`:               true,
	} {
		if mayMatchMeta(match) != want {
			t.Errorf("%s: %v", match, !want)
		}
	}
}
