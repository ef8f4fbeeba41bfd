// Package query reads the query language and turns it into SQL for the index.
//
// A query goes through stages, each with one job:
//
//	text -> []Token -> nodes -> Expr (resolved) -> Expr (simplified) -> Plan
//
// The lexer knows what a name followed by a colon may be, and so the table of
// fields; the parser knows the grammar; the resolver knows what names and
// dates mean; the compiler (compile*.go) knows the schema of the index. Nothing
// outside the package needs to know any of it: Parse makes a [Query],
// [Query.Compile] a [Plan].
//
// Two packages are below: internal/text knows characters and splits text into
// words as the index does; internal/match recognises text and values in Go, in
// the functions that compiled queries call.
//
// # Promises
//
// A query is never silently wrong: what cannot be read is an error with its
// place and what to type instead; what could be read two ways is in
// Notes. Plain words never fail. Nothing a user types is pasted into SQL or
// into an FTS5 expression: values are arguments, and FTS5 sees only quoted
// strings. A query of 4096 bytes, the longest there is, costs no more than its
// length.
//
// # Grammar
//
//	query     = { element } ;
//	element   = directive | expr ;                     (* directives anywhere at the top level *)
//	expr      = conj , { "OR" , conj } ;
//	conj      = ( idiom | unary ) , { [ "AND" ] , ( idiom | unary ) } ;
//	unary     = ( "NOT" | "-" | "!" ) , unary | near ;
//	near      = primary , { ( "NEAR" | "NEAR/" , int ) , primary } ;   (* words and phrases only *)
//	primary   = "(" , expr , ")" | condition | phrase | regex | word | "*" ;
//
//	condition = textfield , ":" , textvalue
//	          | keyfield , ( ":" | "=" | "!=" ) , keyvalue , { "," , keyvalue }
//	          | keyfield , ":(" , expr , ")"           (* each leaf is a value of the field *)
//	          | keyfield , ":{" , expr , "}"           (* a value it has in a handoff meeting expr *)
//	          | ordfield , [ ":" ] , cmp , point | ordfield , ":" , range
//	          | "is:" , state | "has:" , thing | "no:" , thing
//	          | "query:" , name ;
//	textvalue = word | phrase | regex | "(" , expr , ")" | "*" ;
//	keyvalue  = bare | phrase | regex | glob | "*" ;
//	cmp       = "<" | "<=" | ">" | ">=" | "=" | "!=" ;
//	range     = [ point ] , ".." , [ point ] ;         (* both ends included *)
//	point     = number , [ "%" ] | date | level ;
//
//	phrase    = quote , { char | "\" , quote | "\\" } , quote , [ "*" ] ;
//	regex     = "/" , re2 , "/" ;                      (* no other unescaped slash, no space *)
//	word      = wchar , { wchar }
//	          | wchar , wchar , { wchar } , "*"        (* begins so *)
//	          | "*" , 3 * wchar , { wchar } , [ "*" ]  (* contains *)
//	          | 4 * wchar , { wchar } , "~" ;          (* one edit away; two from 8 letters *)
//
//	directive = "sort:" , key , [ "-asc" | "-desc" ] , { "," , key , [ "-asc" | "-desc" ] }
//	          | ( "limit:" | "offset:" | "keep:" ) , int
//	          | ( "latest-per:" | "count-by:" | "group-by:" | "facets:" ) , field , { "," , field }
//	          | "select:" , column , { "," , column }
//	          | "case:" , ( "yes" | "no" | "auto" ) ;
//
//	date      = "now" | "today" | "yesterday" | "tomorrow" | weekday | "last-" , weekday
//	          | ( "this" | "last" ) , "-" , ( "week" | "month" | "quarter" | "year" )
//	          | year | year-month | year-month-day | year , "-W" , nn | year , "-Q" , n
//	          | RFC3339 | day , "T" , hh:mm , [ ":" , ss , [ fraction ] ] | "@" , unix
//	          | int , unit , [ "-ago" ] ;              (* space, _ and - are the same inside a date *)
//
// Precedence is NEAR, NOT, AND, OR. The idioms are those of LANGUAGE.md; they are
// runs of bare words in lower case. Every date is a half-open interval in the
// user's zone.
package query
