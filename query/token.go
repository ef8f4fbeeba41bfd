package query

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	KindEnd      Kind = iota
	KindError         // Token.Err says why; it is the last token
	KindWord          // a bare word or value, escapes still in it
	KindPhrase        // quoted text, quotes and escapes removed
	KindPrefix        // quoted text with a * behind it
	KindRegex         // a regular expression without its slashes
	KindField         // name and operator of a condition or directive
	KindComma         // between the values of a list
	KindOpen          // (
	KindClose         // )
	KindOpenSet       // { of field:{...}
	KindCloseSet      // }
	KindAnd
	KindOr
	KindNot // NOT, - or !
	KindNear
)

var kindNames = [...]string{
	"end", "error", "word", "phrase", "prefix", "regex", "field", "comma",
	"(", ")", "{", "}", "AND", "OR", "NOT", "NEAR",
}

func (k Kind) String() string { return kindNames[k] }

// Token is a piece of a query. Start and End are byte offsets.
type Token struct {
	Kind       Kind
	Start, End int
	// Text is the token's content; for KindField the name as typed.
	Text string
	// Op is the operator of a KindField: ":", "=", "<", ">=", ":<".
	Op string
	// Err is the fault a KindError stands for.
	Err *Error

	field *Field // nil: a name no field has
}
