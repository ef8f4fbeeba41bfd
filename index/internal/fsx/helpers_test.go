package fsx_test

import "github.com/OWNER/handex/index/testkit"

// Helpers of the tests.
var (
	makeTree  = testkit.MakeTree
	noErr     = testkit.NoErr
	writeFile = testkit.WriteFile
)
