package cli

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
