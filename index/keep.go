package index

import (
	"bytes"
	"os"
	"path/filepath"

	"handex/index/internal/discover"
	"handex/index/internal/fsx"
)

// Keep copies what a handoff says into the archive, for a caller that is about to
// overwrite or remove the file at path, which is absolute: the next Refresh of the
// roots then finds it as an earlier version. It does nothing where no archive is
// kept, where none of the roots would index the file, and where there is none.
func Keep(o Options, roots []discover.Root, r RefreshOptions, path string) error {
	if o.Archive.Dir == "" {
		return nil
	}
	// As the walk names it.
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	for _, root := range roots {
		if ok, _ := discover.Why(path, root); !ok {
			continue
		}
		raw, st, err := fsx.ReadSettled(path, fsx.MaxFile)
		if os.IsNotExist(err) || err == nil && len(bytes.TrimSpace(raw)) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		project, _ := newLoader(o.Now(), o.Zone, r).projects.Of(path, root.Path)
		a := newArchive(o.Archive, o.Now)
		a.keep(sidecarOf(path, root, project, st.MtimeNS), raw, true)
		return a.sync()
	}
	return nil
}
