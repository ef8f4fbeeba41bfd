//go:build unix

package index

// checkRights: mode bits mean something here.
const checkRights = true
