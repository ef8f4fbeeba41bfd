package brief

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"handex/cmd/internal/redact"
	"handex/cmd/internal/render"
)

// The longest a line of a handoff may be, in characters.
const (
	longestLine  = 200
	longestFirst = 320 // an escalation, a blocker
	longestName  = 80  // of a project
)

// maxLines is how many lines of a section are looked at.
const maxLines = 60

// list makes the sections, in the order of reading.
func (c *composer) list() {
	f := c.facts
	c.add("addressed", "Addressed to "+c.line(f.Agent)+":", f.Addressed, c.provenance)
	c.add("escalations", "Human review asked for, open:", f.Escalations, c.provenance)
	c.add("overtaken", "Human review asked for, overtaken and never acknowledged:", f.Overtaken, c.provenance)
	c.last()
	c.add("state", "It left off:", f.State, c.counted)
	c.add("next", c.nextHead(), f.Next, c.carried)
	c.add("blockers", "Blocked on:", f.Blockers, c.counted)
	c.add("questions", "Open questions:", f.Questions, c.counted)
	c.add("gotchas", "Watch out:", append(append([]Item{}, f.Gotchas...), f.Risks...), c.counted)
	c.add("decisions", "Decided:", f.Decisions, c.counted)
	c.add("failed", "Tried and failed:", f.Failed, c.counted)
	c.add("other", "It also says:", f.Other, c.counted)
	c.add("done", "It says it did:", f.Done, c.counted)
	c.add("earlier", "Before that:", f.Earlier, c.provenance)
	c.add("foreign", "Came with a clone, not trusted, so only named:", f.Foreign, c.named)
}

// add makes a section of items; note is what we know of each.
func (c *composer) add(name, head string, items []Item, note func(Item) string) {
	s := &section{Block: Block{Name: name, Head: head}, most: longestLine}
	if name == "escalations" || name == "blockers" {
		s.most = longestFirst
	}
	for _, it := range items[:min(len(items), maxLines)] {
		s.Lines = append(s.Lines, Line{note(it), c.quote(it)})
	}
	if len(s.Lines) > 0 {
		c.sections = append(c.sections, s)
	}
}

// tidy makes the next line of a section fit to be told, and drops those that say
// nothing then. Only lines that are tried are made fit: most are cut.
func (c *composer) tidy(s *section) {
	for s.tidied == s.taken && s.taken < len(s.Lines) {
		l, before := &s.Lines[s.taken], c.masked
		l.Quote = clip(c.line(l.Quote), s.most)
		s.tidied++
		s.masked, c.masked = c.masked-before, before
		if *l == (Line{}) {
			s.Lines = slices.Delete(s.Lines, s.taken, s.taken+1)
			s.tidied--
		}
	}
}

// quote is what a line says: a file by its path, a message by who it is from.
func (c *composer) quote(it Item) string {
	switch {
	case it.Path != "":
		return it.Path + ": " + it.Text
	case it.From != "":
		return "from " + it.From + ": " + it.Text
	}
	return it.Text
}

// last tells of the newest handoff in a line, and how far things have moved in
// another.
func (c *composer) last() {
	l := c.facts.Last
	if l == nil {
		return
	}
	s := &section{Block: Block{Name: "last", Head: "Last handoff:"}, most: longestFirst}
	words := []string{l.ID, c.age(l.Item), l.Format}
	if l.Blocked {
		words = append(words, "blocked")
	}
	if l.Escalated {
		words = append(words, "escalated")
	}
	var where []string
	for _, w := range []struct{ what, value string }{{"", l.Status}, {"branch ", l.Branch}, {"work tree ", l.WorkTree}, {"session ", short(l.Session)}, {"from ", l.From}, {"to ", l.To}} {
		if w.value != "" {
			where = append(where, w.what+w.value)
		}
	}
	text := l.Text
	if len(where) > 0 {
		text = "(" + strings.Join(where, ", ") + ") " + text
	}
	s.Lines = append(s.Lines, Line{strings.Join(words, ", "), text})
	if l.Goal != "" {
		s.Lines = append(s.Lines, Line{"", l.Goal})
	}
	if note, names := drift(l.Drift); note != "" {
		s.Lines = append(s.Lines, Line{note, clip(names, longestLine)})
	}
	c.sections = append(c.sections, s)
}

// termRoom is how many characters of the first part are kept for words that keep
// coming up.
const termRoom = 360

// leastTerms is the budget from which there is room for them.
const leastTerms = 1200

// fewestTerms is how many make a line.
const fewestTerms = 3

// addTerms fills what room is left in the first part with the words that keep
// coming up and are not told yet.
func (c *composer) addTerms() {
	s := &section{Block: Block{Name: "terms", Head: "Names and words that recur:"}, tidied: 1}
	quote, n := "", 0
	for _, word := range c.facts.Terms {
		if _, secrets := redact.Text(word); secrets > 0 || strings.Contains(c.told, strings.ToLower(word)) || path.Base(word) != word && strings.Contains(quote, path.Base(word)) {
			continue
		}
		word = clip(c.line(word), longestName)
		longer := word
		if quote != "" {
			longer = quote + ", " + word
		}
		s.Lines = []Line{{Quote: longer}}
		if _, fits := c.after(s, 0, true); !fits {
			break
		}
		quote = longer
		n++
	}
	if n >= fewestTerms {
		s.Lines = []Line{{Quote: quote}}
		c.takes(s, 0, true)
		s.taken = 1
		c.sections = append(c.sections, s)
	}
}

// short is as much of a session's id as tells it apart.
func short(session string) string {
	if len(session) > 12 && strings.Trim(session, "0123456789abcdefABCDEF-") == "" {
		return session[:8]
	}
	return session
}

// drift tells how far the work tree has moved, and names the files.
func drift(d Drift) (note, names string) {
	var facts, files []string
	if d.Known {
		facts = append(facts, render.Several(d.Commits, "commit")+" since then")
	}
	if n := len(d.Changed); n > 0 {
		facts = append(facts, fmt.Sprintf("%d of %s it names written since then", n, render.Several(d.Named, "file")))
		files = append(files, d.Changed...)
	}
	if n := len(d.Gone); n > 0 {
		facts = append(facts, fmt.Sprintf("%d of %s it names not there", n, render.Several(d.Named, "file")))
		gone := strings.Join(d.Gone, ", ")
		if len(d.Changed) > 0 {
			gone = "not there: " + gone
		}
		files = append(files, gone)
	}
	if len(facts) == 0 {
		return "", ""
	}
	return strings.Join(facts, ", "), strings.Join(files, ", ")
}

// The notes of items.

func (c *composer) provenance(it Item) string {
	note := it.ID + ", " + c.age(it)
	if it.Count > 1 {
		note += fmt.Sprintf(", %d handoffs", it.Count)
	}
	return note
}

// carried needs not name the handoff: nextHead does.
func (c *composer) carried(it Item) string {
	if it.Count > 1 {
		return fmt.Sprintf("carried %d×", it.Count)
	}
	return ""
}

// nextHead names the handoff that says what comes next where that is not the last,
// and how old it is: it may be overtaken.
func (c *composer) nextHead() string {
	next, last := c.facts.Next, c.facts.Last
	if len(next) == 0 || last != nil && next[0].ID == last.ID {
		return "Next:"
	}
	return "Next, says " + next[0].ID + ", " + c.age(next[0]) + ":"
}

func (c *composer) counted(it Item) string {
	var words []string
	if it.Count > 1 {
		words = append(words, fmt.Sprintf("%d×", it.Count))
	}
	return strings.Join(append(words, c.origin(it)...), ", ")
}

func (c *composer) named(it Item) string { return it.ID + ", " + c.age(it) }

// origin names the handoff an item is of, unless it is the last.
func (c *composer) origin(it Item) []string {
	if c.facts.Last != nil && c.facts.Last.ID == it.ID {
		return nil
	}
	return []string{it.ID[:min(len(it.ID), 8)]}
}

// age is how old an item is: days by the calendar, so that what is known to the
// day is not told by the hour.
func (c *composer) age(it Item) string {
	y, m, d := it.Date.Date()
	today := c.now.In(it.Date.Location())
	ty, tm, td := today.Date()
	days := int(time.Date(ty, tm, td, 0, 0, 0, 0, time.UTC).Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)).Hours() / 24)
	since := c.now.Sub(it.Date)
	switch {
	case it.Date.IsZero():
		return "undated"
	case days < -1, !it.Day && since < -time.Hour:
		return "dated ahead: " + it.Date.Format(time.DateOnly)
	case !it.Day && since < time.Minute:
		return "just now"
	case !it.Day && since < 90*time.Minute:
		return fmt.Sprintf("%dm ago", int(since.Minutes()))
	case !it.Day && since < 24*time.Hour:
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
	return it.Date.Format(time.DateOnly)
}
