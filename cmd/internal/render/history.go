package render

import (
	"io"
	"time"

	"handex/index"
)

// Versions writes a line for each version of a file: id, date, since when another
// stands in its place, where it is from, and what it is about.
func Versions(w io.Writer, versions []index.Version, o Options) error {
	return Table(w, []string{"id", "date", "replaced", "from", "label"}, versionRows(versions, o), o)
}

// VersionsPlain writes the same as tab-separated lines.
func VersionsPlain(w io.Writer, versions []index.Version, o Options) error {
	o.Dates = DatesISO
	return TSV(w, versionRows(versions, o))
}

func versionRows(versions []index.Version, o Options) [][]string {
	rows := make([][]string, len(versions))
	for i, v := range versions {
		replaced := "-"
		if !v.Replaced.IsZero() {
			replaced = o.Date(v.Replaced, "instant")
		}
		rows[i] = []string{v.ID, o.Date(v.Date, v.DatePrecision), replaced, source(v.Summary), Title(v.Summary)}
	}
	return rows
}

// source tells where a version is from.
func source(h index.Summary) string {
	switch {
	case h.VersionOf == "":
		return "file"
	case h.Revision != "":
		return "git " + h.Revision[:min(len(h.Revision), 12)]
	}
	return "archive"
}

// VersionsJSON writes all versions as one object.
func VersionsJSON(w io.Writer, versions []index.Version) error {
	type wireVersion struct {
		Wire
		Replaced time.Time `json:"replaced,omitzero"`
	}
	list := make([]wireVersion, len(versions))
	for i, v := range versions {
		list[i] = wireVersion{wire(v.Summary), v.Replaced}
		if !v.Replaced.IsZero() {
			list[i].Replaced = v.Replaced.UTC()
		}
	}
	return JSON(w, struct {
		Schema   int           `json:"schema"`
		Versions []wireVersion `json:"versions"`
	}{Schema, list})
}
