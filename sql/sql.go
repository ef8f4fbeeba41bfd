// Package sql holds the schema of the index and the queries sqlc turns into
// Go. It embeds the schema because an embed directive cannot reach upward.
package sql

import _ "embed"

// Version is the schema's. Each version has index files of its own, so a
// change of schema.sql or fts.sql raises it instead of migrating.
const Version = 1

// Schema creates the tables of an empty index, in order.
//
//go:embed schema.sql
var Schema string

// FullText creates the full-text tables and the triggers that fill them; it
// is executed after Schema.
//
//go:embed fts.sql
var FullText string

// Staging creates, on one connection and for its life, the temporary tables
// that new handoffs pass through.
//
//go:embed staging.sql
var Staging string

// Carry copies the files listed in temp.kept from the index attached as old.
//
//go:embed carry.sql
var Carry string
