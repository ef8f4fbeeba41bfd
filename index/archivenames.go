package index

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	sidecarEnd = ".origin.json"
	maxSidecar = 64 << 10
	temporary  = ".new-"

	keyLength, sumLength = 16, 64
)

// copyName is the name of a content: what originKey makes of the path it was at,
// its SHA-256, and the extension it had, if that is a plain one.
func copyName(key, sum, ext string) string {
	if name := key + "-" + sum + ext; ext != sidecarEnd {
		if _, _, rest, ok := cutName(name); ok && isExtension(rest) {
			return name
		}
	}
	return key + "-" + sum
}

// cutName takes a name of the archive apart; rest is how it ends.
func cutName(name string) (key, sum, rest string, ok bool) {
	const length = keyLength + 1 + sumLength
	if len(name) < length || name[keyLength] != '-' {
		return "", "", "", false
	}
	key, sum, rest = name[:keyLength], name[keyLength+1:length], name[length:]
	return key, sum, rest, isHex(key) && isHex(sum) && (rest == sidecarEnd || isExtension(rest))
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// isExtension reports whether the end of a name is none, or a dot, letters and digits.
func isExtension(ext string) bool {
	if ext == "" {
		return true
	}
	return ext[0] == '.' && len(ext) > 1 && len(ext) < 14 && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// originKey is how names in the archive begin of what was at a path.
func originKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:keyLength/2])
}

// readSidecar reads what is known of a content.
func readSidecar(path string) (kept, error) {
	text, err := readHead(path, maxSidecar)
	if err != nil {
		return kept{}, err
	}
	var k kept
	if err := json.Unmarshal(text, &k); err != nil {
		return kept{}, fmt.Errorf("%s: %w", path, err)
	}
	if !filepath.IsAbs(k.Origin) || k.Origin != filepath.Clean(k.Origin) {
		return kept{}, fmt.Errorf("%s: origin %q is no absolute path", path, k.Origin)
	}
	return k, nil
}

// An inventory is what the archive holds by its names: contents and sidecars.
type inventory struct {
	listed bool             // whole: else it is of some keys, if has is there
	has    map[string]int64 // of a content its mtime in nanoseconds, which is new when its sidecar is
	sum    int64            // of all, in any order; without all, of what was added and removed since
	count  int              // names that were listed, those of other keys included
	others []string         // names that are neither
}

func (v *inventory) add(name string, mtime int64) {
	if v.has != nil {
		v.remove(name)
		v.has[name] = mtime
		v.sum ^= nameSum(name, mtime)
	}
}

func (v *inventory) remove(name string) {
	if mtime, ok := v.has[name]; ok {
		delete(v.has, name)
		v.sum ^= nameSum(name, mtime)
	}
}

func (v *inventory) holds(name string) bool {
	_, ok := v.has[name]
	return ok
}

func nameSum(name string, mtime int64) int64 {
	return sum64(strconv.AppendInt(append([]byte(name), 0), mtime, 10))
}

// digest tells inventories apart; was is the digest from before what was added and
// removed, for one that is not whole.
func (v *inventory) digest(was string) string {
	sum := uint64(v.sum)
	if !v.listed {
		before, err := strconv.ParseUint(was, 16, 64)
		if err != nil {
			return ""
		}
		sum ^= before
	}
	return strconv.FormatUint(sum, 16)
}

// list lists the folder; one that is not there is empty. With keys, only their
// names are taken, and of others nothing is asked.
func (a *archive) list(keys map[string]bool) error {
	found := inventory{has: map[string]int64{}}
	a.names = inventory{}
	names, err := a.readNames()
	if err != nil {
		return err
	}
	found.count = len(names)
	for _, name := range names {
		key, _, rest, ok := cutName(name)
		if !ok {
			found.others = append(found.others, name)
		} else if keys == nil || keys[key] {
			if mtime, there := a.mtime(name, rest); there {
				found.add(name, mtime)
			}
		}
	}
	if found.listed = keys == nil; !found.listed {
		found.sum = 0
	}
	a.names = found
	return nil
}

func (a *archive) readNames() ([]string, error) {
	dir, _, err := openDir(a.Dir, true)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	return dir.Readdirnames(-1)
}

// mtime is that of a content; 0 if it cannot be told. there is false for one
// that has been removed since it was listed.
func (a *archive) mtime(name, rest string) (mtime int64, there bool) {
	if rest == sidecarEnd {
		return 0, true
	}
	st, err := lstat(a.path(name))
	return st.MtimeNS, err == nil || !vanished(err)
}

// A copyOf is a content of the archive, by its name.
type copyOf struct {
	key, sum, name string
	mtime          int64 // of the copy, in nanoseconds
	written        int64 // nanoseconds, once it is known
	kept                 // once it was read
}

// copies are the contents that have a sidecar, by the key of the path they were
// at. only are the keys that are asked for; nil is all.
func (a *archive) copies(only map[string]bool) map[string][]*copyOf {
	list := map[string][]*copyOf{}
	for name, mtime := range a.names.has {
		key, sum, rest, ok := cutName(name)
		if !ok || rest == sidecarEnd || only != nil && !only[key] || !a.names.holds(key+"-"+sum+sidecarEnd) {
			continue
		}
		list[key] = append(list[key], &copyOf{key: key, sum: sum, name: name, mtime: mtime})
	}
	return list
}
