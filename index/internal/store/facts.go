package store

import (
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
)

// What state holds.
const (
	FactZone      = "zone"
	FactKnown     = "known"
	FactRefreshed = "refreshed_at"
	FactHandoffs  = "handoffs"
	FactVersions  = "versions"   // of them, earlier versions of files
	FactArchive   = "archive"    // the state its versions were taken from
	FactJournal   = "journal"    // mode it was built for
	FactTables    = "tables"     // digest of tableList
	FactSlack     = "date_slack" // seconds, read by compiled queries
	FactStamp     = "stamp"      // another with every transaction
)

// SeveralZones is the zone of an index that is built of files read in different ones.
const SeveralZones = "several zones"

// ZoneFingerprint returns a digest of the offsets of a zone from 2015 to 2040, as
// "Local" is the name of many and one has several names.
func ZoneFingerprint(zone *time.Location) string {
	var offsets []string
	at, last := time.Date(2015, time.January, 1, 0, 0, 0, 0, time.UTC), time.Date(2041, time.January, 1, 0, 0, 0, 0,
		time.UTC)
	for !at.IsZero() && at.Before(last) {
		_, offset := at.In(zone).Zone()
		_, end := at.In(zone).ZoneBounds()
		if !end.IsZero() && !end.After(at) {
			end = at.AddDate(0, 0, 1) // the last day of a leap year is said to end as it begins
		}
		at = end
		offsets = append(offsets, strconv.Itoa(offset), strconv.FormatInt(at.Unix(), 10))
	}
	return Digest(offsets)
}

// Digest returns a short fingerprint of a list.
func Digest(list []string) string {
	return fsx.ContentSum([]byte(strings.Join(list, "\x00")))[:16]
}
