package parse

import (
	"slices"
	"strconv"
	"strings"

	"github.com/OWNER/handex/parse/internal/metadata"
	"github.com/OWNER/handex/parse/internal/outline"
	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
	"github.com/OWNER/handex/parse/internal/topic"
)

// A Place says where the handoffs of a format are kept, and what a writer of one
// knows by itself, as the format's specification has it. Paths have forward
// slashes.
type Place struct {
	// Marks are files and folders that mark a project's root: the nearest
	// folder, the working folder or one above it, that contains one of them; the
	// working folder itself where none does.
	Marks []string
	// Agent: the handoffs are in the user's folder of the agent instead of the
	// project, divided by the encoded path of the working folder.
	Agent bool
	// Dir is the folder of the handoffs, relative to the root.
	Dir string
	// File is the name of the one file that each handoff replaces. Where it is
	// empty, each is a new file: named by its time in the layout Stamp, or by its
	// session where that is empty, with the extension Ext.
	File, Stamp, Ext string
	// Latest is the name of the link to the newest; empty if there is none.
	Latest string
	// Config is the project's file that ReadKeeping reads, relative to the root.
	Config string
	// Family is a name for all formats of the place: Config says which is meant.
	Family string
	// Unsent is the status of a handoff that is still to be sent to its receiver;
	// empty where handoffs are not sent by a step of their own.
	Unsent string
	// Log is the file in Dir that lists past handoffs; empty if none does.
	Log string
	// Letters is a pattern of the files with the prose that handoffs refer to, relative to
	// the root, in the order of their names; empty if handoffs refer to none.
	Letters string
	// Fills are the canonical fields that a writer fills in if it knows them, and
	// "files" for those that were touched, with "actions" for what was done to
	// them. Date is the layout of the time of writing.
	Fills []string
	Date  string
	// Update is what an update writes where there is no handoff yet, by the keys as
	// they are written; the Label of one is the key whose value it takes over if the
	// update has one. It is nil for a format whose handoffs are not updated.
	// Renewed is the key that each update sets to its time, Session that of the
	// session, and Lists are the keys whose values are lists.
	Update           []Field
	Renewed, Session string
	Lists            []string
}

// PlaceOf returns where handoffs of a format are kept; ok is false for a format
// that names no place.
func PlaceOf(format string) (place Place, ok bool) {
	if at := VocabularyOf(format).place; at != nil {
		return *at, true
	}
	return Place{}, false
}

// FieldOf returns the canonical field that a label means in a format, "item" for ids of
// work items, "files" for a list of files, and "meta.<key>" for a label that no format
// knows.
func FieldOf(format, label string) string {
	key := scan.NormalKey(label)
	if name, ok := VocabularyOf(format).keys[key]; ok {
		return name
	}
	if slices.Contains(FieldNames, label) {
		return label
	}
	if k, ok := metadata.Known()[key]; ok {
		return k.Field
	}
	if topic.Of(key) == Files {
		return string(Files)
	}
	return metadata.MetaKey(label)
}

// Keeping is what a project's own configuration says about the handoffs kept in the project.
type Keeping struct {
	MaxFiles int    // at least 1
	Format   string // extension without its dot
	AutoSave bool   // whether hooks save
}

// maxKeeping is more handoffs than a folder holds.
const maxKeeping = 1_000_000

// ReadKeeping reads the file that Place.Config names, such as
//
//	handoff:
//	  maxFiles: 5
//	  format: xml
//	  autoSave: true
//
// A value that is missing or wrong has its default, which is the one above. What is
// wrong is returned as problems. Other keys are ignored.
func ReadKeeping(text []byte) (Keeping, []Problem) {
	k := Keeping{MaxFiles: 5, Format: "xml", AutoSave: true}
	dec := source.Decode(text)
	o := outline.ReadYAML(dec.Text)
	problems := slices.Concat(dec.Problems, o.Problems)
	if len(problems) > 0 {
		return k, problems
	}
	for _, f := range o.Fields {
		fault := ""
		switch {
		case f.Null:
		case f.Key == "handoff.maxFiles":
			if n, err := strconv.Atoi(f.Value); err == nil && n >= 1 && n <= maxKeeping && f.List == nil {
				k.MaxFiles = n
			} else {
				fault = "is not a number of at least 1"
			}
		case f.Key == "handoff.format":
			if slices.Contains([]string{"xml", "md"}, f.Value) {
				k.Format = f.Value
			} else {
				fault = "is neither xml nor md"
			}
		case f.Key == "handoff.autoSave":
			switch strings.ToLower(f.Value) {
			case "true", "yes", "on":
			case "false", "no", "off":
				k.AutoSave = false
			default:
				fault = "is neither true nor false"
			}
		}
		if fault != "" {
			_, name, _ := strings.Cut(f.Key, ".")
			r := Rule{ID: "config." + strings.ToLower(name), Severity: Warning}
			problems = append(problems, r.Problem(f.Span, "%s: %q %s", f.Key, f.Value, fault))
		}
	}
	return k, problems
}
