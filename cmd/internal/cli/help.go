package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"handex/cmd/internal/render"
	"handex/query"
)

// helpCmd explains the language, or a command.
type helpCmd struct {
	Topic []string `arg:"" optional:"" help:"query, fields, is, dates, or a command."`
}

// Run writes the help of the topic.
func (c *helpCmd) Run(a *app) error {
	o := a.options()
	switch topic := strings.Join(c.Topic, " "); topic {
	case "query":
		_, err := io.WriteString(a.out, queryHelp)
		return errors.Join(err, render.Directives(a.out, query.Directives(), o))
	case "fields":
		return render.Fields(a.out, query.Fields(), o)
	case "is":
		return render.States(a.out, query.States(), o)
	case "dates":
		_, err := io.WriteString(a.out, datesHelp)
		return err
	default:
		return a.commandHelp(c.Topic)
	}
}

// commandHelp is --help of a command.
func (a *app) commandHelp(words []string) error {
	node := a.parser.Model.Node
	for i, word := range words {
		if node = child(node, word); node == nil {
			return render.WithHint(
				errors.New("no help for "+strings.Join(words[:i+1], " ")),
				"topics: query, fields, is, dates and the commands, which handex --help lists",
			)
		}
	}
	_, err := a.parser.Parse(append(append([]string{}, words...), "--help"))
	if errors.Is(err, errHelp) {
		return nil
	}
	return err
}

const queryHelp = `A query is words and conditions, all of which a handoff must meet.

  token refresh         both words, anywhere, in any form (tokens, refreshing)
  "token refresh"       exactly this text
  JWT  src/auth.py      capitals, digits or signs: this form only
  escal*  *config*      begins with, contains
  tokne~                or a word one letter off
  /tok(en)?_refresh/    regular expression (RE2)
  fix NEAR/5 refresh    at most 5 words between
  a OR b   -a   (a b)   or; not; grouping. AND, OR, NOT are upper case
  next:deploy           in one part of the handoff:     handex help fields
  project:web  is:open  conditions:                     handex help fields, handex help is
  since:monday          dates:                          handex help dates
  field:a,b  field:*    one of several; any value at all
  project:{is:blocked}  of a project that has a blocked handoff

Some plain words are read as conditions, and a note tells it:
  open escalations      is:open is:escalated
  latest per project    latest-per:project
  stale handoffs since last-week newest first

Quotes make any of it plain text. In a shell, quote the query or at least ( ) " | *.
A condition can begin with - without --: handex search token -is:stale --json

Directives say what to do with the handoffs found:
`

const datesHelp = `A date names a span of time, in your time zone:

  now  today  yesterday  tomorrow
  monday  last-monday              the most recent, today included; before today
  this-week  last-month            also quarter, year; weeks begin on Monday
  2026  2026-02  2026-02-09        also 2026-W06, 2026-Q1
  2026-02-09T14:30  @1770681600    a minute, a second, seconds since 1970
  30min  12h  7d  2w  3mo  1q  1y  so long ago; days and longer mean the whole day

  date:2026-02                     within it
  date:2026-02-01..2026-02-07      from the first to the last day, both included
  since:monday  until:friday       from its start; to its end
  before:2026  after:2026-02-09    before its start; after its end
  age:<7d  age:>30d                newer; older
  updated:today  sent:this-week    when the file changed; when it was sent
`

// versionCmd prints which program this is.
type versionCmd struct{}

// Run prints the module's version, the commit and the compiler.
func (versionCmd) Run(a *app) error {
	form, err := a.form("json", "jsonl")
	if err != nil {
		return err
	}
	v := build()
	if form != "" {
		return render.JSON(a.out, v)
	}
	commit := ""
	if v.Commit != "" {
		commit = " (" + v.Commit + ")"
	}
	_, err = fmt.Fprintf(a.out, "handex %s%s %s %s\n", v.Version, commit, v.Go, v.Platform)
	return err
}

// version is what is known of the build.
type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Schema   int    `json:"schema"`
}

var build = sync.OnceValue(func() version {
	v := version{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Schema: render.Schema}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value[:min(len(s.Value), 12)]
		}
	}
	return v
})
