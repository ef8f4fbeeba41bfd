package parse

import (
	"strings"
	"unicode"

	"handex/parse/internal/paths"
	"handex/parse/internal/scan"
)

// The points a kind needs. Kinds for "what is next", "what blocks" and the like
// need more, for a section that is taken for one wrongly is worse than
// a section of no kind.
const (
	minStrict = 6
	minLoose  = 4
)

// strictKinds are the kinds that need minStrict points.
var strictKinds = map[Kind]bool{
	Next: true, Done: true, Gotchas: true, Risks: true, Blockers: true, Questions: true, Decisions: true, Human: true, Approaches: true, Worked: true, Failed: true,
}

// scores is the points for each kind, in the order of kinds.
type scores [len(kinds)]int16

// headingRead is what a heading says by itself.
type headingRead struct {
	exact    Kind // by an alias; "" where none matches
	points   scores
	finished bool // it says that what it names is done: "Task 3 (DONE)"
	summary  bool // what is below it can be about anything
}

// summaries are headings of done work below which a whole handoff can follow.
var summaries = scan.Set("summary", "session summary")

// asksInBrackets reports whether a part behind the main one asks a person for
// something, whatever else the heading is about.
func asksInBrackets(parts []string) bool {
	for _, p := range parts[min(1, len(parts)):] {
		if t := zonePoints(p, shareMain); t[kindIndex(Human)] >= clearPoints {
			return true
		}
	}
	return false
}

func kindIndex(k Kind) int {
	for i, known := range kinds {
		if known == k {
			return i
		}
	}
	return len(kinds) - 1 // Other
}

// kindOf is what a heading, key or label says by itself, Other if nothing.
func kindOf(head string) Kind {
	h := headings.read(head)
	if h.exact != "" {
		return h.exact
	}
	return h.points.decide()
}

// exactKindOf is the kind that an alias gives a heading, Other if none does.
func exactKindOf(head string) Kind {
	if k := headings.read(head).exact; k != "" {
		return k
	}
	return Other
}

// kindWith is what a section is about by its heading and its body.
func kindWith(head, body string) Kind {
	h := headings.read(head)
	k := h.exact
	if k == "" {
		t := h.points
		t.add(bodyPoints(body))
		k = t.decide()
	}
	if k == Next && h.finished {
		return Done
	}
	return k
}

// decide is the kind with the most points, Other if none has enough. Of equal
// kinds the first in kinds wins.
func (t *scores) decide() Kind {
	best, most := Other, int16(0)
	for i, k := range kinds {
		if k != Other && t[i] > most {
			best, most = k, t[i]
		}
	}
	least := int16(minLoose)
	if strictKinds[best] {
		least = minStrict
	}
	if most < least || most <= t[kindIndex(Other)] {
		return Other
	}
	return best
}

func (t *scores) add(o scores) {
	for i := range t {
		t[i] += o[i]
	}
}

// Shares of a term's points, in percent, by where it is in a heading.
const (
	shareMain   = 100
	shareAside  = 60 // behind a dash or colon, or in parentheses
	shareAlone  = 90 // there, where the rest of the heading says nothing
	shareObject = 50 // behind a preposition: "commands for the next session"
	shareLong   = 50 // in a sentence
)

// maxHeadingText is how much of a heading is read.
const maxHeadingText = 300

// readHeading reads the terms of a heading.
func readHeading(head string) headingRead {
	if len(head) > maxHeadingText {
		head = head[:scan.RuneBoundary([]byte(head), maxHeadingText)]
	}
	whole, parts := headingParts(head)
	h := headingRead{finished: saysFinished(head, parts)}
	if k, ok := phraseKinds()[whole]; ok && !asksInBrackets(parts) {
		h.exact, h.summary = k, summaries[whole]
		return h
	}
	for i, z := range parts {
		h.points.add(zonePoints(z, zoneShare(i, h.points)))
	}
	if h.finished && h.points.decide() == Other {
		h.points[kindIndex(Done)] += 3
	}
	return h
}

// zoneShare is what the terms of part i of a heading count, behind parts with some
// points.
func zoneShare(i int, before scores) int {
	switch {
	case i == 0:
		return shareMain
	case before == (scores{}):
		return shareAlone
	}
	return shareAside
}

// withoutPaths is a heading without its words that are paths: their names say
// nothing of it.
func withoutPaths(head string) string {
	if strings.Count(head, "/") < 2 {
		return head
	}
	words := strings.Fields(head)
	for i, w := range words {
		if strings.Count(w, "/") > 1 || strings.Contains(w, "/") && strings.Contains(w, ".") {
			words[i] = ""
		}
	}
	return strings.Join(words, " ")
}

// prepositions begin the part of a heading that says what its main word is for.
var prepositions = scan.FoldedSet("for", "of", "from", "before", "after", "beyond", "in", "by", "with", "per", "pour", "de", "du", "des", "para", "do", "da", "für", "von", "för", "av", "från", "di", "del", "della")

// zonePoints are the points of the terms of one zone.
func zonePoints(zone string, share int) scores {
	var t scores
	eachTerm(zone, share, func(_ string, clues []clue, share int) { t.take(clues, share) })
	return t
}

// eachTerm finds the terms of a zone, and what share of their points they are
// worth there, in percent.
func eachTerm(zone string, share int, found func(term string, clues []clue, share int)) {
	words := strings.FieldsFunc(zone, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",.;!?\"()[]", r)
	})
	if len(words) > maxHeadingWords {
		share = share * shareLong / 100
	}
	if scan.IsUnspaced(zone) {
		eachUnspaced(zone, share, found)
	}
	part := shareMain
	for i := 0; i < len(words); {
		clues, n := phraseAt(words[i:])
		if n == 0 {
			if prepositions[words[i]] && i > 0 {
				part = shareObject
			}
			i++
			continue
		}
		found(strings.Join(words[i:i+n], " "), clues, share*part/100)
		i += n
	}
}

func (t *scores) take(clues []clue, share int) {
	for _, c := range clues {
		t[c.kind] += int16(c.points * share / 100)
	}
}

// phraseAt is the longest term that words begin with, and how many words it has.
func phraseAt(words []string) ([]clue, int) {
	t := terms()
	for n := min(len(words), maxPhrase); n > 0; n-- {
		if clues := t.whole[strings.Join(words[:n], " ")]; clues != nil {
			return clues, n
		}
	}
	word := strings.Trim(words[0], "'’*_-")
	if clues := t.whole[word]; clues != nil {
		return clues, 1
	}
	for end := len(word); end > 2; end-- {
		if clues := t.stems[word[:end]]; clues != nil {
			return clues, 1
		}
	}
	return nil, 0
}

// termShare times its length is how long a zone is in which a term of a script
// without spaces counts whole.
// A term at either end of a zone is more often a word of its own: edgeShare.
const (
	termShare = 3
	edgeShare = 5
)

// eachUnspaced finds the terms in a zone of a script without spaces; of those that
// start at one sign the longest counts.
func eachUnspaced(zone string, share int, found func(term string, clues []clue, share int)) {
	runes := []rune(zone)
	for i := 0; i < len(runes); {
		n := 0
		if runes[i] >= scan.FirstUnspaced {
			for n = min(len(runes)-i, terms().longest); n > 0; n-- {
				term := string(runes[i : i+n])
				if clues := terms().unspaced[term]; clues != nil {
					// Without spaces a term may be a part of any word: in a long zone
					// it says less.
					part := share * termShare * n / len(runes)
					if i == 0 || i+n == len(runes) {
						part = share * edgeShare * n / len(runes)
					}
					found(term, clues, min(share, part))
					break
				}
			}
		}
		i += max(n, 1)
	}
}

// finishedWords begin what follows a dash or is in parentheses in headings of
// finished work.
var finishedWords = scan.FoldedSet("done", "closed", "complete", "completed", "resolved", "shipped", "landed", "merged", "finished", "fixed", "terminé", "fait", "erledigt", "hecho", "feito", "klart", "fatto", "完成", "已完成", "完了", "完료", "완료")

// nextWords begin headings that a tick only adorns.
var nextWords = scan.Set("next", "todo", "remaining", "upcoming")

// saysFinished reports whether a heading says that what it names is done: by the
// first word behind a dash or in parentheses, or by a tick.
func saysFinished(head string, parts []string) bool {
	s := strings.TrimSpace(head)
	if i := strings.IndexAny(s, "✅✔"); i > 0 || i == 0 && !nextWords[scan.FirstWord(strings.TrimLeft(s, "✅✔ "))] {
		return true
	}
	for _, p := range parts[min(1, len(parts)):] {
		word, _, _ := strings.Cut(p, " ")
		if finishedWords[word] {
			return true
		}
	}
	return false
}

// A bodyShape counts what the lines of a body look like.
type bodyShape struct {
	items, open, ticked, past, bare, paths, asks int
	lines, commands, code                        int
	work                                         int // words of work that was done, in sentences
}

// Only the beginning of a body is looked at.
const (
	maxShapeBytes = 3 << 10
	maxShapeItems = 16
)

// bodyPoints is the evidence of a section's text.
func bodyPoints(body string) scores {
	var t scores
	s := shapeOf(body)
	give := func(k Kind, points int) { t[kindIndex(k)] += int16(points) }
	switch {
	case s.open > 0 && s.open == s.items:
		give(Next, 6)
	case s.open > 0 && s.open >= s.ticked && 2*s.open >= s.items:
		give(Next, 4)
	case s.ticked > 1 && s.ticked == s.items:
		give(Done, 6)
	case s.ticked > s.open && 2*s.ticked >= s.items:
		give(Done, 4)
	}
	if s.items >= 2 && 2*s.past > s.items {
		give(Done, 4)
	} else if s.items < 2 && s.work > 0 {
		give(Done, 3)
	}
	if s.items >= 2 && 2*s.bare > s.items {
		give(Next, 3)
	}
	if s.items >= 2 && 2*s.paths > s.items {
		give(Files, 4)
	}
	if s.items >= 1 && 2*s.asks > s.items {
		give(Questions, 4)
	}
	if s.commands > 0 {
		give(Checks, 3)
		if 2*s.code > s.lines {
			give(Checks, 2)
		}
	}
	return t
}

func shapeOf(body string) bodyShape {
	var s bodyShape
	if len(body) > maxShapeBytes {
		body = body[:maxShapeBytes]
	}
	var code scan.Fence
	for line := range strings.SplitSeq(body, "\n") {
		if code.Toggles(line) {
			continue
		}
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		s.lines++
		if code != "" {
			s.code++
			if isCommand(bare) {
				s.commands++
			}
			continue
		}
		if text, ok := scan.ItemText(line); !ok && s.lines <= maxProse {
			s.sentence(bare)
		} else if ok && scan.Indent(line) == 0 && s.items < maxShapeItems {
			s.item(text)
		}
	}
	return s
}

// maxProse is how many lines of sentences are looked at.
const maxProse = 4

// sentence counts the words of a line about work that was done.
func (s *bodyShape) sentence(line string) {
	scan.EachWord(line, func(word string) bool {
		if doneWork[strings.ToLower(word)] {
			s.work++
		}
		return true
	})
}

// doneWork are the words of a summary of work that was done.
var doneWork = scan.Set("completed", "implemented", "shipped", "merged", "fixed", "built", "landed", "delivered", "finished", "migrated", "refactored", "deployed", "released", "wrote", "rewrote", "resurrected", "closed")

// item counts one list item.
func (s *bodyShape) item(text string) {
	s.items++
	it := itemOf(Other, text, 0)
	switch {
	case it.isTicked():
		s.ticked++
	case it.Checked != nil, it.Mark == "☐":
		s.open++
	}
	words := strings.TrimLeft(it.Text, "*_` ")
	switch verb := scan.FirstWord(words); {
	case verb == "":
	case isPast(verb):
		s.past++
	case imperatives[verb]:
		s.bare++
	}
	if path, _ := paths.At(it.Text); path != "" {
		s.paths++
	}
	if strings.HasSuffix(strings.TrimRight(it.Text, "*_ "), "?") {
		s.asks++
	}
}

// isPast reports whether a word is a verb of work that was done, in English.
func isPast(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ed") && !notPast[word] || irregularPast[word]
}

var (
	notPast       = scan.Set("need", "needed", "blocked", "required", "proposed", "suggested", "recommended", "unresolved", "untested", "deferred", "expected", "planned", "limited", "feed", "speed", "embed", "seed", "based", "related", "unverified", "unused", "failed", "indeed", "hundred")
	irregularPast = scan.Set("built", "wrote", "made", "ran", "found", "got", "new", "done", "shipped", "rewrote", "split", "went", "ajouté", "créé", "corrigé", "corregido", "añadido", "adicionado", "criado", "hinzugefügt")
	imperatives   = scan.Set("add", "fix", "run", "write", "implement", "create", "update", "test", "verify", "check", "review", "merge", "push", "deploy", "remove", "refactor", "investigate", "decide", "start", "continue", "finish", "complete", "resume", "read", "build", "make", "move", "ship", "open", "close", "ask", "confirm", "consider", "document", "install", "set", "configure", "enable", "migrate", "wire", "port", "extend", "clean", "rebase", "commit", "tag", "release", "publish", "land", "pick", "do", "use", "monitor", "validate", "address", "resolve", "replace", "design", "plan", "draft", "define", "audit", "measure", "apply", "execute", "launch", "integrate", "split", "rename", "delete", "bump", "expand", "improve", "get", "re-run", "rerun", "ajouter", "corriger", "tester", "créer", "vérifier", "implémenter", "adicionar", "corrigir", "testar", "criar", "verificar")
)

// commandWords begin the lines of shells that handoffs have in fences.
var commandWords = scan.Set("cd", "git", "npm", "npx", "pnpm", "yarn", "go", "cargo", "python", "python3", "pip", "pytest", "uv", "make", "docker", "kubectl", "curl", "ssh", "cat", "ls", "bash", "sh", "export", "source", "node", "bun", "gh", "just", "poetry", "mvn", "gradle", "rake", "bundle", "terraform", "ansible", "ansible-playbook", "systemctl", "sudo", "cp", "mv", "mkdir", "rm", "grep", "rg", "sqlite3", "psql", "dotnet", "swift", "xcodebuild", "flutter", "wrangler", "vercel", "claude", "codex", "echo", "head", "tail", "ruff", "mypy", "tsx", "deno", "cmake", "ctest", "scp", "rsync", "powershell", "pwsh", "supabase")

func isCommand(line string) bool {
	line = strings.TrimLeft(line, "$>% ")
	if strings.HasPrefix(line, "./") || strings.HasPrefix(line, "/") && !strings.HasPrefix(line, "//") {
		return true
	}
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	return commandWords[line[:end]]
}
