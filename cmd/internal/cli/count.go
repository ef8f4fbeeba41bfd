package cli

import (
	"fmt"

	"handex/cmd/internal/render"
)

// tally writes how many handoffs a query asks for; limit: and offset: do not count.
// None is errNone.
func (a *app) tally(text string, read reader) error {
	form, err := a.form("plain", "json", "jsonl")
	if err != nil {
		return err
	}
	q, err := a.read(text, read)
	if err != nil {
		return err
	}
	if _, err := a.open(); err != nil {
		return err
	}
	n, err := a.count(q)
	if err != nil {
		return err
	}
	if !a.flags.machine() {
		for _, note := range q.Notes {
			a.note(note)
		}
	}
	if err := a.warnStale(); err != nil {
		return err
	}
	if form == "json" || form == "jsonl" {
		err = render.CountJSON(a.out, render.Answer{Text: q.Text, Canonical: q.Source(), Notes: q.Notes}, n)
	} else {
		_, err = fmt.Fprintln(a.out, n)
	}
	if err == nil && n == 0 {
		return errNone
	}
	return err
}
