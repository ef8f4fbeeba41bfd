package index

import (
	"bytes"
	"context"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"handex/index/internal/fsx"
)

const (
	// logPatience is how long git may take to list the commits of one repository,
	// maxHistory how much of its output is read.
	logPatience = 2 * time.Second
	maxHistory  = 64 << 20
	// maxLogPaths is how many files git is given by their own paths. It compares each
	// path with the names in each commit, so of many their folders are faster.
	maxLogPaths = 50
)

// commitTimes returns when some contents, by the paths they are at, were committed
// last. Of a history that is too long, or that git fails on, it has what was
// read so far: the others have no time.
func (w *WorkTree) commitTimes(ctx context.Context, blobs map[string]string, getenv func(string) string) map[string]time.Time {
	ctx, stop := context.WithTimeout(ctx, logPatience)
	defer stop()
	l := &commitLog{want: maps.Clone(blobs), times: map[string]time.Time{}}
	args := append([]string{"--literal-pathspecs", "log", "--stdin", "-c", "--format=%H %ct"}, rawLog...)
	// Where git fails or takes too long, the files keep their own times until another
	// commit is checked out: to ask again would cost each refresh as much.
	_ = git(ctx, w.Top, getenv, strings.NewReader(l.input()), l.read, args...)
	return l.times
}

// A commitLog reads what git log --raw -z writes.
type commitLog struct {
	want  map[string]string // path -> content, of those not met yet
	times map[string]time.Time
}

// input names the commit to begin with, and the paths.
func (l *commitLog) input() string {
	paths := map[string]bool{}
	for name := range l.want {
		if dir := path.Dir(name); len(l.want) > maxLogPaths && dir != "." {
			name = dir
		}
		paths[name] = true
	}
	return "HEAD\n--\n" + strings.Join(slices.Sorted(maps.Keys(paths)), "\n") + "\n"
}

// read takes the newest commit of each content.
func (l *commitLog) read(out io.Reader) error {
	var at time.Time
	header := func(token string) { _, at = gitHeader(token) }
	return eachChange(out, maxHistory, header, func(words []string, name string) error {
		if blob, ok := l.want[name]; ok && len(words) > 2 && words[len(words)-2] == blob {
			l.times[name] = at
			delete(l.want, name)
		}
		if len(l.want) == 0 {
			return errEnough
		}
		return nil
	})
}

// headMark differs between commits that are checked out. It is made without the
// commit's id, which can be in several places. It is empty where nothing is.
func (w *WorkTree) headMark() string {
	head, err := fsx.ReadHead(filepath.Join(w.private, "HEAD"), 1024)
	if err != nil {
		return ""
	}
	mark := string(head)
	add := func(dir, rel string) {
		text, _ := look(dir, rel).MarshalJSON()
		mark += "\n" + string(text)
	}
	add(w.common, "shallow") // a clone that gets more of its history
	ref, named := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: ")
	if named && filepath.IsLocal(filepath.FromSlash(ref)) {
		id, err := fsx.ReadHead(filepath.Join(w.common, filepath.FromSlash(ref)), 1024)
		if mark += "\n" + string(id); err != nil {
			add(w.common, "packed-refs")
			add(w.common, "reftable/tables.list")
			add(w.private, "reftable/tables.list")
		}
	}
	return halfSum([]byte(mark))
}

// isContent reports whether git would name a text so, or name it so after making
// its line ends the ones it keeps.
func isContent(raw []byte, blob string) bool {
	return blobOf(raw) == blob || blobOf(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))) == blob
}
