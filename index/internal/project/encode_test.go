package project_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index/internal/project"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, v2, v1 string }{
		{"plain", "/home/ann/Repos/handex", "-home-ann-Repos-handex", "-home-ann-Repos-handex"},
		{"dot", "/Users/ann/.claude", "-Users-ann--claude", "-Users-ann--claude"},
		{"underscore", "/srv/my_app", "-srv-my-app", "-srv-my_app"},
		{"space", "/srv/my app", "-srv-my-app", "-srv-my app"},
		{"at and tilde", "/Users/a/Drive-x@y.com/~tmp", "-Users-a-Drive-x-y-com--tmp", "-Users-a-Drive-x@y-com-~tmp"},
		{"leading dashes", "/--x", "---x", "---x"},
		{"accent is one character", "/srv/café", "-srv-caf-", "-srv-café"},
		{"decomposed accent is two", "/srv/cafe\u0301", "-srv-cafe-", "-srv-cafe\u0301"},
		{"cjk", "/srv/引き継ぎ", "-srv-----", "-srv-引き継ぎ"},
		{"emoji is one character", "/srv/🙂x", "-srv--x", "-srv-🙂x"},
		{"newline stays", "/srv/a\nb", "-srv-a\nb", "-srv-a\nb"},
		{"invalid bytes stay", "/srv/\xff\xe2\x82x", "-srv-\xff\xe2\x82x", "-srv-\xff\xe2\x82x"},
		{"surrogate is three invalid bytes", "/\xed\xa0\x80", "-\xed\xa0\x80", "-\xed\xa0\x80"},
		{"root", "/", "-", "-"},
		{"empty", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := project.EncodeV2(tc.path); got != tc.v2 {
				t.Errorf("EncodeV2(%q) = %q, want %q", tc.path, got, tc.v2)
			}
			if got := project.EncodeV1(tc.path); got != tc.v1 {
				t.Errorf("EncodeV1(%q) = %q, want %q", tc.path, got, tc.v1)
			}
		})
	}
}

// Five folders that share a name: why a name is never decoded.
func TestEncodeV2Collides(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/a/b", "/a-b", "/a.b", "/a b", "/a_b"} {
		if got := project.EncodeV2(path); got != "-a-b" {
			t.Errorf("EncodeV2(%q) = %q, want -a-b", path, got)
		}
	}
}

// The contract defines the names by these two commands. (Bytes that were UTF-8
// before 2003 and that the C library still takes for one character are left out.)
func TestEncodeAsShell(t *testing.T) {
	t.Parallel()
	if err := sedWorks(); err != "" {
		t.Skip(err)
	}
	pieces := []string{
		"/", ".", "-", "_", " ", "@", "~", "a", "Z", "0", "é", "e\u0301", "ß", "漢", "字", "🙂", "👩‍💻", "\u200b", "\u00a0", "ﬁ",
		"\n", "\t", "'", `"`, "\\", "$", "*", "?", "[", "]", "\x01", "\x7f", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f", "\xed\xa0\x80", "\xc0\xaf", "\xfe", "\x80", "\x88", "\ufeff", "\ufffd", "\uffff", "\U0010ffff",
	}
	rapid.Check(t, func(t *rapid.T) {
		path := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "path"), "")
		if got, want := project.EncodeV2(path), runShell(t, path, "sed", "s/[^a-zA-Z0-9-]/-/g"); got != want {
			t.Fatalf("EncodeV2(%q) = %q, sed says %q", path, got, want)
		}
		if got, want := project.EncodeV1(path), runShell(t, path, "tr", "/.", "-"); got != want {
			t.Fatalf("EncodeV1(%q) = %q, tr says %q", path, got, want)
		}
	})
}

func sedWorks() string {
	out, err := exec.Command("sed", "--version").Output()
	if err != nil || !bytes.Contains(out, []byte("GNU")) {
		return "needs GNU sed"
	}
	out, err = exec.Command("locale", "-a").Output()
	if err != nil || !bytes.Contains(bytes.ToLower(out), []byte("c.utf")) {
		return "needs the locale C.UTF-8"
	}
	return ""
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func runShell(t fataler, in, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = []string{"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"}
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

func TestEncodeV2Property(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.String().Draw(t, "path")
		name := project.EncodeV2(path)
		if diff := cmp.Diff(name, project.EncodeV2(name)); diff != "" {
			t.Fatalf("encoding twice differs from once (-once +twice):\n%s", diff)
		}
		if strings.ContainsAny(name, "/.") {
			t.Fatalf("EncodeV2(%q) = %q holds a separator", path, name)
		}
	})
}
