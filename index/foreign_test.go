package index_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/OWNER/handex/index"
	"github.com/OWNER/handex/index/testkit"
)

// theirText is what came with a clone, ownText what was written here.
const (
	theirText = "# Handoff\n\n## Next\n\n- do as a stranger says\n"
	ownText   = "# Handoff\n\n## Next\n\n- do as I say\n"
)

// A cloned is a repository of somebody and a clone of it.
type cloned struct {
	*testing.T
	theirs, mine string
}

// newClone makes a repository with HANDOFF.md and more files, and clones it.
func newClone(t *testing.T, files map[string]string) *cloned {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	base := resolved(t, t.TempDir())
	c := &cloned{T: t, theirs: filepath.Join(base, "theirs"), mine: filepath.Join(base, "mine")}
	noErr(t, os.MkdirAll(c.theirs, 0o755))
	c.git(c.theirs, "init", "-q", "-b", "main")
	c.write(c.theirs, "HANDOFF.md", theirText)
	c.write(c.theirs, "other.md", "more\n")
	for name, text := range files {
		c.write(c.theirs, name, text)
	}
	c.publish()
	c.git(base, "clone", "-q", "theirs", "mine")
	return c
}

func (c *cloned) git(dir string, args ...string) {
	c.Helper()
	testkit.Git(c.T, dir, args...)
}

func (c *cloned) write(dir, name, text string) {
	c.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	noErr(c.T, os.MkdirAll(filepath.Dir(path), 0o755))
	noErr(c.T, os.WriteFile(path, []byte(text), 0o600))
}

// publish commits all that is changed in the other's repository.
func (c *cloned) publish() {
	c.Helper()
	c.git(c.theirs, "add", "-A")
	c.git(c.theirs, "commit", "-q", "-m", "theirs")
}

// touch sets the time of a file, so that git looks at it anew.
func (c *cloned) touch(name string) {
	c.Helper()
	at := time.Now().Add(-time.Minute)
	noErr(c.T, os.Chtimes(filepath.Join(c.mine, name), at, at))
}

// version returns a version of the handoff that the archive keeps, last written now.
func (c *cloned) version(text string) index.Summary {
	c.Helper()
	path := filepath.Join(c.TempDir(), "kept")
	noErr(c.T, os.WriteFile(path, []byte(text), 0o600))
	return index.Summary{ID: "h", Path: path, VersionOf: filepath.Join(c.mine, "HANDOFF.md")}
}

// live returns a handoff of the clone.
func (c *cloned) live(name string) index.Summary {
	return index.Summary{ID: "h", Path: filepath.Join(c.mine, filepath.FromSlash(name))}
}

func (c *cloned) wantForeign(want bool, h index.Summary) {
	c.Helper()
	ctx, stop := context.WithTimeout(c.Context(), time.Minute) // git has half of it
	defer stop()
	if got := index.Foreign(ctx, []index.Summary{h}, os.Getenv)["h"]; got != want {
		c.Errorf("%s is foreign: %v, want %v", h.Path, got, want)
	}
}

// What came with a clone stays foreign whatever git and others do to it afterwards.
func TestForeignStays(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(c *cloned){
		"removed upstream": func(c *cloned) {
			c.git(c.theirs, "rm", "-q", "HANDOFF.md")
			c.publish()
			c.git(c.mine, "pull", "-q")
			c.wantForeign(true, c.version(theirText))
		},
		"another branch": func(c *cloned) {
			c.git(c.theirs, "checkout", "-q", "-b", "other")
			c.write(c.theirs, "HANDOFF.md", theirText+"- and more\n")
			c.publish()
			c.git(c.mine, "pull", "-q")
			c.git(c.mine, "fetch", "-q", "origin", "other:other")
			c.wantForeign(true, c.version(theirText+"- and more\n"))
			c.git(c.mine, "checkout", "-q", "other")
			c.wantForeign(true, c.version(theirText))
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"no longer tracked": func(c *cloned) {
			c.git(c.mine, "rm", "-q", "--cached", "HANDOFF.md")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"moved": func(c *cloned) {
			noErr(c.T, os.Rename(filepath.Join(c.mine, "HANDOFF.md"), filepath.Join(c.mine, "HANDOFF-2.md")))
			c.wantForeign(true, c.live("HANDOFF-2.md"))
		},
		"commit on top reset": func(c *cloned) {
			c.write(c.theirs, "HANDOFF.md", theirText+"- and more\n")
			c.publish()
			c.git(c.mine, "pull", "-q")
			c.git(c.mine, "reset", "-q", "HEAD~1")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"amended": func(c *cloned) {
			c.git(c.mine, "commit", "-q", "--amend", "-m", "mine")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"taken over": func(c *cloned) {
			c.write(c.mine, "other.md", "mine\n")
			c.git(c.mine, "commit", "-q", "-a", "-m", "mine")
			c.git(c.mine, "rebase", "-q", "--root")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"no gitdir": func(c *cloned) {
			noErr(c.T, os.RemoveAll(filepath.Join(c.mine, ".git")))
			c.write(c.mine, ".git", "gitdir: ../nowhere\n")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"copied with its repository": func(c *cloned) {
			c.write(c.mine, "mine.md", ownText)
			c.git(c.mine, "add", "-A")
			c.git(c.mine, "commit", "-q", "-m", "made elsewhere")
			copied := filepath.Join(c.TempDir(), "copied")
			noErr(c.T, exec.Command("cp", "-a", c.mine, copied).Run())
			c.mine = copied
			c.wantForeign(true, c.live("mine.md"))
			c.write(c.mine, "new.md", ownText+"- and more\n")
			c.wantForeign(false, c.live("new.md"))
			c.git(c.mine, "checkout", "-q", "-b", "topic")
			c.wantForeign(true, c.live("mine.md"))
		},
		"a tag named as a content": func(c *cloned) {
			c.write(c.mine, "mine.md", ownText)
			c.git(c.mine, "add", "-A")
			c.git(c.mine, "commit", "-q", "-m", "mine")
			c.git(c.mine, "config", "other.objectFormat", "sha256")
			name := sha256.Sum256(fmt.Appendf(nil, "blob %d\x00%s", len(theirText), theirText))
			c.git(c.mine, "tag", hex.EncodeToString(name[:]), "HEAD:mine.md")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"fetched without a ref": func(c *cloned) {
			c.git(c.theirs, "checkout", "-q", "-b", "other")
			c.write(c.theirs, "request.md", theirText+"- and more\n")
			c.publish()
			c.git(c.mine, "fetch", "-q", "../theirs", "other")
			c.git(c.mine, "checkout", "-q", "FETCH_HEAD", "--", "request.md")
			c.wantForeign(true, c.live("request.md"))
			c.git(c.mine, "reset", "-q", "--hard", "FETCH_HEAD")
			c.git(c.mine, "fetch", "-q", "../theirs", "main")
			c.git(c.mine, "reset", "-q", "HEAD~1")
			c.wantForeign(true, c.live("request.md"))
		},
		"hashed by SHA-256": func(c *cloned) {
			c.mine += "256"
			c.git(filepath.Dir(c.mine), "init", "-q", "--object-format=sha256", c.mine)
			c.write(c.mine, "HANDOFF.md", theirText)
			c.git(c.mine, "add", "-A")
			c.git(c.mine, "commit", "-q", "-m", "mine")
			noErr(c.T, os.RemoveAll(filepath.Join(c.mine, ".git", "logs")))
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			do(newClone(t, nil))
		})
	}
}

// A folder that was unpacked cannot name a repository of this machine as its own.
func TestUnpackedNamesAnotherRepository(t *testing.T) {
	t.Parallel()
	for name, marks := range map[string]map[string]string{
		"a file":   {".git": "gitdir: ../mine/.git\n"},
		"a folder": {".git/HEAD": "ref: refs/heads/main\n", ".git/commondir": "../../mine/.git\n"},
		"a work tree": {
			".git": "gitdir: private\n", "private/HEAD": "ref: refs/heads/main\n", "private/gitdir": "../.git\n",
			"private/commondir": "../../mine/.git\n",
		},
		"a link": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, nil)
			good := c.mine
			c.mine = filepath.Join(filepath.Dir(good), "unpacked")
			c.write(c.mine, "HANDOFF.md", theirText+"- and more\n")
			for name, text := range marks {
				c.write(c.mine, name, text)
			}
			if marks == nil {
				noErr(t, os.Symlink(filepath.Join("..", "mine", ".git"), filepath.Join(c.mine, ".git")))
			}
			noErr(t, exec.Command("find", c.mine, "-exec", "touch", "-h", "-d", "2020-01-01", "{}", "+").Run())
			c.wantForeign(true, c.live("HANDOFF.md"))
			if w := index.FindWorkTree(c.mine); w != nil && w.InMain(c.mine) != c.mine {
				t.Errorf("its place is %s", w.InMain(c.mine))
			}
		})
	}
}

// What git writes other than it keeps it has not been changed here.
func TestForeignIsConverted(t *testing.T) {
	t.Parallel()
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(theirText)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	for attribute, text := range map[string]string{
		"ident":                              theirText + "\n$Id$\n",
		"eol=crlf":                           theirText,
		"working-tree-encoding=UTF-16LE-BOM": string(wide),
		"working-tree-encoding=UTF-7":        theirText + "- a + b\n",
	} {
		t.Run(attribute, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, map[string]string{".gitattributes": "HANDOFF.md text " + attribute + "\n", "HANDOFF.md": text})
			c.touch("HANDOFF.md")
			c.wantForeign(true, c.live("HANDOFF.md"))
			if strings.HasSuffix(attribute, "UTF-7") {
				return // nothing is left that says what it was
			}
			// The attribute goes, the file stays as it was written.
			c.write(c.theirs, ".gitattributes", "")
			c.publish()
			c.git(c.mine, "pull", "-q")
			c.touch("HANDOFF.md")
			c.wantForeign(true, c.live("HANDOFF.md"))
		})
	}
	for name, tc := range map[string]struct{ attribute, text string }{
		"mixed line ends":  {"text eol=crlf", strings.Replace(theirText, "\n", "\r\n", 1)},
		"expanded already": {"ident", theirText + "\n$Id: 1 $\n"},
		"over the limit":   {"ident", theirText + "\n$Id: " + strings.Repeat("1", 4<<20) + " $\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, map[string]string{"HANDOFF.md": tc.text})
			// Git would change such a text when it is added with its attribute.
			c.write(c.theirs, ".gitattributes", "HANDOFF.md "+tc.attribute+"\n")
			c.git(c.theirs, "add", ".gitattributes")
			c.git(c.theirs, "commit", "-q", "-m", "theirs")
			c.mine += "2"
			c.git(filepath.Dir(c.mine), "clone", "-q", "theirs", c.mine)
			c.wantForeign(true, c.live("HANDOFF.md"))
			written, err := os.ReadFile(c.live("HANDOFF.md").Path)
			noErr(t, err)
			if string(written) == tc.text {
				t.Error("git wrote the text as it has it")
			}
			c.wantForeign(true, c.version(string(written)))
			c.wantForeign(false, c.version(ownText))
			c.write(c.mine, "HANDOFF.md", string(written)+"- and mine\r\n")
			c.wantForeign(name == "over the limit", c.live("HANDOFF.md"))
		})
	}
	t.Run("filter", func(t *testing.T) {
		t.Parallel()
		c := newClone(t, map[string]string{".gitattributes": "HANDOFF.md filter=x\n"})
		c.git(c.mine, "config", "filter.x.smudge", "tr a-z A-Z")
		noErr(t, os.Remove(filepath.Join(c.mine, "HANDOFF.md")))
		c.git(c.mine, "checkout", "-q", "HANDOFF.md")
		c.wantForeign(true, c.live("HANDOFF.md"))
		c.wantForeign(true, c.version(strings.ToUpper(theirText)))
	})
}

// What was written here is the user's own, whatever git knows of it.
func TestOwnStays(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(c *cloned){
		"untracked": func(c *cloned) { c.wantForeign(false, c.live("mine.md")) },
		"with other line ends": func(c *cloned) {
			c.write(c.mine, ".gitattributes", "* text=auto\n")
			c.write(c.mine, "mine.md", strings.ReplaceAll(ownText, "\n", "\r\n"))
			c.wantForeign(false, c.live("mine.md"))
			c.git(c.mine, "add", "-A")
			c.git(c.mine, "commit", "-q", "-m", "mine")
			c.wantForeign(false, c.live("mine.md"))
		},
		"ignored": func(c *cloned) {
			c.write(c.mine, ".git/info/exclude", "mine.md\n")
			c.wantForeign(false, c.live("mine.md"))
		},
		"staged": func(c *cloned) {
			c.git(c.mine, "add", "mine.md")
			c.wantForeign(false, c.live("mine.md"))
		},
		"stashed": func(c *cloned) {
			c.write(c.mine, "HANDOFF.md", ownText)
			c.git(c.mine, "stash", "-q", "-u")
			c.git(c.mine, "stash", "pop", "-q")
			c.wantForeign(false, c.live("mine.md"))
			c.wantForeign(false, c.live("HANDOFF.md"))
		},
		"committed and amended": func(c *cloned) {
			c.git(c.mine, "add", "-A")
			c.git(c.mine, "commit", "-q", "-m", "mine")
			c.wantForeign(false, c.live("mine.md"))
			c.write(c.mine, "mine.md", ownText+"- and more\n")
			c.git(c.mine, "commit", "-q", "-a", "--amend", "-m", "mine")
			c.wantForeign(false, c.live("mine.md"))
			c.wantForeign(false, c.version(ownText))
		},
		"rebased": func(c *cloned) {
			c.git(c.mine, "add", "-A")
			c.git(c.mine, "commit", "-q", "-m", "mine")
			c.write(c.theirs, "other.md", "other\n")
			c.publish()
			c.git(c.mine, "pull", "-q", "--rebase")
			c.wantForeign(false, c.live("mine.md"))
		},
		"another work tree": func(c *cloned) {
			c.git(c.mine, "worktree", "add", "-q", "../tree")
			tree := filepath.Join(filepath.Dir(c.mine), "tree")
			c.write(tree, "branch.md", ownText)
			c.git(tree, "add", "-A")
			c.git(tree, "commit", "-q", "-m", "mine")
			c.git(c.mine, "merge", "-q", "tree")
			c.wantForeign(false, c.live("branch.md"))
			c.git(c.mine, "worktree", "remove", "--force", "../tree")
			c.wantForeign(false, c.live("branch.md"))
		},
		"kept version": func(c *cloned) { c.wantForeign(false, c.version(ownText)) },
		"a work tree without commits": func(c *cloned) {
			c.git(c.mine, "worktree", "add", "-q", "../tree")
			c.mine = filepath.Join(filepath.Dir(c.mine), "tree")
			c.write(c.mine, "HANDOFF.md", ownText)
			c.wantForeign(false, c.live("HANDOFF.md"))
			c.wantForeign(true, c.live("other.md"))
		},
		"linked": func(c *cloned) {
			noErr(c.T, os.Symlink("mine.md", filepath.Join(c.mine, "latest.md")))
			noErr(c.T, os.Symlink("HANDOFF.md", filepath.Join(c.mine, "other-latest.md")))
			c.wantForeign(false, c.live("latest.md"))
			c.wantForeign(true, c.live("other-latest.md"))
		},
		"a mark only": func(c *cloned) {
			c.mine += "2"
			c.write(c.mine, ".git/HEAD", "")
			c.touch(".git/HEAD")
			c.write(c.mine, "HANDOFF.md", ownText)
			c.touch("HANDOFF.md")
			c.wantForeign(false, c.live("HANDOFF.md"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClone(t, nil)
			c.write(c.mine, "mine.md", ownText)
			do(c)
		})
	}
}

// In no repository a file's times say where it was written, and outside of the user's
// own hidden folders nothing else does.
func TestForeignInNoRepository(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(c *cloned){
		"written here": func(c *cloned) { c.wantForeign(false, c.live("HANDOFF.md")) },
		"unpacked":     func(c *cloned) { c.touch("HANDOFF.md"); c.wantForeign(true, c.live("HANDOFF.md")) },
		"time ahead": func(c *cloned) {
			at := time.Now().Add(time.Hour)
			noErr(c.T, os.Chtimes(filepath.Join(c.mine, "HANDOFF.md"), at, at))
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"renamed later": func(c *cloned) {
			noErr(c.T, os.Rename(filepath.Join(c.mine, "HANDOFF.md"), filepath.Join(c.mine, "HANDOFF-2.md")))
			c.wantForeign(false, c.live("HANDOFF-2.md"))
		},
		"unpacked with its repository": func(c *cloned) {
			c.touch("HANDOFF.md")
			c.write(c.mine, ".git/HEAD", "ref: refs/heads/main\n")
			c.touch(".git")
			c.wantForeign(true, c.live("HANDOFF.md"))
		},
		"kept version": func(c *cloned) {
			h := c.version(ownText)
			c.wantForeign(false, h)
			at := time.Now().Add(-time.Hour)
			noErr(c.T, os.Chtimes(h.Path, at, at))
			c.wantForeign(true, h)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cloned{T: t, mine: resolved(t, t.TempDir())}
			c.write(c.mine, "HANDOFF.md", theirText)
			do(c)
		})
	}
	t.Run("of an agent", func(t *testing.T) {
		t.Parallel()
		c := &cloned{T: t, mine: resolved(t, t.TempDir())}
		c.write(c.mine, ".claude/handoffs/x.md", ownText)
		c.touch(".claude/handoffs/x.md")
		home := func(name string) string { return map[string]string{"HOME": c.mine}[name] }
		if got := index.Foreign(t.Context(), []index.Summary{c.live(".claude/handoffs/x.md")}, home); len(got) > 0 {
			t.Errorf("foreign: %v", got)
		}
	})
}

func TestForeign(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for _, version := range []string{"2", "3", "4"} {
		base := resolved(t, t.TempDir())
		theirs, mine := filepath.Join(base, "theirs"), filepath.Join(base, "mine")
		write := func(dir, name, text string) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			noErr(t, os.MkdirAll(filepath.Dir(path), 0o755))
			noErr(t, os.WriteFile(path, []byte(text), 0o600))
		}
		noErr(t, os.MkdirAll(theirs, 0o755))
		testkit.Git(t, theirs, "init", "-q")
		for _, name := range []string{"HANDOFF.md", "docs/handoffs/old.md", "docs/handoffs/older.md", "docs/handoffs/moved.md", ".gitattributes"} {
			write(theirs, name, "# Handoff\n\ntheirs "+name+"\n")
		}
		testkit.Git(t, theirs, "add", "-A")
		testkit.Git(t, theirs, "commit", "-q", "-m", "theirs")
		testkit.Git(t, base, "clone", "-q", "theirs", "mine")
		testkit.Git(t, mine, "update-index", "--index-version", version)
		write(mine, "docs/handoffs/new.md", "# Handoff\n\nmine\n")
		write(mine, "docs/handoffs/old.md", "# Handoff\n\nmine now\n")
		testkit.Git(t, mine, "add", "-A")
		testkit.Git(t, mine, "commit", "-q", "-m", "mine")
		write(mine, "docs/handoffs/untracked.md", "# Handoff\n\nmine\n")
		write(mine, "HANDOFF.md", "# Handoff\n\nmine, not committed\n")
		// Other line ends and times are no change.
		write(mine, "docs/handoffs/older.md", "# Handoff\r\n\r\ntheirs docs/handoffs/older.md\r\n")
		var list []index.Summary
		for _, name := range []string{"HANDOFF.md", "docs/handoffs/old.md", "docs/handoffs/older.md", "docs/handoffs/moved.md", "docs/handoffs/new.md", "docs/handoffs/untracked.md"} {
			list = append(list, index.Summary{ID: name, Path: filepath.Join(mine, filepath.FromSlash(name))})
		}
		write(base, "HANDOFF.md", "# Handoff\n\nin no repository\n")
		list = append(list, index.Summary{ID: "elsewhere", Path: filepath.Join(base, "HANDOFF.md")})
		want := map[string]bool{"docs/handoffs/older.md": true, "docs/handoffs/moved.md": true}
		if diff := cmp.Diff(want, index.Foreign(t.Context(), list, os.Getenv)); diff != "" {
			t.Errorf("version %s (-want +got):\n%s", version, diff)
		}
		// Where git cannot be asked all is foreign, but what no repository holds.
		noErr(t, os.WriteFile(filepath.Join(mine, ".git", "config"), []byte("no config"), 0o600))
		if got := index.Foreign(t.Context(), list, os.Getenv); len(got) != 6 || got["elsewhere"] {
			t.Errorf("version %s: %v", version, got)
		}
	}
}
