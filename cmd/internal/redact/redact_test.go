package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"handex/cmd/internal/redact"
)

// credentials are made up: the parts of each are put together here, so that no
// scanner takes this file for a leak. X stands for letters and digits, H for hex,
// U for capitals and digits.
var credentials = []string{
	"ghp_|X36", "gho_|X36", "ghs_|X36", "github_pat_|X22|_|X59", "glpat-|X20", "sk-ant-|api03-|X93|AA", "sk-proj-|X48", "sk-|X48",
	"AKIA|U16", "ASIA|U16", "AIza|X35", "ya29.|X40", "GOCSPX-|X28", "xoxb-|1234567890-|X24", "xapp-1-|X30",
	"hooks.slack.com/services/|T|U8|/B|U8|/|X24", "https://discord.com/api/webhooks/|123456789012345678|/|X68",
	"sk_live_|X24", "rk_test_|X24", "whsec_|X32", "npm_|X36", "pypi-|AgEIcHlwaS5vcmc|X60", "hf_|X34", "SG.|X22|.|X43",
	"SK|H32", "AC|H32", "shpat_|H32", "dop_v1_|H64", "sbp_|H40", "lin_api_|X40", "gsk_|X52", "dckr_pat_|X27", "tskey-auth-|X30",
	"AGE-SECRET-KEY-1|U58", "eyJhbGciOiJIUzI1NiJ9|.eyJzdWIiOiIxMjM0|X30|.|X43", "postgres://app:|X20|@db.internal/app",
	"Authorization: Bearer |X40", "password=|X16", "API_KEY: |X32", "client_secret = \"|X40|\"", "DefaultEndpointsProtocol=https;AccountKey=|X86|==",
	"123456789:|AA|X33", "-----BEGIN RSA PRIVATE KEY-----| |X64| |X64| |-----END RSA PRIVATE KEY-----",
}

// madeUp fills in a pattern with characters that depend on seed.
func madeUp(pattern string, seed int) (text, secret string) {
	const letters = "aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF0"
	for part := range strings.SplitSeq(pattern, "|") {
		var n int
		alphabet := map[byte]string{'X': letters, 'H': "0123456789abcdef", 'U': "ABCDEFGHIJKLMNOP234567"}[part[0]]
		if count, err := fmt.Sscanf(part[1:], "%d", &n); count != 1 || err != nil || alphabet == "" {
			text += part
			continue
		}
		run, state := "", uint32(seed+n)
		for range n {
			state = state*1664525 + 1013904223
			run += string(alphabet[int(state>>16)%len(alphabet)])
		}
		text += run
		if len(run) > len(secret) {
			secret = run
		}
	}
	return text, secret
}

func TestCredentialsAreMasked(t *testing.T) {
	for seed := range 5 {
		for _, pattern := range credentials {
			text, secret := madeUp(pattern, seed)
			out, n := redact.Text("it runs with " + text + " since Monday")
			if n != 1 || strings.Contains(out, secret[:12]) || !strings.HasPrefix(out, "it runs with ") || !strings.Contains(out, " masked]") || !strings.HasSuffix(out, " since Monday") {
				t.Errorf("%d masked: %s\n%s", n, text, out)
			}
		}
	}
}

func TestTextOfManyLines(t *testing.T) {
	_, line := madeUp("X64", 1)
	key := "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + line + "\n" + line + "\n-----END RSA PRIVATE KEY-----"
	for _, c := range []struct {
		name, text, want string
		n                int
	}{
		{"whole key", "before\n" + key + "\nafter - it -- all", "before\n[private key masked]\nafter - it -- all", 1},
		{"key cut short", "before\n-----BEGIN PRIVATE KEY-----\n" + line + "\n", "before\n[private key masked]", 1},
		{"two keys", key + " -- " + key, "[private key masked] -- [private key masked]", 2},
		{"none", "one\ntwo -- three", "one\ntwo -- three", 0},
	} {
		if got, n := redact.Text(c.text); got != c.want || n != c.n {
			t.Errorf("%s: %d masked in %q, want %d in %q", c.name, n, got, c.n, c.want)
		}
	}
}

func TestOrdinaryTextIsKept(t *testing.T) {
	for _, text := range []string{
		"commit 4f0c2b1a9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a is on main",
		"sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"session 82226c2a-2f1c-4c73-9e55-d5a3c9e41f5a", "the token is checked in auth/token.go:42", "password: see the vault", "api_key=$API_KEY",
		"https://example.com/a/b?c=d", "risk-free, ask-first and task-based-planning-in-2026", "set TOKEN= before you start", "use sk-learn, not sk-image",
		"postgres://localhost:5432/app", "the basic idea is authorization by role", "key-value store", "secret: none",
	} {
		if out, n := redact.Text(text); out != text || n != 0 {
			t.Errorf("%q became %q, %d masked", text, out, n)
		}
	}
}
