// Package fsx reads files and their states, and returns what the file system of a folder guarantees.
package fsx

import (
	"os"
	"strings"
)

// A Kind is what a kind of file system guarantees. Network shares and file systems in user space
// guarantee nothing: their files change on other machines and in other processes, and they can make
// up the times of folders.
type Kind struct {
	Name string // empty if the system does not say
	// SharedMemory: the processes of one machine share memory and locks that hold,
	// as SQLite's write-ahead log needs.
	SharedMemory bool
	// FolderTimes: a folder has a new time after each change of its entries.
	FolderTimes bool
	// Events: every change makes an event, which is in the queue of whoever
	// watches the folder before the call that made the change returns.
	Events bool
}

// A Cache remembers the kind of the file system of each device.
type Cache map[uint64]Kind

// Of returns the kind of the file system on the device dev, to which path belongs.
func (c Cache) Of(path string, dev uint64) Kind {
	kind, ok := c[dev]
	if !ok {
		kind = KindOf(path)
		c[dev] = kind
	}
	return kind
}

// Mounts returns a text that changes with every mount and unmount in one of the folders, because
// these make no events. The folders must be real paths.
func Mounts(folders []string) string {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	var found strings.Builder
	for line := range strings.Lines(string(text)) {
		const point = 4
		fields := strings.Fields(line)
		if len(fields) <= point {
			continue
		}
		path := unescape.Replace(fields[point]) + "/"
		for _, folder := range folders {
			if strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/") {
				found.WriteString(line)
				break
			}
		}
	}
	return found.String()
}

// unescape undoes how the kernel writes paths between blanks.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
