package cli

// What tests of this package look into, beyond what it offers to others.

var SplitWords = splitWords
