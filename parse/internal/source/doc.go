// Package source holds a file as text, the places in it, and what can be wrong with
// it.
package source
