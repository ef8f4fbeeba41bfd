package redact_test

import (
	"strings"
	"testing"

	"github.com/OWNER/handex/cmd/internal/hostile"
	"github.com/OWNER/handex/cmd/internal/redact"
)

func TestCredentialsAreMasked(t *testing.T) {
	for seed := range 5 {
		for _, c := range hostile.Credentials(seed) {
			out, n := redact.Text("it runs with " + c.Text + " since Monday")
			if n != 1 || strings.Contains(out, c.Secret[:10]) || !strings.HasPrefix(out, "it runs with ") || !strings.Contains(out, " masked]") || !strings.HasSuffix(out, " since Monday") {
				t.Errorf("%d masked: %s\n%s", n, c.Text, out)
			}
		}
	}
}

func TestTextOfManyLines(t *testing.T) {
	line := strings.Repeat("aB3dE5gH", 8)
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
		"the path and the pattern, per docs/a-long-path/with-dashes/and.more.dots/file_name_v2.go", "image sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"API-first design, see API-REFERENCE.md", "version v1.0-beta3", "the access key is in the vault, keys: next_cursor, limit", "sm_layout.tsx and fm2_notes.md",
	} {
		if out, n := redact.Text(text); out != text || n != 0 {
			t.Errorf("%q became %q, %d masked", text, out, n)
		}
	}
}
