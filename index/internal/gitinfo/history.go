package gitinfo

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxRaw bounds what git lists of the history of one repository.
const maxRaw = 1 << 30

// A Change is a content that a commit gave the file at Path, relative to the top of
// the work tree with slashes. At is the author's time.
type Change struct {
	Commit, Blob, Path string
	At                 time.Time
}

// EachChange calls do for every content that a commit of a repository gave a file with
// one of some extensions, newest first, and ends with its first error.
func EachChange(ctx context.Context, dir string, getenv Getenv, extensions []string, do func(Change) error) error {
	args := slices.Concat([]string{"log", "--all", "-m", "--diff-filter=AMT", "--format=%H %at"}, rawLog, []string{"--"})
	for _, ext := range extensions {
		args = append(args, ":(icase)*"+ext)
	}
	return git(ctx, dir, getenv, nil, func(out io.Reader) error {
		return readRawLog(out, maxRaw, func(c Change, words []string) error {
			if len(words) != 5 || !strings.HasPrefix(words[1], "100") || !isHash(words[3]) || c.Commit == "" {
				return nil
			}
			c.Blob = words[3]
			return do(c)
		})
	}, args...)
}

// ReadContents calls do for each of the contents that the repository has, with its
// index, and ends with its first error. Those over the limit are left out.
func ReadContents(ctx context.Context, dir string, getenv Getenv, blobs []string, limit int64,
	do func(i int, raw []byte) error,
) error {
	list := strings.NewReader(strings.Join(blobs, "\n") + "\n")
	return git(ctx, dir, getenv, list, contents(blobs, limit, do), "cat-file", "--batch")
}

// contents returns what reads the answer of git cat-file --batch, as ReadContents does.
func contents(blobs []string, limit int64, do func(i int, raw []byte) error) reader {
	return func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 1<<16)
		for i := range blobs {
			raw, err := readContent(in, limit)
			if err == nil && raw != nil {
				err = do(i, raw)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// readContent reads one record of git cat-file --batch, nil if there is no such
// content, as in a shallow or partial clone, or it is over the limit.
func readContent(in *bufio.Reader, limit int64) ([]byte, error) {
	header, err := in.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file ended early: %w", err)
	}
	words := strings.Fields(header)
	if len(words) != 3 || words[1] != "blob" {
		return nil, nil
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || size < 0 {
		return nil, fmt.Errorf("git cat-file returned %q", strings.TrimSpace(header))
	}
	if size > limit {
		_, err := io.CopyN(io.Discard, in, size+1)
		return nil, err
	}
	raw := make([]byte, size+1)
	if _, err := io.ReadFull(in, raw); err != nil {
		return nil, fmt.Errorf("git cat-file ended early: %w", err)
	}
	return raw[:size], nil
}

// rawLog makes git log write what readRawLog reads.
var rawLog = []string{
	"--raw", "-z", "--no-renames", "--no-abbrev", "--no-color", "--no-decorate", "--no-show-signature",
	"--no-ext-diff", "--no-textconv", "--no-relative", "--no-notes", "--ignore-submodules=all",
}

// readRawLog reads at most so many bytes of what git log --raw -z writes: for each
// commit its id and time, and for each file colons, modes, ids and letters, then its
// path. It ends with the first error of do.
func readRawLog(out io.Reader, most int64, do func(c Change, words []string) error) error {
	in := splitAtNUL(io.LimitReader(out, most))
	var c Change
	for in.Scan() {
		token := strings.TrimPrefix(in.Text(), "\n")
		if !strings.HasPrefix(token, ":") {
			c.Commit, c.At = readHeader(token)
			continue
		}
		if !in.Scan() {
			break
		}
		c.Path = in.Text()
		if err := do(c, strings.Fields(token)); err != nil {
			return err
		}
	}
	return in.Err()
}

// maxTime is the year 10000: no date after it can be written.
const maxTime = 253402300800

func readHeader(token string) (commit string, at time.Time) {
	commit, when, _ := strings.Cut(strings.TrimSpace(token), " ")
	seconds, err := strconv.ParseInt(when, 10, 64)
	if err != nil || !isHash(commit) {
		return "", time.Time{}
	}
	return commit, time.Unix(min(max(seconds, -maxTime), maxTime), 0).UTC()
}

// isHash reports whether a word is an id of git's.
func isHash(word string) bool {
	return (len(word) == 40 || len(word) == 64) && strings.Trim(word, "0123456789abcdef") == ""
}

// splitAtNUL reads what is separated by NUL.
func splitAtNUL(out io.Reader) *bufio.Scanner {
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<20)
	in.Split(func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	return in
}
