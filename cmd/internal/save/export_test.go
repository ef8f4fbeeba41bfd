package save

import "time"

// SetPatience sets how long f waits for other writers.
func SetPatience(f *Folder, d time.Duration) { f.patience = d }
