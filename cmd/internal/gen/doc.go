// Package gen writes trees of synthetic handoffs for tests and measurements.
//
// A tree is a function of its size and its seed: the same two give the same
// paths, bytes and modification times on every machine. It is made to cost an
// indexer what real handoffs cost: file sizes are log-normal (median 4.2 KB,
// p10 1.8 KB, p90 9.5 KB, at most 31 KB), words follow Zipf's law over 40,000
// inflected forms, projects differ in size, and the formats are mixed as
//
//	70 %  Markdown: claude-suite classic and fond-v1, bold metadata,
//	      frontmatter, and session metadata lists
//	15 %  ACT XML
//	10 %  flow-guardian YAML
//	 5 %  company manifests, each with its discussion file
//
// Some words occur in a known share of the handoffs, see the constants.
package gen

// Shares of the handoffs that contain a word (or words), as a whole word outside
// of longer identifiers such as session_id.
const (
	ShareRare      = 0.0001 // zqrare
	ShareMedium    = 0.01   // qmedium
	ShareCommon    = 0.46   // session
	SharePair      = 0.136  // migration and rollback
	SharePhrase    = 0.41   // "token expiry"
	ShareEscalated = 0.01   // HUMAN REVIEW NEEDED
)
