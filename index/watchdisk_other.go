//go:build !linux

package index

// eventsInOrder: events of several folders come in any order, so that no event
// proves that another would have come.
const eventsInOrder = false

// tellsEvents is not known here: events are hints, and the sweep decides.
func tellsEvents(string) (string, bool) { return "", false }

func mounts([]string) string { return "" }

func bootID() string { return "" }

func linkCount(string) uint64 { return 1 }
