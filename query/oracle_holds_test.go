package query_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/OWNER/handex/query"
)

// oracle judges handoffs by the expression a query was read as: what is asked
// of SQL is asked of plain values, so that how words, names, dates and states
// are matched is proven, and that the index is asked right.
type oracle struct {
	handoffs collection
	rule     query.CaseRule
}

func (o oracle) holds(e query.Expr, h *handoff) bool {
	switch e := e.(type) {
	case query.All:
		return true
	case query.None:
		return false
	case query.And:
		return !slices.ContainsFunc(e.List, func(x query.Expr) bool { return !o.holds(x, h) })
	case query.Or:
		return slices.ContainsFunc(e.List, func(x query.Expr) bool { return o.holds(x, h) })
	case query.Not:
		return !o.holds(e.X, h)
	case query.Text:
		return slices.ContainsFunc(h.texts(e.Field), func(text string) bool { return text != "" && textMatch(e, o.rule, text) })
	case query.Key:
		return o.key(e, h)
	case query.Amount:
		return h.compare(e)
	case query.During:
		return h.during(e)
	case query.Is:
		return h.is(e)
	case query.Has:
		return h.has(e.Field)
	case query.Same:
		return o.same(e, h)
	}
	panic(fmt.Sprintf("the oracle does not know %T", e))
}

// find keeps the handoffs that meet an expression, in order.
func (o oracle) find(e query.Expr) collection {
	var found collection
	for _, h := range o.handoffs {
		if o.holds(e, h) {
			found = append(found, h)
		}
	}
	return found
}

// texts are the texts of a text field, each searched by itself.
func (h *handoff) texts(field string) []string {
	columns := h.columns()
	slug, isSection := strings.CutPrefix(field, "sec.")
	switch {
	case field == "" || field == "text":
		var list []string
		for column, text := range columns {
			if field == "" || column != "name" {
				list = append(list, text)
			}
		}
		return list
	case isSection:
		return []string{h.section(slug)}
	case field == "approaches":
		return []string{columns["approaches"], columns["worked"], columns["failed"], columns["partial"]}
	}
	return []string{columns[field]}
}

// section is the text below the headings with a slug.
func (h *handoff) section(slug string) string {
	text, inside := "", false
	for _, p := range h.parts {
		if p.level != -1 {
			inside = p.level >= 0 && slugs[p.heading] == slug
		}
		if inside {
			text += p.text + "\n"
		}
	}
	return text
}

// is judges a state.
func (h *handoff) is(e query.Is) bool {
	closed := h.status == "completed" || h.status == "sent" || h.acked || !h.standing
	switch e.State {
	case "open":
		return !closed
	case "closed":
		return closed
	case "escalated":
		return h.escalated
	case "blocked":
		return h.blocked
	case "waiting":
		return h.waiting
	case "latest":
		return h.latest
	case "superseded":
		return !h.latest
	case "stale":
		return !closed && h.start.Before(e.Before)
	case "earlier":
		return h.earlier
	case "acked":
		return h.acked
	case "delegated":
		return h.to != ""
	case "in-progress", "completed", "pending", "sent", "failed":
		return h.status == e.State
	case "valid":
		return h.severity() == 0
	case "warned":
		return h.severity() == 1
	case "invalid":
		return h.severity() == 2
	case "legacy":
		return h.legacy
	}
	panic("the oracle does not know is:" + e.State)
}

// during judges a date: what it covers and the interval asked for must meet.
func (h *handoff) during(e query.During) bool {
	start, end := h.start, h.end
	switch e.Field {
	case "updated":
		start, end = h.updated, h.updated.Add(time.Millisecond)
	case "sent":
		start, end = h.sent, h.sent.Add(time.Millisecond)
		if h.sent.IsZero() {
			return false
		}
	}
	return (e.To.IsZero() || start.Before(e.To)) && (e.From.IsZero() || e.From.Before(end))
}

// number is the value of a field that has an order.
func (h *handoff) number(field string) (v float64, given bool) {
	switch field {
	case "priority":
		i := slices.Index(levels, h.priority)
		return float64(i), i >= 0
	case "words":
		return float64(h.words), true
	case "progress", "phase":
		p := map[string]*float64{"progress": h.progress, "phase": h.phase}[field]
		if p == nil {
			return 0, false
		}
		return *p, true
	case "version":
		m := versionForm.FindStringSubmatch(h.version)
		if m == nil {
			return 0, false
		}
		v, err := strconv.ParseFloat(m[1], 64)
		return v, err == nil
	}
	panic("the oracle knows no number " + field)
}

var versionForm = regexp.MustCompile(`^[vV]*([0-9]+(?:\.[0-9]+)?)`)

func (h *handoff) compare(e query.Amount) bool {
	v, given := h.number(e.Field)
	if !given {
		return false
	}
	return map[string]bool{"=": v == e.Value, "<": v < e.Value, "<=": v <= e.Value, ">": v > e.Value, ">=": v >= e.Value}[e.Op]
}

// has judges whether the handoff gives a field.
func (h *handoff) has(field string) bool {
	switch field {
	case "escalation":
		return h.escalated
	case "link":
		return h.link
	case "date":
		return !h.dateOfFile
	case "updated":
		return true
	case "sent":
		return !h.sent.IsZero()
	case "words":
		return h.words > 0
	case "progress", "phase":
		_, given := h.number(field)
		return given
	case "version":
		return h.version != ""
	case "blockers":
		return slices.ContainsFunc(h.texts(field), saysMore)
	}
	if isProse(field) {
		return slices.ContainsFunc(h.texts(field), func(s string) bool { return strings.TrimSpace(s) != "" })
	}
	return len(h.values(field)) > 0
}

// saysMore is false of texts that say that there is nothing.
func saysMore(text string) bool {
	low := strings.ToLower(strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) }))
	return !slices.Contains([]string{"", "none", "n/a", "none at the moment"}, low)
}

// isProse tells the text fields.
func isProse(name string) bool {
	for _, f := range query.Fields() {
		if f.Kind == query.FieldProse && (f.Name == name || strings.HasSuffix(f.Name, ".") && strings.HasPrefix(name, f.Name)) {
			return true
		}
	}
	return false
}

// same judges field:{ }: a value that the field also has in a handoff that
// meets the condition. Projects are the same by their root.
func (o oracle) same(e query.Same, h *handoff) bool {
	return slices.ContainsFunc(o.find(e.X), func(other *handoff) bool {
		if e.Field == "project" {
			return h.project.root == other.project.root
		}
		return slices.ContainsFunc(h.values(e.Field), func(v string) bool { return slices.Contains(other.values(e.Field), v) })
	})
}
