package mcp

import (
	"context"
	"encoding/json"
	"time"

	"handex/cmd/internal/brief"
	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/index"
	"handex/parse"
)

// A Source answers what tools ask. Each method brings the index up to date first,
// as the command line does, and may be called by several goroutines at once. Notes
// are what the asker should know beside the answer, one line each. The text of an
// error says what to do about it, as that of the command line; it may have several
// lines.
type Source interface {
	// Search answers a query. Directives of paging and form are not for it to say.
	Search(ctx context.Context, q Query) (answer *render.Answer, notes []string, err error)
	// Show answers the handoff that ref names: an id or session, the beginning of
	// one, or a path. section, if given, restricts what is returned of it.
	Show(ctx context.Context, ref, section string) (shown *Shown, notes []string, err error)
	// Latest answers the latest handoff of each format of the project that a folder
	// is in, newest first.
	Latest(ctx context.Context, dir string) (list []index.Summary, notes []string, err error)
	// Brief answers what there is to tell of the project that a folder is in, the
	// working folder if dir is empty.
	Brief(ctx context.Context, dir string) (facts *brief.Facts, notes []string, err error)
	// Escalations answers the handoffs that a query finds, with what was acknowledged
	// of them.
	Escalations(ctx context.Context, q Query) (found *Escalations, notes []string, err error)
	// Report answers a report. Its texts are as report has them.
	Report(ctx context.Context, ask ReportAsk) (r *report.Report, notes []string, err error)

	// Write saves a handoff of a format in the project of dir, or only shows what
	// that would change. document is a JSON object as the command write takes it.
	Write(ctx context.Context, format, dir string, document json.RawMessage, dryRun bool) (done *Change, notes []string, err error)
	// Update sets keys of the project's handoff that is kept current.
	Update(ctx context.Context, dir string, keys json.RawMessage, dryRun bool) (done *Change, notes []string, err error)
	// Ack acknowledges all of the handoffs, or none.
	Ack(ctx context.Context, refs []string, note string) (notes []string, err error)
}

// A Query is what to search for. Exact reads Text by the query language, as
// search does; else it is half-remembered words, as find reads them.
type Query struct {
	Text          string
	Exact         bool
	Limit, Offset int
}

// Shown is a handoff. Sections, if not nil, are those that were asked for.
type Shown struct {
	*index.Handoff
	Sections []parse.Section
	Foreign  bool // it came with a clone and is not trusted
}

// Escalations are some of Total handoffs, in the order of the query. Acks are by
// their ids.
type Escalations struct {
	Total    int
	Handoffs []*index.Handoff
	Acks     map[string]Ack
}

// An Ack says when a handoff was acknowledged, and why. Void is one of a text the
// handoff no longer has.
type Ack struct {
	At   time.Time
	Note string
	Void bool
}

// A Change is what was, or would be, written to a file. Diff is not told of a new
// handoff that was written.
type Change struct {
	Path, Diff string
	Removed    []string // paths of handoffs that made room
	Notes      []string // what the format has no place for, what is not as it should be
	Prompt     string   // what its receiver is to be told
}
