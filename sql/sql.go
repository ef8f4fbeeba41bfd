// Package sql holds the schema of the index and the queries sqlc turns into
// Go. It embeds the schema because an embed directive cannot reach upward.
package sql

import (
	_ "embed"
	"strings"
)

// Version is the schema's. Each version has index files of its own, so a
// change of schema.sql, fts.sql or triggers.sql raises it instead of migrating.
const Version = 15

// Schema creates the tables of an empty index, in order.
//
//go:embed schema.sql
var Schema string

// FullText creates the full-text tables; it is executed after Schema.
var FullText = strings.ReplaceAll(fullText, "{isolates}", isolates)

//go:embed fts.sql
var fullText string

// Triggers creates what fills the full-text tables from then on; it is executed
// after FullText.
//
//go:embed triggers.sql
var Triggers string

// isolates are the invisible marks of Unicode 6.3 for text that runs the other
// way. The tokenizer's tables are older and take them for letters, which would
// hide a word between two of them. They are filled in here because nobody sees
// them in a file.
const isolates = "\u2066\u2067\u2068\u2069"

// Staging creates, on one connection and for its life, the temporary tables
// that new handoffs pass through.
var Staging = strings.ReplaceAll(staging, "{isolates}", isolates)

//go:embed staging.sql
var staging string

// Carry copies the files listed in temp.kept from the index attached as old.
//
//go:embed carry.sql
var Carry string
