// Package hooks puts commands of handex into the files in which coding agents keep
// what they run when a session begins or ends, takes them out again, and lists them.
//
// Everything else in a file stays, byte for byte: comments, indentation, line ends,
// a byte order mark, the order of keys, commas at the end. What a file said before
// is kept in a copy beside it. Taking the entries out restores that copy if the file
// still says what the installation wrote; from a text that was edited meanwhile only
// the entries are taken. An entry is ours by its command alone.
package hooks
