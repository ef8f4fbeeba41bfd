// Package date finds dates in texts, as people and programs write them.
package date
