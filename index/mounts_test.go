package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"handex/index"
)

const mountinfo = `22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
23 22 0:21 / /proc rw,nosuid - proc none rw
31 22 0:44 / /home rw,relatime shared:9 - nfs4 filer:/home rw,vers=4.2,addr=10.0.0.2
32 31 8:9 / /home/ann/local rw,relatime - xfs /dev/sdb1 rw
33 22 0:50 / /mnt/team\040share rw - cifs //server/team rw
34 22 0:51 / /mnt/c rw,noatime - 9p drvfs rw,aname=drvfs
35 22 0:52 / /Users rw - virtiofs mount0 rw
36 22 0:53 / /mnt/ssh rw,user_id=0 - fuse.sshfs ann@host:/ rw
37 22 8:17 / /mnt/usb rw - fuseblk /dev/sdc1 rw
38 22 0:60 / /var/lib/docker/overlay2/x/merged rw - overlay none rw
39 22 0:61 / /run/user/1000 rw master:3 propagate_from:2 - tmpfs none rw
40 22 0:62 / /stack rw - nfs old:/x rw
41 40 8:33 / /stack rw - btrfs /dev/sdd rw
42 22 0:70 / /gluster rw - fuse.glusterfs host:/v rw
a line that is none
`

func TestJournal(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string][2]string{
		"/opt/cache/handex":                        {"WAL", ""},
		"/home/ann/.cache/handex":                  {"DELETE", "nfs4"},
		"/home/ann/local/handex":                   {"WAL", ""},
		"/home/ann/localhost":                      {"DELETE", "nfs4"},
		"/mnt/team share/handex":                   {"DELETE", "cifs"},
		"/mnt/c/Users/ann":                         {"DELETE", "9p"},
		"/Users/ann":                               {"DELETE", "virtiofs"},
		"/mnt/ssh":                                 {"DELETE", "fuse.sshfs"},
		"/mnt/usb/handex":                          {"WAL", ""},
		"/var/lib/docker/overlay2/x/merged/handex": {"WAL", ""},
		"/run/user/1000/handex":                    {"WAL", ""},
		"/stack/handex":                            {"WAL", ""}, // what was mounted last is seen
		"/gluster/handex":                          {"DELETE", "fuse.glusterfs"},
	} {
		mode, kind := index.Journal(dir, mountinfo)
		if diff := cmp.Diff(want, [2]string{mode, kind}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dir, diff)
		}
	}
	if mode, _ := index.Journal("/x", ""); mode != "WAL" {
		t.Errorf("with nothing known: %s", mode)
	}
}

// Where the index cannot have a write-ahead log it does without: one that has it
// is built anew.
func TestRollbackJournal(t *testing.T) {
	h := twoNotes(t)
	path := filepath.Join(h.dir, generationName(1))
	modeOf := func(path, want string) {
		t.Helper()
		if got := rawRows(t, path, "PRAGMA journal_mode"); len(got) != 1 || got[0].Text("journal_mode") != want {
			t.Errorf("journal mode %v, want %s", got, want)
		}
	}
	modeOf(path, "wal")
	t.Cleanup(index.SetJournal("DELETE", "nfs"))
	h.reopen()
	h.write(".claude/handoffs/-work-shop/cccc3333.md", note("2026-02-04", "cccc3333", "login mail", "send it"))
	if report := h.refresh(); report.Added != 1 || report.Updated != 2 {
		t.Errorf("report: %+v", report)
	}
	modeOf(filepath.Join(h.dir, generationName(2)), "delete")
	h.remove(two)
	if report := h.refresh(); report.Removed != 1 {
		t.Errorf("report: %+v", report)
	}
	modeOf(filepath.Join(h.dir, generationName(2)), "delete")
	h.expect("login", one, ".claude/handoffs/-work-shop/cccc3333.md")
	for _, name := range allNames(t, h.dir) {
		if strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") {
			t.Errorf("%s is there", name)
		}
	}
	h.whole()
}

func allNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
