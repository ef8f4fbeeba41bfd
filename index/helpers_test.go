package index_test

import "github.com/OWNER/handex/index/testkit"

// Helpers of the tests.
var (
	noErr     = testkit.NoErr
	writeFile = testkit.WriteFile
	resolved  = testkit.Resolved
)

const (
	noteText   = testkit.NoteText
	promptText = testkit.PromptText
)
