package fsx

import (
	"crypto/sha256"
	"encoding/hex"
)

// ContentSum returns the SHA-256 of a content, in hex.
func ContentSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// HalfSum returns the first half of ContentSum.
func HalfSum(content []byte) string { return ContentSum(content)[:HalfLength] }

// HalfLength is how long a HalfSum is.
const HalfLength = 32
