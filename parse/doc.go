// Package parse reads handoffs: the notes that AI coding agents leave on disk
// at the end of a session.
//
// [Parse] turns the bytes of one file into [Document]s, one for most files, one
// per dated entry for a rolling log. It never fails. A file that is broken
// gives the best document that can be had, with [Problem]s that say what is
// wrong and where, and every word of it stays in the document.
//
// # Formats are rows over shapes
//
// A shape is a way to find fields and sections in bytes: Markdown (goldmark, with
// the block parsers that decide where headings are), YAML (nodes only), XML (by
// its tags) and JSON. A format is a row of the table in formats.go: how its files
// are recognized, what its keys and headings mean beyond the aliases all formats
// share, and what a valid handoff of it has. The last rows are generic and take any
// text.
//
// # From bytes to a document
//
//	decode     UTF-8, line ends, byte order mark; offsets stay those of the file
//	formatOf   the row that claims the file, by path and first lines
//	outline    the shape's fields and sections under the author's own names
//	entries    a rolling log is cut into its entries
//	document   labels become fields, headings become kinds
//	derive     items, files, approaches, blockers
//	validate   the rules of the format's row
//
// # Packages
//
// Below parse/internal each package imports those above it only:
//
//	scan            lines and words: items, keys, fences, marks
//	source, date    a file as text, with places and problems; dates
//	paths, signs    files that a text names; words that say "blocked"
//	metadata        what labels mean, and what statuses say
//	topic, gitref   what headings are about, and list items; branches and commits
//	outline         the shapes
//
// Package parse joins them to documents, by the rows of its table of formats.
// Package write makes handoffs, and proves itself by reading them.
//
// No package touches a disk: neighbours of a file (the prose a manifest names, a
// ledger) come through Source.Neighbour.
package parse
