package brief

import (
	"fmt"
	"time"

	"handex/index"
)

// age returns how old a handoff is: in days of the calendar, so that what is known to
// the day is not told by the hour.
func (c *composer) age(h *index.Handoff) string {
	now, byDay := c.options.Now, h.DatePrecision != "instant" && h.DatePrecision != "minute"
	y, m, d := h.Date.Date()
	ty, tm, td := now.In(h.Date.Location()).Date()
	days := int(time.Date(ty, tm, td, 0, 0, 0, 0, time.UTC).Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)).Hours() / 24)
	since := now.Sub(h.Date)
	switch {
	case h.Date.IsZero():
		return "undated"
	case days < -1, !byDay && since < -time.Hour:
		return "dated ahead: " + h.Date.Format(time.DateOnly)
	case !byDay && since < time.Minute:
		return "just now"
	case !byDay && since < 90*time.Minute:
		return fmt.Sprintf("%dm ago", int(since.Minutes()))
	case !byDay && since < 24*time.Hour:
		return fmt.Sprintf("%dh ago", int(since.Round(time.Hour).Hours()))
	case days <= 0:
		return "today"
	case days == 1:
		return "yesterday"
	case days < 14:
		return fmt.Sprintf("%d days ago", days)
	case days < 70:
		return fmt.Sprintf("%d weeks ago", days/7)
	case days < 365:
		return fmt.Sprintf("%d months ago", days/30)
	}
	return h.Date.Format(time.DateOnly)
}
