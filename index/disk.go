package index

// disks remembers of which devices the folders tell that their entries changed.
type disks map[uint64]bool

// tellChanges asks about the device of a folder.
func (d disks) tellChanges(path string, dev uint64) bool {
	told, ok := d[dev]
	if !ok {
		told = tellsChanges(path)
		d[dev] = told
	}
	return told
}
