package render

import (
	"cmp"
	"io"

	"github.com/OWNER/handex/index"
)

// Versions writes a line for each version of a file: id, date, since when another
// has replaced it, where it is from, and what it is about.
func Versions(w io.Writer, versions []index.Version, forPrograms bool, o Options) error {
	return listing(w, []string{"id", "date", "replaced", "from", "label"}, forPrograms, o, func(o Options) [][]string {
		return each(versions, func(v index.Version) []string {
			replaced := cmp.Or(o.Date(v.Replaced, "instant"), "-")
			return []string{v.ID, o.Date(v.Date, v.DatePrecision), replaced, source(v.Summary), Title(v.Summary)}
		})
	})
}

// source returns where a version is from.
func source(h index.Summary) string {
	switch {
	case h.VersionOf == "":
		return "file"
	case h.Revision != "":
		return "git " + h.Revision[:min(len(h.Revision), 12)]
	}
	return "archive"
}

// VersionsJSON writes all versions of a file as one object.
func VersionsJSON(w io.Writer, versions []index.Version) error {
	return JSON(w, object{{"schema", Schema}, {"versions", all(versions, func(v index.Version) object {
		return append(summaryObject(v.Summary), member{"replaced", v.Replaced})
	})}})
}
