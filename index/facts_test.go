package index_test

import (
	"context"
	"testing"
	"time"

	"github.com/OWNER/handex/index"
)

// The bounds of a zone's times, of which an index keeps a fingerprint, do not go on
// by themselves in zones whose clocks are changed.
func TestZones(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "Antarctica/Troll"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Skip(err)
		}
		done := make(chan error, 1)
		go func() {
			s, err := index.Open(context.Background(), index.Options{Dir: t.TempDir(), Now: func() time.Time { return time.Unix(1770000000, 0) }, Zone: zone})
			if err == nil {
				if _, err = s.Refresh(context.Background(), []index.Root{{Path: t.TempDir()}}, index.RefreshOptions{}); err == nil {
					err = s.Close()
				}
			}
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it does not end", name)
		}
	}
}
