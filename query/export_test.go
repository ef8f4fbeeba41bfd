package query

// Piece is a word as the tokenizer of this package sees it.
type Piece struct {
	Folded string
	Safe   bool
}

// SplitWords exports the tokenizer for the test that compares it with SQLite's.
func SplitWords(text string) []Piece {
	var list []Piece
	for _, t := range splitTokens(text) {
		list = append(list, Piece{t.folded, t.safe})
	}
	return list
}
