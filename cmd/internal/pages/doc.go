// Package pages writes HTML: a handoff, what a search found, a report with its
// charts. It reads nothing: whoever has the data hands it over, and says by [Links]
// what can be followed.
//
// Text of handoffs is hostile. Markdown goes through a parser that knows no HTML,
// then through a list of elements and attributes that are allowed in a page;
// everything else goes through html/template. No page runs a script but the
// program's own file, which only serve has, and none loads anything from elsewhere.
package pages
