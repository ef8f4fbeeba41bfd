// Package paper writes reports: for terminals, as Markdown, as CSV and as JSON. Its
// functions take a report and a writer and touch nothing else.
//
// Texts of a report are of handoffs, which anybody may have written. Each form makes
// them mean nothing: Markdown gets no links, mentions, images or HTML from them, a
// spreadsheet no formulas.
package paper
