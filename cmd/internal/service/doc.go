// Package service answers what commands and servers ask of handoffs: it opens the
// index and brings it up to date, and searches, shows, reports, briefs and
// acknowledges. It is the only package of cmd that opens an index.
//
// Operations take a context and values and return values. What a person should
// know beside an answer is returned as notes; nothing is printed.
package service
