package save

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/OWNER/handex/index"
)

// MakePrivate makes a folder of the user's own with narrow rights, and refuses it where
// others can write to it.
var MakePrivate = index.MakePrivate

// AppendFile adds whole lines at the end of the file at an absolute path, all of them or
// none, and flushes them to the disk. A missing file or folder is made, for its owner
// alone. A symbolic link is followed. Writers wait for each other as in Folder.Lock.
func AppendFile(ctx context.Context, path string, lines []byte) error {
	dir := filepath.Dir(path)
	if err := MakePrivate(dir); err != nil {
		return err
	}
	folder, err := Open(dir, filepath.Join(dir, "locks"))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	unlock, err := folder.Lock(ctx, filepath.Base(path))
	if err != nil {
		return err
	}
	defer unlock()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(appendLines(file, lines), file.Close(), syncDir(folder.root, "."))
}

// appendLines adds lines at the end of a file. If the last line has no line end, it gets
// one first. If not all can be written, the file is cut to its former size.
func appendLines(file *os.File, lines []byte) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte("\n"), lines...)
		}
	}
	if _, err := file.Write(lines); err != nil {
		return errors.Join(err, file.Truncate(size))
	}
	return file.Sync()
}
