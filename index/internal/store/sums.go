package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/OWNER/handex/index/internal/fsx"
	"github.com/OWNER/handex/index/internal/sqlitedb"
)

// The sums of a handoff show that a row is no longer what was written: SQLite
// does not notice a byte that has changed on disk. They are computed from the values
// in the form in which bulk statements read them, which is the same for a row
// that is written and for one that was read.

// LatestSum is the difference (by XOR) between the card_sum of a handoff that is the latest and its
// card_sum otherwise, so that the mark can be moved without reading the rest of the row.
const LatestSum = int64(0x6c617465_73740001)

// StandingSum is the same for the mark of a standing handoff.
const StandingSum = int64(0x7374616e_64730001)

// Sum64 returns the first quarter of the SHA-256 of b.
func Sum64(b []byte) int64 {
	sum := sha256.Sum256(b)
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// CardSum returns the checksum of all that a listing shows of a handoff, except for the
// acknowledgement. It uses r as a buffer.
func (r *Rows) CardSum(h *sqlitedb.Handoff, project, root, path, title, goal string) int64 {
	r.buf = r.buf[:0]
	sum := Sum64(r.Row().Handoff(h).Text(project, root, path, title, goal).End())
	if h.Latest != 0 {
		sum ^= LatestSum
	}
	if h.Standing != 0 {
		sum ^= StandingSum
	}
	return sum
}

// checkCard returns an error if a row of Summaries is damaged.
func checkCard(scratch *Rows, r *sqlitedb.SummariesRow) error {
	h := &r.Handoff
	path := PathSummed(r.Path, r.VersionOf, r.Revision)
	if h.Latest>>1 == 0 && h.Standing>>1 == 0 && scratch.CardSum(h, r.Project, r.Root, path, r.Title,
		r.Goal) == h.CardSum {
		return nil
	}
	return damaged(h.ID, "the row")
}

// PathSummed returns the part of a file's row that goes into CardSum.
func PathSummed(path, versionOf, revision string) string {
	if versionOf == "" {
		return path
	}
	return path + "\n" + versionOf + "\n" + revision
}

// TextSum returns the checksum of a row of body; parts are the texts that Bodies packs. It uses r
// as a buffer.
func (r *Rows) TextSum(id int64, sections string, parts ...string) int64 {
	r.buf = append(strconv.AppendInt(r.buf[:0], id, 10), 0)
	r.buf = append(r.buf, sections...)
	for _, p := range parts {
		r.buf = append(append(r.buf, 0), p...)
	}
	return Sum64(r.buf)
}

// FactSum returns the checksum of a row of attr or problem. The sums of a handoff's rows are
// combined with ^, in any order: no two rows are the same.
func FactSum(row []byte) int64 { return Sum64(row) }

// ReadFacts reads the attributes and problems of handoffs. If they do not match their checksums,
// the error is ErrCorrupt.
func ReadFacts(ctx context.Context, q *sqlitedb.Queries, ids []int64) ([]sqlitedb.Attr, []sqlitedb.Problem, error) {
	list := NumberList(ids)
	want, err := q.FactSums(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	attrs, err := q.AttrsOf(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	problems, err := q.ProblemsOf(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	var scratch Rows
	have := map[int64]int64{}
	for i := range attrs {
		scratch.buf = scratch.buf[:0]
		have[attrs[i].HandoffID] ^= FactSum(scratch.Attr(&attrs[i]))
	}
	for i := range problems {
		scratch.buf = scratch.buf[:0]
		have[problems[i].HandoffID] ^= FactSum(scratch.Problem(&problems[i]))
	}
	for _, row := range want {
		if have[row.ID] != row.FactsSum {
			return nil, nil, damaged(row.ID, "the metadata")
		}
	}
	return attrs, problems, nil
}

// SnippetBatch is how many texts are in memory at once.
const SnippetBatch = 128

// CheckAll returns an ErrCorrupt if any row of the given handoffs is damaged or missing.
func CheckAll(ctx context.Context, q *sqlitedb.Queries, ids []int64) error {
	for part := range slices.Chunk(ids, SnippetBatch) {
		cards, err := q.Summaries(ctx, NumberList(part))
		if err != nil {
			return err
		}
		var scratch Rows
		for i := range cards {
			if err := checkCard(&scratch, &cards[i]); err != nil {
				return err
			}
		}
		bodies, err := q.Bodies(ctx, NumberList(part))
		if err != nil {
			return err
		}
		if len(cards) < len(part) || len(bodies) < len(part) {
			return fmt.Errorf("%w: a handoff has no text, file or project", ErrCorrupt)
		}
		for i := range bodies {
			if _, err := UnpackBody(&scratch, &bodies[i]); err != nil {
				return err
			}
		}
		if _, _, err := ReadFacts(ctx, q, part); err != nil {
			return err
		}
	}
	return nil
}

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

// SeveralZones is the recorded zone of an index whose files were read in different zones.
const SeveralZones = "several zones"

// ZoneFingerprint returns a digest of the offsets of a zone from 2015 to 2040. Names do not
// identify a zone: "Local" is the name of many, and one zone has several names.
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
