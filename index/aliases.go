package index

import (
	"handex/index/internal/project"
)

import "handex/index/internal/store"

// Error is an error for people, with what to do about it.
type Error = store.Error

// What a caller can act on; every error of this package that has such a cause
// wraps it.
var (
	ErrNoIndex  = store.ErrNoIndex
	ErrBusy     = store.ErrBusy
	ErrReadOnly = store.ErrReadOnly
	ErrCorrupt  = store.ErrCorrupt
	ErrOutdated = store.ErrOutdated
	ErrForeign  = store.ErrForeign
	ErrFull     = store.ErrFull
)

type (
	// Summary is what every listing shows of a handoff.
	Summary = store.Summary
	// Handoff is everything the index knows of one handoff.
	Handoff = store.Handoff
)

// Exposed and NarrowRights look for rights of others to an index, and take them away.
var (
	Exposed      = store.Exposed
	NarrowRights = store.NarrowRights
)

// EncodeV1 and EncodeV2 name the handoff folder of a project folder as versions 1 and
// 2 of the contract do.
var (
	EncodeV1 = project.EncodeV1
	EncodeV2 = project.EncodeV2
)
