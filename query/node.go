package query

// node is the query as it was written, before any name in it means something.
type node struct {
	kind  nodeKind
	token Token // of a leaf, the operator of a nodeNear, the field of a condition
	kids  []*node
	start int
	end   int
	near  int
	// idiom is what a run of words was read as.
	idiom *idiom
}

type nodeKind uint8

const (
	nodeAnd nodeKind = iota
	nodeOr
	nodeNot
	nodeNear
	nodeText      // word, phrase or regular expression
	nodeCondition // kids are its values
	nodeGroup     // field:( kid )
	nodeSame      // field:{ kid }
	nodeIdiom
)
