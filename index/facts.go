package index

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
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
	factArchive   = "archive"    // the state its versions were taken from
	factJournal   = "journal"    // mode it was built for
	factTables    = "tables"     // digest of tableList
	factSlack     = "date_slack" // seconds, read by compiled queries
	factStamp     = "stamp"      // another with every transaction
)

// severalZones is the zone of an index that is built of files read in different ones.
const severalZones = "several zones"

// fingerprint tells zones apart by what they do from 2015 to 2040, as "Local" is
// the name of many and one has several names.
func fingerprint(zone *time.Location) string {
	var offsets []string
	at, last := time.Date(2015, time.January, 1, 0, 0, 0, 0, time.UTC), time.Date(2041, time.January, 1, 0, 0, 0, 0, time.UTC)
	for !at.IsZero() && at.Before(last) {
		_, offset := at.In(zone).Zone()
		_, end := at.In(zone).ZoneBounds()
		if !end.IsZero() && !end.After(at) {
			end = at.AddDate(0, 0, 1) // the last day of a leap year is said to end as it begins
		}
		at = end
		offsets = append(offsets, strconv.Itoa(offset), strconv.FormatInt(at.Unix(), 10))
	}
	return digest(offsets)
}

// digest is a short fingerprint of a list.
func digest(list []string) string {
	sum := sha256.Sum256([]byte(strings.Join(list, "\x00")))
	return hex.EncodeToString(sum[:8])
}
