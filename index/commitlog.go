package index

import (
	"bufio"
	"context"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// logPatience is how long git may take to list the commits of one repository,
	// maxHistory how much of its answer is read.
	logPatience = 2 * time.Second
	maxHistory  = 64 << 20
	// maxLogPaths is how many files git is given by their own paths. It compares each
	// path with the names in each commit, so of many their folders are faster.
	maxLogPaths = 50
)

// commitTimes tells when some contents, by the paths they are at, were committed
// last. Of a history that is too long, or that git does not tell, it has what was
// read so far: the others have no time.
func (w *WorkTree) commitTimes(ctx context.Context, blobs map[string]string, getenv func(string) string) map[string]time.Time {
	ctx, stop := context.WithTimeout(ctx, logPatience)
	defer stop()
	l := &commitLog{want: maps.Clone(blobs), times: map[string]time.Time{}}
	args := []string{
		"--literal-pathspecs", "log", "--stdin", "-c", "--raw", "-z", "--format=%ct", "--no-renames",
		"--no-abbrev", "--no-color",
		"--no-decorate", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-relative", "--no-notes",
		"--ignore-submodules=all",
	}
	// The error says at most that there is more, or that there is nothing to read.
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

// read takes the newest commit of each content. For each commit there is a time,
// and for each file colons, modes, ids and letters, then its path.
func (l *commitLog) read(out io.Reader) error {
	in := bufio.NewScanner(io.LimitReader(out, maxHistory))
	in.Buffer(nil, 1<<20)
	in.Split(splitNUL)
	var at time.Time
	for len(l.want) > 0 && in.Scan() {
		token := strings.TrimPrefix(in.Text(), "\n")
		if !strings.HasPrefix(token, ":") {
			if seconds, err := strconv.ParseInt(token, 10, 64); err == nil {
				at = time.Unix(min(max(seconds, -maxIDTime), maxIDTime), 0)
			}
			continue
		}
		if !in.Scan() {
			break
		}
		name, words := in.Text(), strings.Fields(token)
		if blob, ok := l.want[name]; ok && len(words) > 2 && words[len(words)-2] == blob {
			l.times[name] = at
			delete(l.want, name)
		}
	}
	if len(l.want) == 0 {
		return errEnough
	}
	return in.Err()
}

// headMark tells a commit that is checked out from another without looking for
// its id, which can stand in several places. It is empty where nothing is.
func (w *WorkTree) headMark() string {
	head, err := readHead(filepath.Join(w.private, "HEAD"), 1024)
	if err != nil {
		return ""
	}
	mark := string(head)
	add := func(rel string) {
		text, _ := look(w.common, rel).MarshalJSON()
		mark += "\n" + string(text)
	}
	add("shallow") // a clone that gets more of its history
	ref, named := strings.CutPrefix(strings.TrimSpace(mark[:len(head)]), "ref: ")
	if named && filepath.IsLocal(filepath.FromSlash(ref)) {
		id, err := readHead(filepath.Join(w.common, filepath.FromSlash(ref)), 1024)
		if mark += "\n" + string(id); err != nil {
			add("packed-refs")
			add("reftable/tables.list")
		}
	}
	return halfSum([]byte(mark))
}

// isContent reports whether git would name a text so, or name it so after making
// its line ends the ones it keeps.
func isContent(raw []byte, blob string) bool {
	return blobOf(raw) == blob || blobOf([]byte(strings.ReplaceAll(string(raw), "\r\n", "\n"))) == blob
}
