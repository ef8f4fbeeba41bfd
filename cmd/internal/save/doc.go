// Package save puts files on the disk whole or not at all, below a root folder.
//
// A file is written beside its target, synced, and takes the target's name at
// once; then the folder is synced. A process that is killed at any instant leaves
// the old file or the new one, and at most a hidden temporary file, which the next
// writer of the same file removes. Writers of one file wait for each other by a
// lock outside of the project, as far as they use the same folder of locks.
// Nothing is written through a symbolic link that leads out of the root, and no
// file that is one is replaced.
package save
