// Package write makes handoffs: it writes drafts in the formats that have a layout,
// and edits YAML without touching anything else.
//
// Markdown cannot contain every text so that it reads the same, so what was written is
// read back by package parse, and every difference is reported as a [Loss].
package write
