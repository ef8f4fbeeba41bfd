package query_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/OWNER/handex/query"
)

// condition draws a condition on a field, in any of the forms it takes.
func (d drawer) condition(f query.Field) string {
	name := d.nameOf(f)
	switch f.Kind {
	case query.FieldOpen, query.FieldPath, query.FieldClosed:
		return d.keyCondition(f, name)
	case query.FieldNumber:
		if chance(d.T, 4) {
			return name + oneOf(d.T, ":1..60", ":2..120%", ":4..4", ":1.5..2000")
		}
		return name + d.compared(oneOf(d.T, "1", "1.0", "2", "4", "59.5", "60%", "100", "120", "-1"))
	case query.FieldDate:
		switch {
		case f.Ordered && chance(d.T, 4):
			return d.span(name)
		case f.Ordered:
			return name + d.compared(d.date())
		}
		return name + ":" + d.date()
	case query.FieldDuration:
		if chance(d.T, 4) {
			return name + oneOf(d.T, ":1d..7d", ":2mo..1w", ":0d..40d", ":1h..36h", ":90d..2y")
		}
		return name + d.compared(d.duration())
	case query.FieldProse:
		return name + ":" + d.textValue()
	case query.FieldWord:
	}
	switch f.Name {
	case "is":
		return "is:" + oneOf(d.T, query.States()...).Name
	case "query":
		return "query:" + oneOf(d.T, sortedKeys(savedQueries)...)
	}
	return name + ":" + d.thing()
}

// compared draws an operator and a point, or a range.
func (d drawer) compared(point string) string {
	switch oneOf(d.T, "one", "low", "high", "any", "compare", "compare", "compare") {
	case "one":
		return ":" + point
	case "low":
		return ":" + point + ".."
	case "high":
		return ":.." + point
	case "any":
		return ":*"
	}
	return oneOf(d.T, "", ":") + oneOf(d.T, "<", "<=", ">", ">=", "=", "!=") + point
}

func (d drawer) keyCondition(f query.Field, name string) string {
	if f.Ordered && chance(d.T, 2) {
		return name + d.compared(oneOf(d.T, "low", "medium", "p1", "urgent"))
	}
	value := func() string { return d.keyValue(f) }
	switch rapid.IntRange(0, 9).Draw(d.T, "form") {
	case 0:
		return name + "!=" + value()
	case 1:
		return name + "=" + value()
	case 2:
		return name + ":" + value() + "," + value()
	case 3:
		return name + ":(" + value() + " OR " + value() + ")"
	case 4:
		return name + ":(" + value() + " -" + value() + ")"
	case 5:
		return name + ":{" + d.leaf() + "}"
	case 6:
		return name + ":*"
	}
	return name + ":" + value()
}

// someValue draws a value of a field, most often one a handoff has.
func (d drawer) someValue(f query.Field) string {
	field := strings.Replace(f.Name, "meta.", "meta.tags", 1)
	if values := d.someone().values(field); len(values) > 0 && !chance(d.T, 4) {
		return oneOf(d.T, values...)
	}
	name := map[string]string{"from": "agent", "to": "agent", "meta.": "meta", "project": "declared"}[f.Name]
	if name == "" {
		name = f.Name
	}
	values := slices.DeleteFunc(slices.Clone(pools[name]), func(s string) bool { return s == "" })
	if f.Name == "project" {
		values = append(values, "/home/ann/shop", "/home/ann/shop/", "-home-ann-shop", "-home-ann-docs-site", "/home/ann/docs.site", "/home/ann/docs-site", "SHOP", ".", "-home-ann-stra-e-2")
	}
	return oneOf(d.T, values...)
}

func (d drawer) keyValue(f query.Field) string {
	v := d.someValue(f)
	if f.Kind == query.FieldClosed {
		return oneOf(d.T, append([]string{v, strings.ToUpper(v)}, f.Values...)...)
	}
	if f.Name == "file" && chance(d.T, 4) {
		v = d.someone().project.root + "/" + v
	}
	switch rapid.IntRange(0, 11).Draw(d.T, "value") {
	case 0:
		return `"` + v + `"`
	case 1:
		return `"` + d.cut(v) + `"*`
	case 2:
		return escaped(d.cut(v)) + "*"
	case 3:
		return "*" + escaped(string([]rune(v)[len([]rune(v))/2:]))
	case 4:
		return d.glob(v)
	case 5:
		return "/" + d.valuePattern(v) + "/"
	case 6:
		return escaped(strings.ToUpper(v))
	case 7:
		return escaped(d.cut(v))
	case 8:
		return escaped(v[strings.LastIndexByte(v, '/')+1:])
	case 9:
		return "./" + escaped(v)
	}
	return escaped(v)
}

// glob puts a wildcard in the place of letters.
func (d drawer) glob(v string) string {
	runes := []rune(v)
	from := rapid.IntRange(0, len(runes)-1).Draw(d.T, "from")
	to := rapid.IntRange(from, len(runes)).Draw(d.T, "to")
	return escaped(string(runes[:from])) + oneOf(d.T, "*", "?", "**", "**/", "*?") + escaped(string(runes[to:]))
}

// valuePattern draws a regular expression without classes.
func (d drawer) valuePattern(v string) string {
	var b strings.Builder
	for _, r := range d.cut(v) {
		if strings.ContainsRune(`/*.#\ -`, r) {
			r = '.'
		}
		b.WriteRune(r)
	}
	return oneOf(d.T, "", "^") + b.String() + oneOf(d.T, "", ".*", "$", "|main")
}

// date draws a date in any form of the grammar.
func (d drawer) date() string {
	day, err := time.ParseInLocation(time.DateOnly, oneOf(d.T, days...), berlin)
	if err != nil {
		d.Fatal(err)
	}
	year, week := day.ISOWeek()
	switch rapid.IntRange(0, 10).Draw(d.T, "date") {
	case 0:
		return oneOf(d.T, "now", "today", "yesterday", "tomorrow", "TODAY")
	case 1:
		return oneOf(d.T, "", "last-") + oneOf(d.T, "monday", "tuesday", "wed", "sun", "Friday")
	case 2:
		return oneOf(d.T, "this-", "last-", "this_") + oneOf(d.T, "week", "month", "quarter", "year")
	case 3:
		return day.Format(oneOf(d.T, "2006", "2006-01", "2006-01-02"))
	case 4:
		return fmt.Sprintf(oneOf(d.T, "%04d-W%02d", "%04d-w%02d"), year, week)
	case 5:
		return fmt.Sprintf("%d-Q%d", day.Year(), (int(day.Month())+2)/3)
	case 6:
		return drawInstant(d.T).Format(oneOf(d.T, time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05.000Z07:00"))
	case 7:
		return fmt.Sprintf("@%d", drawInstant(d.T).Unix())
	case 8:
		return `"` + oneOf(d.T, "last week", "last monday", "2 days ago", day.Format("2006-01-02 15:04")) + `"`
	}
	return d.duration()
}

func (d drawer) duration() string {
	n := rapid.IntRange(0, 40).Draw(d.T, "n")
	return fmt.Sprintf("%d%s%s", n, oneOf(d.T, "d", "h", "min", "w", "mo", "q", "y", "days", "hours", "-weeks"), oneOf(d.T, "", "-ago"))
}

// span draws a range of two dates that does not run backwards.
func (d drawer) span(name string) string {
	from, to := oneOf(d.T, days...), oneOf(d.T, days...)
	return name + ":" + min(from, to) + ".." + max(from, to)
}
