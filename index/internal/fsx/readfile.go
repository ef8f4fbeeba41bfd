package fsx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// MaxFile is the size of the largest file whose text is indexed.
const MaxFile = 4 << 20

// ReadFile returns the whole of a regular file of at most limit bytes, and its state. The path is
// opened once, without following a symbolic link and without waiting for a pipe's writer; all
// checks are done on the open file. The errors are ErrNotRegular, ErrTooLarge and ErrChanged, or
// those of the system; with ErrTooLarge and ErrChanged the state is set.
func ReadFile(path string, limit int64) ([]byte, Stat, error) {
	f, before, err := openRegular(path)
	if err != nil {
		return nil, Stat{}, err
	}
	defer func() { _ = f.Close() }()
	if before.Size > limit {
		return nil, before, tooLarge(path, before.Size, limit)
	}
	data, err := readUpTo(f, before.Size, limit+1)
	if err != nil {
		return nil, before, err
	}
	if int64(len(data)) > limit {
		return nil, before, tooLarge(path, int64(len(data)), limit)
	}
	after, err := statFile(f)
	if err != nil {
		return nil, before, err
	}
	if after != before || int64(len(data)) != before.Size {
		return nil, after, fmt.Errorf("%s: %w", path, ErrChanged)
	}
	return data, before, nil
}

// rereads is how often a file that changes while it is read is read again.
const rereads = 3

// ReadSettled is ReadFile, but if the file changed while it was read, it reads it again, up to
// three times. Writers replace files, so the next attempt mostly finds the new one whole.
func ReadSettled(path string, limit int64) (raw []byte, st Stat, err error) {
	for range 1 + rereads {
		if raw, st, err = ReadFile(path, limit); !errors.Is(err, ErrChanged) {
			break
		}
	}
	return raw, st, err
}

// ReadHead returns the first n bytes of a regular file.
func ReadHead(path string, n int64) ([]byte, error) {
	f, st, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return readUpTo(f, st.Size, n)
}

// ReadTail returns the last n bytes of a regular file, and whether there are more
// before them.
func ReadTail(path string, n int64) (tail []byte, cut bool, err error) {
	f, st, err := openRegular(path)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = f.Close() }()
	from := max(st.Size-n, 0)
	tail, err = io.ReadAll(io.NewSectionReader(f, from, n))
	return tail, from > 0, err
}

// openRegular opens a regular file and returns it with its state.
func openRegular(path string) (*os.File, Stat, error) {
	f, err := openNoFollow(path)
	if err != nil {
		return nil, Stat{}, err
	}
	st, err := statFile(f)
	if err == nil && !st.Mode.IsRegular() {
		err = fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	if err != nil {
		_ = f.Close()
		return nil, Stat{}, err
	}
	return f, st, nil
}

// readUpTo reads until the end of the file or n bytes. size is the size in the file's state, which
// may be wrong.
func readUpTo(f *os.File, size, n int64) ([]byte, error) {
	buf := make([]byte, 0, max(0, min(size+1, n)))
	for int64(len(buf)) < n {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 1)
		}
		room := buf[len(buf):min(int64(cap(buf)), n)]
		got, err := f.Read(room)
		buf = buf[:len(buf)+got]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// tooLarge returns an ErrTooLarge for the file at path.
func tooLarge(path string, size, limit int64) error {
	return fmt.Errorf("%s: %w: %d bytes, the limit is %d", path, ErrTooLarge, size, limit)
}

// ReadNames returns the names in a folder; none if the folder does not exist.
func ReadNames(path string) ([]string, error) {
	dir, _, err := OpenDir(path, true)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	return dir.Readdirnames(-1)
}

// MaxListed is how many entries of a folder ListFolders reads.
const MaxListed = 20_000

// ListFolders returns the names of the folders in dir, sorted, and none if it cannot
// be read. Links are not followed.
func ListFolders(dir string) []string {
	f, _, err := OpenDir(dir, true)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	entries, _ := f.ReadDir(MaxListed)
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	return names
}

// ContentSum returns the SHA-256 of a content, in hex.
func ContentSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// HalfSum returns the first half of ContentSum.
func HalfSum(content []byte) string { return ContentSum(content)[:HalfLength] }

// HalfLength is how long a HalfSum is.
const HalfLength = 32
