package hostile

import (
	_ "embed" // for the credentials
	"strconv"
	"strings"
)

// A Credential is an invented credential. Text is how it can appear in a handoff, Secret
// the longest secret part of that.
type Credential struct{ Text, Secret string }

// Credentials returns one credential of each known kind, computed from seed, so that no
// file of this repository contains them.
func Credentials(seed int) []Credential {
	var list []Credential
	for parts := range strings.FieldsFuncSeq(credentials, func(r rune) bool { return r == '\n' }) {
		list = append(list, madeUp(strings.ReplaceAll(parts, `\n`, "\n"), seed))
	}
	return list
}

// credentials are the parts of each, one a line: a letter and a number are so many signs
// of an alphabet, all else stands as it is, \n as a line's end.
//
//go:embed credentials.txt
var credentials string

// alphabets are by their letters: X any letters and digits, L small ones, A small
// letters, D digits, H hexadecimal, Y those up to h, U capitals of base 32, Q those
// of bech32.
var alphabets = map[byte]string{
	'X': "aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF0", 'L': "a3b5c7d9e2f4g6h8j1k0m", 'A': "abcdefghijklmnopqrstuvwxyz",
	'D': "1234567890",
	'H': "0123456789abcdef", 'Y': "abcdefgh12345678", 'U': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	'Q': "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

// madeUp returns the credential that a line of credentials.txt describes.
func madeUp(parts string, seed int) (c Credential) {
	for part := range strings.SplitSeq(parts, "|") {
		n, err := strconv.Atoi(part[min(len(part), 1):])
		if err != nil || alphabets[part[0]] == "" {
			c.Text += part
			continue
		}
		run := signs(alphabets[part[0]], n, seed)
		c.Text += run
		if len(run) > len(c.Secret) {
			c.Secret = run
		}
	}
	return c
}

// signs returns n pseudo-random characters of an alphabet.
func signs(alphabet string, n, seed int) string {
	text, state := make([]byte, n), uint32(seed*7919+n)
	for i := range text {
		state = state*1664525 + 1013904223
		text[i] = alphabet[int(state>>16)%len(alphabet)]
	}
	return string(text)
}
