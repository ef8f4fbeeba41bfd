package save

import "time"

// SetPatience sets how long f waits for other writers.
func SetPatience(f *Folder, d time.Duration) { f.patience = d }

// Kill leaves the folder of a process as if that was killed.
func Kill(d *TempDir) { _ = d.lock.Close() }
