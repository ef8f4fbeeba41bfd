package mcp

import (
	"context"
	"encoding/json"

	"handex/cmd/internal/brief"
	"handex/cmd/internal/render"
	"handex/cmd/internal/report"
	"handex/cmd/internal/service"
	"handex/index"
)

// A Source answers what tools ask: service.Calls, and a Writer. Each method brings the
// index up to date first, and may be called by several goroutines at once. Notes are
// what the caller should know beside the answer, a line each. The text of an error says
// what to do about it; it can have several lines.
type Source interface {
	Search(ctx context.Context, q service.SearchCall) (answer *render.Answer, notes []string, err error)
	Show(ctx context.Context, ref, section string) (shown *service.Shown, notes []string, err error)
	Latest(ctx context.Context, dir string) (list []index.Summary, notes []string, err error)
	Brief(ctx context.Context, dir string) (facts *brief.Facts, notes []string, err error)
	Escalations(ctx context.Context, q service.SearchCall) (found *service.Escalations, notes []string, err error)
	Report(ctx context.Context, q service.ReportQuestion) (r *report.Report, notes []string, err error)
	Ack(ctx context.Context, refs []string, note string) (notes []string, err error)
	Writer
}

// A Writer writes handoffs.
type Writer interface {
	// Write saves a handoff of a format in the project of dir, or only shows what
	// that would change. document is a JSON object as the command write takes it.
	Write(ctx context.Context, format, dir string, document json.RawMessage, dryRun bool) (done *Change, notes []string, err error)
	// Update sets keys of the project's handoff that is kept current.
	Update(ctx context.Context, dir string, keys json.RawMessage, dryRun bool) (done *Change, notes []string, err error)
}

// A Change is what was, or would be, written to a file. Diff is "" for a new handoff
// that was written.
type Change struct {
	Path, Diff string
	Removed    []string // paths of handoffs that made room
	Notes      []string // what the format has no place for, what is not as it should be
	Prompt     string   // what its receiver is to be told
}
