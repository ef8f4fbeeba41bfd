package service

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index"
)

// shared returns the path of a file or folder below TeamDir, "" if there is no such folder.
func (o *Options) shared(name string) string {
	if dir := o.TeamDir(); dir != "" {
		return filepath.Join(dir, name)
	}
	return ""
}

// mirrorRoot returns the mirror, the folder with the files of other members, as a root. ok
// is false if it does not exist, except for a watch, which waits for it.
func (v *View) mirrorRoot() (root index.Root, ok bool) {
	path := v.opt.shared("mirror")
	if path == "" || v.opt.NoMirror {
		return root, false
	}
	info, err := os.Stat(path)
	return index.Root{Path: path, Mirror: path}, v.watches || err == nil && info.IsDir()
}

// member returns the member who uses this machine, as name@machine; "" if this machine
// never shared anything.
func (v *View) member() string {
	text, err := os.ReadFile(v.opt.shared("member"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// isMine reports whether member is the user self, on this or another machine. "" is the
// user of this machine.
func isMine(member, self string) bool {
	user, _, _ := strings.Cut(self, "@")
	return member == "" || user != "" && strings.HasPrefix(member, user+"@")
}

// mineFirst returns the list with the user's own handoffs before those of others, each in
// their order.
func (v *View) mineFirst(list []index.Summary) []index.Summary {
	var mine, others []index.Summary
	self := v.member()
	for _, h := range list {
		if isMine(h.Member, self) {
			mine = append(mine, h)
		} else {
			others = append(others, h)
		}
	}
	return append(mine, others...)
}

// NewerOfOthers returns the newest handoff of other members in a list that Latest returned,
// if the first one of the list is the user's own and older; else nil.
func (v *View) NewerOfOthers(list []index.Summary) *index.Summary {
	self := v.member()
	i := slices.IndexFunc(list, func(h index.Summary) bool { return !isMine(h.Member, self) })
	if i < 1 {
		return nil
	}
	newest := slices.MaxFunc(list[i:], func(a, b index.Summary) int { return a.Date.Compare(b.Date) })
	if !newest.Date.After(list[0].Date) {
		return nil
	}
	return &newest
}
