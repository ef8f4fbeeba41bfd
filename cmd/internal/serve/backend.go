package serve

import (
	"context"
	"time"

	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/index"
	"handex/query"
)

// A Backend answers from the index. Its methods are called by many goroutines at
// once. The error of each can be an *Error.
type Backend interface {
	// Search answers a query; Facets of it are counted if it names none itself.
	Search(ctx context.Context, q Question) (render.Answer, error)
	// Values counts the values of a field.
	Values(ctx context.Context, field, text string) (render.Answer, error)
	// Handoff answers a handoff by its id, or what is known of one, and why that is
	// from before, "" if it is not.
	Handoff(ctx context.Context, ref string) (h *index.Handoff, stale string, err error)
	// Around answers what a handoff's page shows beside it.
	Around(ctx context.Context, h *index.Handoff) (Around, error)
	// Raw answers the begin of a handoff's file and how many bytes follow.
	Raw(ctx context.Context, h *index.Handoff, most int) (text string, left int, err error)
	// Latest answers the newest handoff of a folder's project, or of the working
	// folder's if it is "".
	Latest(ctx context.Context, dir string) (h *index.Handoff, stale string, err error)
	// Status answers what is indexed.
	Status(ctx context.Context) (*index.Status, error)
	// Ack acknowledges a handoff, or takes that back.
	Ack(ctx context.Context, id, note string, undo bool) error
	// Reports are the names of reports.
	Reports() []string
	// Report answers a report.
	Report(ctx context.Context, q ReportQuestion) (Made, error)
	// Complete answers what the last word of a query can become.
	Complete(ctx context.Context, before string) (word string, list []query.Candidate, err error)
	// Generation changes when the index does.
	Generation() uint64
	// Now is the clock, Zone the user's.
	Now() time.Time
	Zone() *time.Location
}

// A Question is a query, and which of its hits are asked for.
type Question struct {
	Text   string
	Offset int
	Facets string // fields, between commas
	// Most bounds the hits; a limit of the query's own goes before it.
	Most int
}

// A ReportQuestion is a report, and what it is restricted to. Week is one as
// 2026-W07, "" for the report's own time. Fresh refuses one that the index has gone on
// from.
type ReportQuestion struct {
	Name, Text, Week string
	Fresh            bool
}

// Made is a report, what is told of the index beside it, and of which state of the
// index it is.
type Made struct {
	Report     *report.Report
	Beside     render.Answer
	Generation uint64
	At         time.Time
}

// Around is what a handoff's page shows beside it.
type Around struct {
	Versions     []index.Version
	Newer, Older *index.Summary
	Acked        time.Time // zero if it is not
	Note         string
}

// An Error is told as the command line tells it: Text for people, Wire for
// programs. Code is the code of Wire.
type Error struct {
	Code string
	Text string
	Wire any
	// Query is what was asked, Errors what is wrong with it; nil if the fault lies
	// elsewhere.
	Query  string
	Errors query.Errors
	// Choices are queries that would do instead.
	Choices []string
	// Err is the error itself.
	Err error
}

func (f *Error) Error() string { return f.Text }

func (f *Error) Unwrap() error { return f.Err }
