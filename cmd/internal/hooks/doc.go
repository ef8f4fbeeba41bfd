// Package hooks edits the files in which coding agents keep what they run when a
// session begins: the bytes of a file in, its new bytes out. It knows no disk.
//
// What stands in a file stays, byte for byte: comments, indentation, line ends, a
// byte order mark, the order of keys, commas at the end. An entry is put behind
// those that are there, laid out as they are. Taking it out again leaves the bytes
// from before: of several texts that could have been there, the one is answered
// from which an installation makes the text at hand. A text that was edited
// meanwhile keeps its edits.
package hooks
