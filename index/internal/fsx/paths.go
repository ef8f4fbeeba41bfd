package fsx

import (
	"path/filepath"
	"strings"
)

const separator = string(filepath.Separator)

// Within reports whether path is folder or is in it. Both are clean.
func Within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, separator))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// Relative returns path relative to folder, with slashes, if it is in it.
func Relative(path, folder string) (string, bool) {
	path, folder = filepath.Clean(path), filepath.Clean(folder)
	if path == folder || !Within(path, folder) {
		return "", false
	}
	return filepath.ToSlash(path[len(strings.TrimSuffix(folder, separator))+1:]), true
}

// RealPath returns the absolute path without symbolic links.
func RealPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Join joins a clean folder and a name.
func Join(dir, name string) string {
	if dir[len(dir)-1] == filepath.Separator {
		return dir + name
	}
	return dir + separator + name
}
