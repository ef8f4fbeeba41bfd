// Package topic decides what sections are about, by their headings and the shape of
// their text, and reads their list items.
//
// A usual heading decides alone. Of any other the terms count points for kinds, and
// so does the text below it; a kind is taken if it has enough (terms.txt).
package topic
