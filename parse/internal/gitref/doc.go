// Package gitref finds the branch and the commit that a text says its work is on.
package gitref
