package render

import (
	"io"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// Extras change which members HandoffJSON writes.
type Extras struct {
	Stale    string          // why what is known is from before, "" if it is not
	Why      *Evidence       // what decided its facts, nil if that was not asked
	Sections []parse.Section // all that is written of its text; nil is everything
}

// HandoffJSON writes a handoff as one JSON object. Members whose value is not known are
// left out; times are RFC 3339 in UTC.
func HandoffJSON(w io.Writer, h *index.Handoff, x Extras) error {
	o := append(object{{"schema", Schema}}, summaryObject(h.Summary)...)
	o = append(o, member{"stale", x.Stale}, member{"why", x.Why})
	if x.Sections != nil {
		return JSON(w, append(o, member{"sections", Each(x.Sections, sectionObject)}))
	}
	meta := map[string][]string{}
	for _, f := range h.Meta {
		meta[f.Key] = append(meta[f.Key], f.Value)
	}
	return JSON(w, append(o, object{
		{"now", lineOf(h, parse.State)},
		{"hypothesis", lineOf(h, "hypothesis")},
		{"outcome", lineOf(h, "outcome")},
		{"head", h.Head},
		{"escalations", Each(h.Escalations, func(l parse.Line) object {
			return object{{"line", nonzero(l.Number)}, {"text", always{l.Text}}}
		})},
		{"sections", Each(h.Sections, sectionObject)},
		{"items", Each(h.Items, itemObject)},
		{"files", Each(h.Files, func(f parse.File) object {
			return object{{"path", always{f.Path}}, {"action", f.Action}, {"section", f.Section}, {"line", nonzero(f.Line)}}
		})},
		{"work_items", h.WorkItems},
		{"approaches", Each(h.Approaches, func(a parse.Approach) object {
			return object{{"text", always{a.Text}}, {"outcome", a.Outcome}, {"line", nonzero(a.Line)}}
		})},
		{"links", Each(h.Links, func(l parse.Link) object {
			return object{{"relation", always{l.Relation}}, {"target", always{l.Target}}, {"line", nonzero(l.Line)}}
		})},
		{"meta", meta},
		{"problems", Each(h.Problems, problemObject)},
	}...))
}

// summaryObject returns the summary of a handoff, without its text, as a JSON object.
func summaryObject(s index.Summary) object {
	return object{
		{"id", always{s.ID}},
		{"project", s.Project},
		{"root", s.Root},
		{"member", s.Member},
		{"format", s.Format},
		{"path", always{s.Path}},
		{"version_of", s.VersionOf},
		{"commit", s.Revision},
		{"entry", nonzero(s.Entry)},
		{"session", s.Session},
		{"from", s.From},
		{"to", s.To},
		{"date", s.Date},
		{"date_source", s.DateSource},
		{"date_precision", s.DatePrecision},
		{"updated", s.Updated},
		{"title", s.Title},
		{"goal", s.Goal},
		{"status", s.Status},
		{"branch", s.Branch},
		{"states", s.States},
	}
}

// hitObject returns a hit as a JSON object: the summary of its handoff and why it was
// found.
func hitObject(h index.Hit) object {
	snippets := Each(h.Snippets, func(s index.Snippet) object {
		return object{{"section", s.Section}, {"line", nonzero(s.Line)}, {"text", always{s.Text}}, {"spans", s.Spans}}
	})
	return append(summaryObject(h.Summary), object{
		{"snippets", snippets}, {"score", h.Score}, {"missing", h.Missing}, {"versions", h.Versions},
	}...)
}

// sectionObject returns a section as a JSON object: its kind, heading and text.
func sectionObject(s parse.Section) object {
	return object{
		{"kind", always{s.Kind}},
		{"heading", s.Heading},
		{"level", nonzero(s.Level)},
		{"line", nonzero(s.Span.Line)},
		{"body", always{s.Body}},
	}
}

// itemObject returns an item of a list in a handoff as a JSON object.
func itemObject(i parse.Item) object {
	return object{
		{"section", always{i.Section}},
		{"text", always{i.Text}},
		{"checked", i.Checked},
		{"mark", i.Mark},
		{"priority", i.Priority},
		{"time", i.Time},
		{"line", nonzero(i.Line)},
	}
}

// problemObject returns a problem of a handoff as a JSON object.
func problemObject(p parse.Problem) object {
	return object{
		{"severity", p.Severity.String()},
		{"rule", always{p.Rule}},
		{"line", nonzero(p.Line)},
		{"message", always{p.Message}},
	}
}

// Written is a handoff that was created. Path is where it was saved, "" if it was not;
// Prompt is the message for its receiver; Removed are the paths of older handoffs that were
// removed to make room.
type Written struct {
	Format, Path string
	Text         []byte
	Prompt       string
	Losses       []write.Loss
	Problems     []parse.Problem
	Removed      []string
}

// ConvertedJSON writes a handoff that was converted to another format as one JSON object:
// its text and the losses.
func ConvertedJSON(w io.Writer, text []byte, losses []write.Loss) error {
	return JSON(w, object{{"schema", Schema}, {"text", always{string(text)}}, {"losses", all(losses, lossObject)}})
}

// WrittenJSON writes a created handoff as one JSON object.
func WrittenJSON(w io.Writer, x Written) error {
	return JSON(w, object{
		{"schema", Schema},
		{"format", always{x.Format}},
		{"path", x.Path},
		{"text", always{string(x.Text)}},
		{"prompt", x.Prompt},
		{"losses", Each(x.Losses, lossObject)},
		{"problems", Each(x.Problems, problemObject)},
		{"removed", x.Removed},
	})
}

// lossObject returns a loss as a JSON object: what the format has no place for, and where
// it was kept.
func lossObject(l write.Loss) object {
	return object{{"what", always{l.What}}, {"kept", always{l.Kept}}}
}
