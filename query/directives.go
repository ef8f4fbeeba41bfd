package query

// Directive is a row of the table of directives.
type Directive struct {
	Name    string
	Values  string // what may stand behind the colon
	Doc     string
	Example string
}

var directives = []Directive{
	{"sort", "key[-asc|-desc],...", "order of the hits; newest first without it", "sort:priority,updated-desc"},
	{"limit", "number", "most hits to show, 50 without it; 0 is all", "limit:5"},
	{"offset", "number", "hits to pass over", "offset:50"},
	{"latest-per", "field,...", "only the newest of each value", "latest-per:project"},
	{"keep", "number", "how many latest-per keeps of each", "latest-per:project keep:3"},
	{"count-by", "field,...", "counts for each value instead of hits", "is:invalid count-by:problem"},
	{"group-by", "field,...", "hits under headings", "is:open group-by:project"},
	{"facets", "field,...", "counts for each value beside the hits", "facets:status,project"},
	{"select", "column,...", "columns to show", "select:project,date,next"},
	{"case", "yes|no|auto", "whether quotes and regular expressions heed case; auto: if they hold a capital", "case:yes"},
}

// Directives is the table of directives in the order of the help; the caller
// must not change it.
func Directives() []Directive { return directives }

// SortKey is one key of the order of hits. Missing values come last either way.
type SortKey struct {
	Key  string // a field's name, or "relevance"
	Desc bool
}

// CaseRule says whether quoted text and regular expressions heed case.
type CaseRule string

// The case rules. CaseAuto heeds case when the text holds a capital.
const (
	CaseAuto CaseRule = "auto"
	CaseYes  CaseRule = "yes"
	CaseNo   CaseRule = "no"
)
