package query

import (
	"strings"
)

// negatedArg are arguments that are conditions with a minus and not flags.
var negatedArg = lazy(`^-(?:[a-z][a-z_.-]*[:=<>]|["(])`)

// Shield returns the arguments of a command line with the - of negated
// conditions replaced by !, so that no flag parser takes -is:stale for one.
func Shield(argv []string) []string {
	out := make([]string, len(argv))
	for i, arg := range argv {
		out[i] = arg
		if negatedArg().MatchString(arg) {
			out[i] = "!" + arg[1:]
		}
	}
	return out
}

// Args makes one query of the arguments of a command line: shielded, and
// joined by spaces.
func Args(argv []string) string { return strings.Join(Shield(argv), " ") }
