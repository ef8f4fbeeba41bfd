package team

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/OWNER/handex/index"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ remote, address, key string }{
		{"git@github.com:Acme/Webshop.git", "", "github.com/acme/webshop"},
		{"https://github.com/acme/webshop", "", "github.com/acme/webshop"},
		{"https://user:pw@GitHub.com:443/acme/webshop.git/", "", "github.com/acme/webshop"},
		{"ssh://git@host.example:2222/~ada/x.git", "", "host.example-2222/%7eada/x"},
		{"file:///srv/x.git", "", "file/srv/x"},
		{"/srv/a b/..x.git", "file:///srv/a b/..x.git", "file/srv/a%20b/%2e%2ex"},
		{"../hub.git", "file:///home/hub.git", "file/home/hub"},
		{"https://h/clone", "", "h/%63lone"},
		{"ext::sh -c id", "refused", ""},
		{"-oProxyCommand=x", "refused", ""},
		{"ssh://-oProxyCommand=x/y", "refused", ""},
		{"git://h/x", "refused", ""},
		{"file://host/x", "refused", ""},
		{"host.example:Acme/x", "", "host.example/acme/x"},
		{"-h:x", "refused", ""},
		{"u@-h:x", "refused", ""},
		{"a@b@c:x", "refused", ""},
		{".h:x", "refused", ""},
		{"h:", "refused", ""},
		{"a b:x", "refused", ""},
		{"https://h/\x1b[2J", "refused", ""},
		{"", "refused", ""},
	} {
		address, err := Address(tc.remote, "/home/ada")
		if err != nil {
			if tc.address != "refused" {
				t.Errorf("%q: %v", tc.remote, err)
			}
			continue
		}
		key, err := Key(address)
		if tc.address != "" && address != tc.address || key != tc.key || err != nil || !isKey(key) {
			t.Errorf("%q: %q %q %v", tc.remote, address, key, err)
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, key string
		want         bool
	}{
		{"*", "h/a", true},
		{"github.com/acme/*", "github.com/acme/x", true},
		{"github.com/acme/*", "github.com/acme2/x", false},
		{"github.com/acme/w*", "github.com/acme/webshop", false},
		{"github.com/acme/webshop", "github.com/acme/webshop", true},
	} {
		if got := matches(tc.pattern, tc.key); got != tc.want {
			t.Errorf("%q, %q: %v", tc.pattern, tc.key, got)
		}
	}
}

// Whatever a host or a user is called, what is made of it is a member; whatever a remote
// is called, its key is one.
func TestNamesAreValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if name := part(text); name != "" && !index.IsMember(name+"@"+name) {
			t.Fatalf("%q becomes %q", text, name)
		}
		if name := encode(strings.ToLower(text)); text != "" && len(name) < 200 && !strings.Contains(text, "/") && !isKey(name) {
			t.Fatalf("%q becomes %q", text, name)
		}
	})
}

func TestReadManifest(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	sum := strings.Repeat("a", 64)
	var files []string
	for _, path := range []string{
		"docs/x.md", "../x.md", "/x.md", "a/../x.md", ".git/config", "a/.GIT/hooks/x", "a\nb.md", `a\b.md`, "", ".",
		"docs/x.md", "\u202ex.md", "~/.claude/x.md", strings.Repeat("a", 256),
	} {
		files = append(files, fmt.Sprintf(`{"path":%q,"mtime":"2999-01-01T00:00:00Z","sha256":%q,"branch":"a\u001bb"}`, path, sum))
	}
	text := `{"version":1,"member":"ada@desk","key":"h/x","files":[` + strings.ReplaceAll(strings.Join(files, ","), `\x`, `\u00`) + `]}`
	var wrong problems
	m, err := readManifest([]byte(text), "ada@desk", "h/x", now, &wrong)
	if err != nil {
		t.Fatal(err)
	}
	want := []entry{{Path: "docs/x.md", Mtime: now, SHA256: sum}, {Path: "~/.claude/x.md", Mtime: now, SHA256: sum}}
	if diff := cmp.Diff(want, m.Files); diff != "" || len(wrong.all()) != 12 {
		t.Errorf("files (-want +got):\n%s%q", diff, wrong.all())
	}
	for _, other := range []string{`{"version":2}`, `{"version":1,"member":"bob@desk","key":"h/x"}`, `{"version":1,"member":"ada@desk","key":"h/y"}`, `[`} {
		if _, err := readManifest([]byte(other), "ada@desk", "h/x", now, &wrong); err == nil {
			t.Errorf("%s is accepted", other)
		}
	}
}

// Lines are a union: in whatever order machines merge, they have the same text.
func TestMergeAcks(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	a := ackLine{Member: "ada@desk", Path: "x.md", Digest: "00000000000000ff", At: at, Note: "done"}
	b := ackLine{Path: "y.md", Digest: "00000000000000ff", At: at.Add(time.Second), Undo: true}
	one := mergeAcks(mergeAcks(nil, []ackLine{a}), []ackLine{b, a})
	other := mergeAcks(mergeAcks(nil, []ackLine{b}), []ackLine{a})
	if string(one) != string(other) || strings.Count(string(one), "\n") != 2 {
		t.Errorf("%s\n%s", one, other)
	}
	var wrong problems
	lines := `{"path":"../x","digest":"0","at":"2026-01-01T00:00:00Z"}
{"path":"x","digest":"zz","at":"2026-01-01T00:00:00Z"}
{"path":"x","digest":"0","at":"2999-01-01T00:00:00Z"}
{"path":"x","digest":"0","at":"2026-01-01T00:00:00Z","note":"a\nb"}
no JSON
`
	if got := readAcks([]byte(lines), at, &wrong); len(got) != 0 || len(wrong.all()) != 5 {
		t.Errorf("%v %q", got, wrong.all())
	}
}
