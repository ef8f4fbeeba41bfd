package service

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/OWNER/handex/index"
)

// shared returns a file or folder of what is shared with other machines, "" if there is no
// place for it.
func (o *Options) shared(name string) string {
	if dir := o.TeamDir(); dir != "" {
		return filepath.Join(dir, name)
	}
	return ""
}

// mirrorRoot returns the folder with what other machines share, as a root. ok is false if
// there is none, but for a watch, which sees it come.
func (v *View) mirrorRoot() (root index.Root, ok bool) {
	path := v.opt.shared("mirror")
	if path == "" || v.opt.NoMirror {
		return root, false
	}
	info, err := os.Stat(path)
	return index.Root{Path: path, Mirror: path}, v.watches || err == nil && info.IsDir()
}

// member returns who uses this machine, as name@machine; "" if nothing was ever shared
// with others.
func (v *View) member() string {
	text, err := os.ReadFile(v.opt.shared("member"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// isMine reports whether a member is who uses this machine, on any machine.
func isMine(member, self string) bool {
	user, _, _ := strings.Cut(self, "@")
	return member == "" || user != "" && strings.HasPrefix(member, user+"@")
}

// mineFirst sorts handoffs, the user's own before those of others.
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

// NewerOfOthers returns the newest handoff of others, if it is newer than the first of a
// list that Latest returned, and that is the user's own; nil if there is none.
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
