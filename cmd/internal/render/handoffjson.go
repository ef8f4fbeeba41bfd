package render

import (
	"io"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/parse"
	"github.com/OWNER/handex/parse/write"
)

// Extras change what HandoffJSON writes of a handoff.
type Extras struct {
	Stale    string          // why what is known is from before, "" if it is not
	Why      *Evidence       // what decided its facts, nil if that was not asked
	Sections []parse.Section // all that is written of its text; nil is everything
}

// HandoffJSON writes all that is known of a handoff as one object. What it does not
// say is absent; times are RFC 3339 in UTC.
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

// summaryObject returns what lists show of a handoff.
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

// hitObject returns a handoff with why it was found.
func hitObject(h index.Hit) object {
	snippets := Each(h.Snippets, func(s index.Snippet) object {
		return object{{"section", s.Section}, {"line", nonzero(s.Line)}, {"text", always{s.Text}}, {"spans", s.Spans}}
	})
	return append(summaryObject(h.Summary), object{
		{"snippets", snippets}, {"score", h.Score}, {"missing", h.Missing}, {"versions", h.Versions},
	}...)
}

// sectionObject returns a heading and the text below it.
func sectionObject(s parse.Section) object {
	return object{
		{"kind", always{s.Kind}},
		{"heading", s.Heading},
		{"level", nonzero(s.Level)},
		{"line", nonzero(s.Span.Line)},
		{"body", always{s.Body}},
	}
}

// itemObject returns an item of a list.
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

// problemObject returns a rule that the handoff breaks.
func problemObject(p parse.Problem) object {
	return object{
		{"severity", p.Severity.String()},
		{"rule", always{p.Rule}},
		{"line", nonzero(p.Line)},
		{"message", always{p.Message}},
	}
}

// Written is a handoff that was made. Path is where it was saved, "" if it was
// not; Prompt the message for its receiver; Removed the paths of handoffs that
// made room for it.
type Written struct {
	Format, Path string
	Text         []byte
	Prompt       string
	Losses       []write.Loss
	Problems     []parse.Problem
	Removed      []string
}

// ConvertedJSON writes a handoff in another format as one object.
func ConvertedJSON(w io.Writer, text []byte, losses []write.Loss) error {
	return JSON(w, object{{"schema", Schema}, {"text", always{string(text)}}, {"losses", all(losses, lossObject)}})
}

// WrittenJSON writes it as one object.
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

// lossObject returns what a format has no place for, and where it was kept.
func lossObject(l write.Loss) object {
	return object{{"what", always{l.What}}, {"kept", always{l.Kept}}}
}
