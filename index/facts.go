package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// What state holds.
const (
	factZone      = "zone"
	factKnown     = "known"
	factRefreshed = "refreshed_at"
	factHandoffs  = "handoffs"
	factVersions  = "versions"   // of them, earlier versions of files
	factShelf     = "archive"    // the state its versions were taken from
	factJournal   = "journal"    // mode it was built for
	factTables    = "tables"     // digest of tableList
	factSlack     = "date_slack" // seconds, read by compiled queries
	factStamp     = "stamp"      // another with every transaction
)

// fingerprint tells zones apart by what they do, as "Local" is the name of many.
func fingerprint(zone *time.Location) string {
	var offsets []string
	for year := 2015; year <= 2040; year++ {
		for _, month := range []time.Month{time.January, time.April, time.July, time.October} {
			_, offset := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).In(zone).Zone()
			offsets = append(offsets, fmt.Sprint(offset))
		}
	}
	return zone.String() + " " + digest(offsets)
}

// digest is a short fingerprint of a list.
func digest(list []string) string {
	sum := sha256.Sum256([]byte(strings.Join(list, "\x00")))
	return hex.EncodeToString(sum[:8])
}
