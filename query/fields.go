package query

import (
	"slices"
	"strings"

	"github.com/OWNER/handex/query/internal/match"
)

// FieldKind says what values a field has and how they are compared.
type FieldKind string

// The kinds of fields.
const (
	FieldOpen     FieldKind = "open"     // equal ignoring case, or a glob; = and quotes are exact
	FieldClosed   FieldKind = "closed"   // one of Values, or a synonym
	FieldPath     FieldKind = "path"     // whole path, a trailing part of it, or a glob
	FieldNumber   FieldKind = "number"   // compared, or a range
	FieldDate     FieldKind = "date"     // a date, compared, or a range
	FieldDuration FieldKind = "duration" // < is newer, > is older
	FieldProse    FieldKind = "text"     // words of one part of the handoff
	FieldWord     FieldKind = "word"     // one name of a list: is, has, no, query
	fieldControl  FieldKind = "directive"
)

// Field is a row of the table of fields.
type Field struct {
	Name    string
	Aliases []string
	Kind    FieldKind
	// Values are all values of a closed field, lowest first if it has an order.
	Values []string
	// Ordered fields take < and >.
	Ordered bool
	// Prefix fields match by how the value begins.
	Prefix bool
	// Many fields can have several values in one handoff.
	Many bool
	// Group fields can follow latest-per, count-by, group-by and facets.
	Group   bool
	Doc     string
	Example string

	columns []string        // of the table
	table   string          // with rows for each value: attr or problem; "" is handoff, of Prose body
	down    bool            // sorted downwards unless the query says otherwise
	names   func() []string // of a directive: see there
}

// fields is the one place that knows a field: adding a row here adds it to the
// language, the help and the completion.
var fields = withDefaults([]Field{
	{
		Name: "project", Aliases: []string{"p", "proj", "repo", "in"}, Kind: FieldOpen, Group: true,
		columns: []string{"h.project_id"}, Doc: "project: its name, its root, or . for the current one",
		Example: "project:claude-suite",
	},
	{Name: "format", Kind: FieldClosed, Group: true, Doc: "format of the handoff", Example: "format:company"},
	{
		Name: "id", Kind: FieldOpen, Prefix: true, columns: []string{"h.hid"},
		Doc: "id of the handoff, or its first characters", Example: "id:h_4343fea8f853",
	},
	{
		Name: "session", Aliases: []string{"sid", "session_id", "from_session", "session_key"}, Kind: FieldOpen,
		Prefix: true, Group: true, Doc: "id of the session that wrote it, or its first characters",
		Example: "session:b4db9cba",
	},
	{
		Name: "from", Aliases: []string{"author"}, Kind: FieldOpen, Group: true, columns: []string{"h.sender"},
		Doc: "agent that handed over", Example: "from:codex",
	},
	{
		Name: "to", Kind: FieldOpen, Group: true, columns: []string{"h.recipient"}, Doc: "agent that takes over",
		Example: "to:claude",
	},
	{
		Name: "agent", Kind: FieldOpen, columns: []string{"h.sender", "h.recipient"}, Doc: "agent on either side",
		Example: "agent:codex",
	},
	{
		Name: "member", Kind: FieldOpen, Group: true,
		Doc: "member that shared it from another machine, as name@machine or name; me: you on any machine; here: " +
			"this machine",
		Example: "member:ada",
	},
	{
		Name: "status", Kind: FieldClosed, Group: true,
		Values: []string{"in-progress", "completed", "blocked", "pending", "sent", "failed", "none"},
		Doc:    "status that the handoff states", Example: "status:blocked,pending",
	},
	{Name: "branch", Kind: FieldOpen, Group: true, Doc: "git branch", Example: "branch:fix/*"},
	{
		Name: "file", Aliases: []string{"f", "files", "files_changed", "files_touched"}, Kind: FieldPath, Many: true,
		Group: true, table: "attr", Doc: "file that the work touched: whole path, end of the path or glob",
		Example: "file:src/auth/*.ts",
	},
	{
		Name: "path", Kind: FieldPath, Group: true, columns: []string{"h.file_id"},
		Doc: "path of the handoff; for an earlier version, the path that it had", Example: "path:.bon/handoffs/*.md",
	},
	{
		Name: "source", Aliases: []string{"source_file"}, Kind: FieldPath, Group: true,
		Doc: "discussion file that a manifest names", Example: "source:discussion/*.md",
	},
	{
		Name: "item", Aliases: []string{"bead", "issue", "work_queue_items"}, Kind: FieldOpen, Many: true, Group: true,
		table: "attr", Doc: "work item that it names", Example: "item:safety-gates",
	},
	{
		Name: "commit", Kind: FieldOpen, Prefix: true, Many: true, Group: true, table: "attr",
		Doc: "commit that it names, or its first characters", Example: "commit:3e1f",
	},
	{
		Name: "priority", Kind: FieldClosed, Ordered: true, down: true, Group: true,
		Values: []string{"low", "medium", "high", "critical"},
		Doc:    "highest priority of what remains; also p0 (critical) to p3", Example: "priority:>=medium",
	},
	{
		Name: "approach", Kind: FieldClosed, Many: true, Group: true, table: "attr", columns: []string{"note"},
		Values: []string{"worked", "failed", "partial"}, Doc: "an approach was tried, with this outcome",
		Example: "approach:failed",
	},
	{Name: "progress", Kind: FieldNumber, Doc: "progress in percent", Example: "progress:<80"},
	{Name: "phase", Kind: FieldNumber, Doc: "number of the phase", Example: "phase:4"},
	{Name: "words", Kind: FieldNumber, Doc: "length in words", Example: "words:>2000"},
	{Name: "version", Kind: FieldNumber, Doc: "version of the format", Example: "version:1"},
	{
		Name: "date", Aliases: []string{"created"}, Kind: FieldDate, columns: []string{"h.date", "h.date_end"},
		Doc:     "when it was written: the date in the handoff, else that of the file",
		Example: "date:2026-02-01..2026-02-07",
	},
	{
		Name: "updated", Aliases: []string{"mtime"}, Kind: FieldDate, columns: []string{"h.updated"},
		Doc: "when the file was last changed", Example: "updated:today",
	},
	{
		Name: "sent", Aliases: []string{"sent_at"}, Kind: FieldDate, columns: []string{"h.sent"}, Doc: "when it was sent",
		Example: "sent:this-week",
	},
	{Name: "since", Kind: FieldDate, Doc: "dated at the start of a date or later", Example: "since:monday"},
	{Name: "until", Kind: FieldDate, Doc: "dated at the end of a date or earlier", Example: "until:2026-02"},
	{Name: "before", Kind: FieldDate, Doc: "dated before the start of a date", Example: "before:last-week"},
	{Name: "after", Kind: FieldDate, Doc: "dated after the end of a date", Example: "after:2026-02-01"},
	{Name: "age", Kind: FieldDuration, Ordered: true, Doc: "age: < is newer, > is older", Example: "age:>30d"},
	{
		Name: "problem", Aliases: []string{"rule"}, Kind: FieldOpen, Many: true, Group: true, table: "problem",
		columns: []string{"rule"}, Doc: "rule that it breaks", Example: "problem:*date*",
	},
	{
		Name: "goal", Aliases: []string{"purpose", "task"}, Kind: FieldProse, Doc: "the purpose of the work",
		Example: "goal:login",
	},
	{Name: "state", Aliases: []string{"now"}, Kind: FieldProse, Doc: "the current state", Example: "state:deployed"},
	{
		Name: "next", Aliases: []string{"todo", "remaining"}, Kind: FieldProse, Doc: "what is left to do",
		Example: `next:"staging tests"`,
	},
	{Name: "done", Kind: FieldProse, Doc: "what was done", Example: "done:migration"},
	{Name: "gotchas", Kind: FieldProse, Doc: "traps for the next session", Example: "gotchas:(jwks OR cache)"},
	{Name: "risks", Kind: FieldProse, Doc: "what may go wrong", Example: "risks:rollback"},
	{Name: "blockers", Kind: FieldProse, Doc: "what stops the work", Example: "blockers:credentials"},
	{Name: "questions", Kind: FieldProse, Doc: "open questions", Example: "questions:schema"},
	{Name: "human", Kind: FieldProse, Doc: "what a person must do", Example: "human:approve"},
	{Name: "decisions", Kind: FieldProse, Doc: "what was decided", Example: "decisions:sqlite"},
	{Name: "context", Kind: FieldProse, Doc: "background to know", Example: "context:tenant"},
	{Name: "advice", Kind: FieldProse, Doc: "recommendations", Example: "advice:refactor"},
	{
		Name: "approaches", Kind: FieldProse, columns: []string{"approaches", "worked", "failed", "partial"},
		Doc: "what was tried", Example: "approaches:polling",
	},
	{Name: "worked", Kind: FieldProse, Doc: "what was tried and worked", Example: "worked:batching"},
	{Name: "failed", Kind: FieldProse, Doc: "what was tried and failed", Example: `failed:"too slow"`},
	{Name: "partial", Kind: FieldProse, Doc: "what was tried and partly worked", Example: "partial:cache"},
	{Name: "reflection", Kind: FieldProse, Doc: "what was learned", Example: "reflection:tests"},
	{Name: "hypothesis", Kind: FieldProse, Doc: "suspected causes", Example: "hypothesis:race"},
	{Name: "outcome", Kind: FieldProse, Doc: "result of the work", Example: "outcome:merged"},
	{Name: "checks", Kind: FieldProse, Doc: "tests and verification", Example: "checks:lint"},
	{Name: "title", Kind: FieldProse, Doc: "title of the handoff", Example: "title:auth"},
	{Name: "heading", Kind: FieldProse, Doc: "any heading", Example: "heading:opportunities"},
	{
		Name: "text", Kind: FieldProse, columns: match.TextColumns,
		Doc: "anywhere in the handoff, without the names of project and file", Example: "text:(token OR key)",
	},
	{
		Name: "sec.", Kind: FieldProse, Doc: "text below a heading, which is written in lower case with dashes",
		Example: "sec.opportunities:mesh",
	},
	{
		Name: "meta.", Kind: FieldOpen, Many: true, Group: true, table: "attr",
		Doc: "any other key of the handoff; tag: is meta.tags:", Example: "meta.tags:release",
	},
	{Name: "is", Kind: FieldWord, Doc: "state of the handoff", Example: "is:open"},
	{Name: "has", Kind: FieldWord, Doc: "the handoff has this field", Example: "has:blockers"},
	{Name: "no", Kind: FieldWord, Doc: "the handoff does not have this field", Example: "no:branch"},
	{Name: "query", Kind: FieldWord, Doc: "a saved query", Example: "query:standup"},
})

// withDefaults fills in what the fields of a kind have in common: the column is called
// like the field, and what is a number or a date is sorted downwards.
func withDefaults(list []Field) []Field {
	for i := range list {
		f := &list[i]
		switch {
		case f.columns != nil || f.Name == "sec.":
		case f.table == "attr":
			f.columns = []string{"value"}
		case f.Kind == FieldProse:
			f.columns = []string{f.Name}
		case f.isKey() || f.Kind == FieldNumber:
			f.columns = []string{"h." + f.Name}
		}
		if f.Kind == FieldNumber || f.Kind == FieldDate && f.columns != nil {
			f.Ordered, f.down = true, true
		}
	}
	return list
}

// Fields returns the table of fields in the order of the help; the caller must not
// change it. Rows whose name ends in a dot mean any field that begins so.
func Fields() []Field { return fields }

// synonyms are other spellings of the values of closed fields.
var synonyms = map[string]map[string]string{
	"status": {
		"in_progress": "in-progress", "inprogress": "in-progress", "in progress": "in-progress", "active": "in-progress",
		"wip": "in-progress", "complete": "completed", "done": "completed", "finished": "completed", "stuck": "blocked",
		"todo": "pending", "waiting": "pending", "fail": "failed",
	},
	"priority": {
		"p0": "critical", "p1": "high", "p2": "medium", "p3": "low", "p4": "low", "med": "medium",
		"urgent": "critical",
	},
	"approach": {"success": "worked", "succeeded": "worked", "fail": "failed", "partially": "partial"},
}

var fieldIndex = indexFields()

func indexFields() map[string]*Field {
	byName := map[string]*Field{}
	for i := range fields {
		byName[fields[i].Name] = &fields[i]
		for _, a := range fields[i].Aliases {
			byName[a] = &fields[i]
		}
	}
	for _, d := range directives {
		byName[d.Name] = &Field{Name: d.Name, Kind: fieldControl, Doc: d.Doc, Example: d.Example, names: d.names}
	}
	return byName
}

// lookup finds a field or directive by its name, an alias, or as sec.<slug> or
// meta.<key>. Case is ignored, but not in <key>.
func lookup(name string) *Field {
	low := strings.ToLower(name)
	if low == "tag" {
		name, low = "meta.tags", "meta.tags"
	}
	if f, ok := fieldIndex[low]; ok && !strings.HasSuffix(low, ".") {
		return f
	}
	dot := strings.IndexByte(low, '.') + 1
	f, ok := fieldIndex[low[:dot]]
	if dot == 0 || !ok || dot == len(name) {
		return nil
	}
	part := *f
	part.Name = low
	if part.Kind == FieldOpen {
		part.Name = low[:dot] + name[dot:]
	}
	return &part
}

// name returns the name of a field, "" if there is none.
func (f *Field) name() string {
	if f == nil {
		return ""
	}
	return f.Name
}

// section returns the slug of a sec.<slug> field, else "".
func (f *Field) section() string {
	if slug, ok := strings.CutPrefix(f.Name, "sec."); ok {
		return slug
	}
	return ""
}

// isKey reports whether values are names, so that lists, globs and groups of
// values make sense.
func (f *Field) isKey() bool {
	return f.Kind == FieldOpen || f.Kind == FieldClosed || f.Kind == FieldPath
}

// fieldNames returns the names of the fields that meet a condition.
func fieldNames(meets func(*Field) bool) []string {
	var names []string
	for i := range fields {
		if f := &fields[i]; meets(f) && !strings.HasSuffix(f.Name, ".") {
			names = append(names, f.Name)
		}
	}
	return names
}

// knownNames returns all names a user can put before a colon, for suggestions.
func knownNames() []string {
	var names []string
	for _, f := range fields {
		if !strings.HasSuffix(f.Name, ".") {
			names = append(names, f.Name)
		}
		names = append(names, f.Aliases...)
	}
	for _, d := range directives {
		names = append(names, d.Name)
	}
	return names
}

// groups reports whether f can follow latest-per:, count-by:, group-by:
// and facets:.
func (f *Field) groups() bool { return f != nil && f.Group }

// canLack reports whether a handoff can have the field or not.
func (f *Field) canLack() bool {
	return f != nil && f.Kind != FieldWord && f.Kind != fieldControl && f.Kind != FieldDuration &&
		(f.Kind != FieldDate || f.columns != nil)
}

// sortable reports whether a handoff has at most one value of the field.
func (f *Field) sortable() bool {
	return f != nil && (f.isKey() && !f.Many && f.Name != "agent" || f.Kind == FieldNumber ||
		f.Kind == FieldDate && f.columns != nil)
}

// rank returns the place of a value of a closed field among all, -1 if it is none.
func (f *Field) rank(value string) float64 { return float64(slices.Index(f.Values, value)) }

// closedValue folds a value of a closed field to its canonical spelling.
func (f *Field) closedValue(typed string) (string, bool) {
	low := strings.ToLower(typed)
	if canonical, ok := synonyms[f.Name][low]; ok {
		return canonical, true
	}
	return low, slices.Contains(f.Values, low)
}
