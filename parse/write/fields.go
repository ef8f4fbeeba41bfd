package write

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"handex/parse"
	"handex/parse/internal/date"
	"handex/parse/internal/metadata"
	"handex/parse/internal/scan"
)

// fields takes over the fields that do not stand in a text as well.
func (g *drafter) fields() {
	status, hasStatus := g.doc.Field("status")
	for _, f := range g.doc.Fields {
		isMeta := strings.HasPrefix(f.Key, "meta.")
		switch {
		case f.Key == "title":
			continue
		case isMeta && f.Key != "meta.status" && g.isInText(f):
			continue
		case f.Key == "meta.status" && hasStatus && scan.NormalKey(f.Value) == scan.NormalKey(status.Value):
			continue // another spelling
		case f.Key == "meta.status" && hasStatus:
			f.Key, f.Label = "meta.status_note", "status_note"
		case f.Key == "meta.status":
			f.Key = "status"
		case isMeta:
			f.Key = g.repeated(ungrouped(f))
		}
		f.Span.Line, f.Span.EndLine = 0, 0
		values := []string{f.Value}
		for span, items := range g.lists {
			if span.Start == f.Span.Start && span.End == f.Span.End {
				values = items
			}
		}
		for _, v := range values {
			g.out.Fields = append(g.out.Fields, parse.Field{Key: f.Key, Label: f.Label, Value: v})
		}
	}
}

// ungrouped is a field under its own label where it stood among metadata:
// "metadata.model" is the model.
func ungrouped(f parse.Field) parse.Field {
	own := metadata.MetaKey(f.Label)
	group, ok := strings.CutSuffix(f.Key, "_"+strings.TrimPrefix(own, "meta."))
	if ok && metadata.Headings()[scan.NormalKey(strings.TrimPrefix(group, "meta."))] {
		f.Key = own
	}
	return f
}

// repeated is the name of a field whose label another field of that name has.
func (g *drafter) repeated(f parse.Field) string {
	if g.labels == nil {
		g.labels = map[string]string{}
		for _, other := range g.doc.Fields {
			if !strings.HasPrefix(other.Key, "meta.") {
				g.labels[scan.NormalKey(other.Label)] = other.Key
			}
		}
	}
	return cmp.Or(g.labels[scan.NormalKey(f.Label)], f.Key)
}

func (g *drafter) isInText(f parse.Field) bool {
	return f.Span.End > 0 && slices.ContainsFunc(g.texts, func(t *sectionText) bool {
		return f.Span.Start >= t.Span.Start && f.Span.End <= t.Span.End && t.holds(f.Label+" "+f.Value)
	})
}

// A sectionText knows its words, once it is asked for them.
type sectionText struct {
	parse.Section
	words scan.WordSet
}

func (t *sectionText) holds(text string) bool {
	if t.words == nil {
		t.words = scan.WordSet{}
		t.words.Add(t.Heading, t.Body)
	}
	return t.words.Holds(text)
}

// date makes sure of a date that every format understands, wherever the
// document had it.
func (g *drafter) date() {
	at := g.doc.Date
	if at.Time.IsZero() {
		return
	}
	i := slices.IndexFunc(g.out.Fields, func(f parse.Field) bool { return f.Key == "date" })
	switch {
	case i < 0:
		g.out.Fields = append(g.out.Fields, parse.Field{Key: "date", Value: isoForm(at)})
	case date.IsISO8601(g.out.Fields[i].Value) || at.Source != "field":
	default:
		written := g.out.Fields[i].Value
		g.out.Fields[i].Value = isoForm(at)
		g.out.Fields = append(g.out.Fields, parse.Field{Key: "meta.date_as_written", Label: "date_as_written", Value: written})
	}
}

// isoForm is a date in ISO 8601, as exact as it is known.
func isoForm(d parse.Date) string {
	switch d.Precision {
	case "year":
		return d.Time.Format("2006")
	case "month":
		return d.Time.Format("2006-01")
	case "day":
		return d.Time.Format(time.DateOnly)
	}
	return d.Time.Format(time.RFC3339Nano)
}
