package parse

import (
	"slices"
	"strings"
	"unicode"

	"handex/parse/internal/metadata"
	"handex/parse/internal/outline"
	"handex/parse/internal/scan"
)

// Where labelled lines are looked for beside the head of a text.
const (
	firstLines = 40
	lastLines  = 15
	// maxFacts is how much of a text is searched for the branch and the commit
	// that its sentences name.
	maxFacts = 64 << 10
	// factsStart is how much of it is searched for less certain signs.
	factsStart = 8 << 10
)

// lineFacts are the fields that a labelled line gives wherever it is in the
// first and last lines of a text.
var lineFacts = scan.Set("branch", "commit", "session", "date", "updated", "status", "from", "to", "goal")

// facts completes the fields of the head with what the rest of the text says:
// labelled lines near its beginning and end, and the branch and the commit that
// a sentence names. A field that is already there stays.
func (r *reader) facts(d *Document) {
	for _, f := range r.labelledLines(d) {
		if name := metadata.FieldOf(f.Label); lineFacts[name] && f.Value != "" {
			r.addFact(d, name, f)
		}
	}
	r.trimFacts(d)
	if _, ok := d.Field("status"); !ok {
		r.statusOfTitle(d)
	}
	text := r.text[d.Span.Start:min(d.Span.End, d.Span.Start+maxFacts)]
	if _, ok := d.Field("branch"); !ok {
		name, at := findBranch(text, r.format.shape != YAML && r.format.shape != JSON)
		r.addFound(d, "branch", name, at)
	}
	if _, ok := d.Field("commit"); !ok {
		hash, at := findCommit(text)
		r.addFound(d, "commit", hash, at)
	}
	if _, ok := d.Field("session"); !ok {
		r.sessionNumber(d)
	}
}

// addFact adds a field unless the document has it.
func (r *reader) addFact(d *Document, name string, f outline.Field) {
	if _, have := d.Field(name); have {
		return
	}
	field := Field{Key: name, Label: f.Label, Value: f.Value, Span: f.Span}
	if name == "status" {
		field.Value = metadata.Status(f.Value)
		if field.Value == "" {
			return
		}
		if field.Value != f.Value {
			d.Fields = append(d.Fields, field, Field{"meta.status", f.Label, f.Value, f.Span})
			return
		}
	}
	d.Fields = append(d.Fields, field)
}

// statusOfTitle takes the status that a title ends with: "Phase 3 Complete".
func (r *reader) statusOfTitle(d *Document) {
	if m := titleStatus().FindStringSubmatch(r.heading); m != nil {
		if st := metadata.Status(m[1]); st != "" {
			d.Fields = append(d.Fields, Field{Key: "status", Label: "title", Value: st, Span: r.titleSpan(d, m[1])})
		}
	}
}

var titleStatus = scan.Pattern(`(?i)(?:^|[\s(—–-])(complete|completed|done|blocked|in progress|wip|진행 중|완료|完成|完了|进行中|terminée?)(?:\s*[✅✓!)，,]|\s*$|\s+[-—–]\s)`)

// maxFactLine is how long a line is that gives a fact.
const maxFactLine = 300

// labelledLines reads the fields of the first and last lines of a text that begin
// with the label of a fact; lines of code and boxes to tick give none.
func (r *reader) labelledLines(d *Document) []outline.Field {
	if r.format.shape != Markdown && r.format.shape != XML {
		return nil
	}
	c := outline.LineReader{Knows: func(label string) bool { return lineFacts[metadata.FieldOf(label)] }}
	code := scan.FencesOf(r.text[d.Span.Start:d.Span.End])
	first, last := r.lines.Line(d.Span.Start), r.lines.Line(max(d.Span.Start, d.Span.End-1))
	var out []outline.Field
	for n := first; n <= last; n++ {
		if n >= first+firstLines {
			n = max(n, last-lastLines+1)
		}
		at := r.linesSpan(n, n)
		line := strings.TrimRight(r.text[at.Start:at.End], "\n")
		if len(line) <= maxFactLine && beginsFact(line) && !code.Contains(at.Start-d.Span.Start) && !outline.Ruled(r.text[at.End:scan.LineEnd(r.text, at.End)]) {
			out = append(out, c.Fields(line, at.Start, r.lines)...)
		}
	}
	return out
}

// beginsFact reports whether a line begins with the label of a fact.
func beginsFact(line string) bool {
	rest := strings.TrimLeft(line[scan.MarkWidth(line):], "|*_ ")
	label := rest[:min(len(rest), scan.MaxBoldKey+8)]
	end := strings.IndexByte(label, ':')
	if end < 0 {
		end = strings.Index(label, "：")
	}
	if bar := strings.IndexByte(label, '|'); bar >= 0 && (end < 0 || bar < end) {
		end = bar
	}
	return end > 0 && label[0] != '[' && lineFacts[metadata.FieldOf(strings.TrimRight(label[:end], "*_` "))]
}

// trimFacts cuts the values of fields down to what they name: a branch has no
// blanks, a commit is a hash.
func (r *reader) trimFacts(d *Document) {
	if r.format.layout != nil {
		return // its specification says what a value is
	}
	for i := 0; i < len(d.Fields); i++ {
		f := d.Fields[i]
		switch f.Key {
		case "branch":
			d.Fields[i].Value = branchName(f.Value)
			if _, have := d.Field("commit"); !have {
				if hash, _ := hashIn(f.Value); hash != "" && strings.ContainsAny(f.Value, " @") {
					d.Fields = append(d.Fields, Field{"commit", f.Label, hash, f.Span})
				}
			}
		case "commit":
			if hash, _ := hashIn(f.Value); hash != "" {
				d.Fields[i].Value = hash
			}
		case "session":
			d.Fields[i].Value = sessionName(f.Value)
		case "to":
			if name, _, ok := strings.Cut(f.Value, " (for "); ok && name != "" {
				d.Fields[i].Value = name
			}
		default:
			continue
		}
		if d.Fields[i].Value != f.Value && d.Fields[i].Value != "" {
			d.Fields = append(d.Fields, Field{"meta." + f.Key, f.Label, f.Value, f.Span})
		}
	}
	d.Fields = slices.DeleteFunc(d.Fields, func(f Field) bool { return f.Key == "branch" && f.Value == "" })
}

// notBranches are words in the place of a branch's name.
var notBranches = scan.Set("none", "n/a", "na", "no", "not", "the", "detached", "unknown", "unborn", "-", "—", "tbd", "all", "see", "same", "new", "merged", "a", "this")

// branchName is the name of a branch that a value begins with, "" for none.
func branchName(v string) string {
	v = strings.TrimLeft(v, "*_ ")
	if inner, ok := strings.CutPrefix(v, "`"); ok {
		v, _, _ = strings.Cut(inner, "`")
	}
	v = strings.TrimLeft(v, "`'\"")
	if end := strings.IndexFunc(v, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`,;()|*→'\"<>", r) }); end >= 0 {
		v = v[:end]
	}
	v = strings.TrimRight(v, ".:@")
	if name, hash, ok := strings.Cut(v, "@"); ok && isHash(hash) {
		v = name
	}
	if notBranches[strings.ToLower(v)] || strings.Contains(v, "YYYY") || isHash(v) && strings.ContainsAny(v, "0123456789") {
		return ""
	}
	return v
}

// sessionName is the number or id a value begins with, where a title follows:
// "33 - MinIO", "#12 (evening)".
func sessionName(v string) string {
	word, rest, ok := strings.Cut(v, " ")
	if !ok || !strings.ContainsAny(word, "0123456789") || strings.HasSuffix(word, "...") {
		return v
	}
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "(") && !strings.Contains(word, "-") {
		return strings.Trim(word, "#:")
	}
	return v
}

// isHash reports whether a word can be that of a commit.
func isHash(s string) bool {
	if len(s) < 7 || len(s) > maxHash {
		return false
	}
	for i := range len(s) {
		if !scan.IsDigit(s[i]) && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

// hashIn is the first commit in a text, "" for none, and where it is. A word of
// letters alone, or a number, is none.
func hashIn(s string) (hash string, at int) {
	for from := 0; from < len(s); {
		if !scan.IsHex(s[from]) || from > 0 && isWordByte(s[from-1]) {
			from++
			continue
		}
		end := from
		for end < len(s) && scan.IsHex(s[end]) {
			end++
		}
		if word := s[from:end]; (end == len(s) || !isWordByte(s[end])) && isHash(word) && isMixed(word) {
			return word, from
		}
		from = end
	}
	return "", 0
}

func isWordByte(c byte) bool { return scan.IsAlnum(c) || c == '_' || c == '-' || c == '/' || c == '.' }

// isMixed reports whether a hash has digits and letters.
func isMixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "abcdef")
}

// addFound adds the field whose value is in the document's text at an offset.
func (r *reader) addFound(d *Document, name, value string, at int) {
	if value != "" {
		at += d.Span.Start
		d.Fields = append(d.Fields, Field{Key: name, Label: name, Value: value, Span: r.lines.Span(at, at+len(value))})
	}
}

// branchWords come before the name of a branch; notOwn before branchWords where
// it is not the branch that the work is on.
var (
	branchWords = []string{"branch", "Branch", "BRANCH", "브랜치", "ブランチ", "分支", "branche", "Branche"}
	notOwn      = []string{"new", "separate", "base", "target", "default", "from", "other", "parent", "merge", "protected", "per", "experimental"}
)

// branchSigns are in each line that names a branch.
var (
	branchSigns = []string{"ranch", "RANCH"}
	promptSigns = []string{"@ ", "브랜치", "ブランチ", "分支"}
)

// branchLines is how far into a text a sentence names the branch of the work.
const branchLines = 100

// findBranch is the branch a text says the work is on, and where it is. A
// line that has the word ("on branch `x`", "Branch: x", "| branch | `x` |") comes
// before one that says where commits are ("on local `master`", "pushed to main").
func findBranch(text string, sentences bool) (string, int) {
	if name, at := scanLines(text, branchSigns, branchNamed); name != "" {
		return name, at
	}
	start := text[:min(len(text), factsStart)]
	if name, at := scanLines(start, promptSigns, branchNamed); name != "" || !sentences {
		return name, at
	}
	return scanLines(start, placeWords, branchPlaced)
}

// scanLines is the first value that find finds in a line outside of code that has
// one of words, and where it is.
func scanLines(text string, words []string, find func(line string, n int) string) (string, int) {
	var code scan.Fences
	n, last, known := 1, 0, false
	for from := scan.IndexAnyOf(text, 0, words); from >= 0; {
		if !known {
			code, known = scan.FencesOf(text), true
		}
		start, end := scan.LineStart(text, from), scan.LineEnd(text, from)
		n += strings.Count(text[last:start], "\n")
		if last = start; !code.Contains(start) {
			if v := find(text[start:end], n); v != "" {
				return v, start + max(strings.Index(text[start:end], v), 0)
			}
		}
		from = scan.IndexAnyOf(text, end, words)
	}
	return "", 0
}

// branchNamed is the branch that line n of a text names with the word.
func branchNamed(line string, n int) string {
	if strings.HasPrefix(line, "#  ") {
		return "" // an example in a comment
	}
	if name := branchAt(line); n <= branchLines && name != "" {
		return name
	}
	if _, rest, ok := strings.Cut(line, "On branch "); ok && isBranch(branchName(rest)) {
		return branchName(rest)
	}
	for _, word := range branchWords {
		i := strings.Index(line, word)
		if i < 0 || !isOwnBranch(line[:i]) {
			continue
		}
		rest := strings.TrimLeft(line[i+len(word):], " *_|\t")
		colon := strings.IndexByte(rest[:min(len(rest), maxBranchLabel)], ':')
		if colon >= 0 && !strings.Contains(rest[:colon], "`") {
			rest = strings.TrimLeft(rest[colon+1:], " *_")
		}
		named := strings.HasPrefix(rest, "`") && (n <= branchLines || scan.MarkWidth(line) == i)
		if !named && (colon < 0 || !isLabel(line[:i]) || !looksLikeBranch(rest)) {
			continue
		}
		if name := branchName(rest); isBranch(name) && !strings.Contains(rest[:min(len(rest), len(name)+10)], "merged") {
			return name
		}
	}
	return ""
}

// isLabel reports whether what is before a word lets it begin a label: marks,
// words that change nothing, or what ends another field of the line.
func isLabel(before string) bool {
	before = before[scan.MarkWidth(before):]
	if i := strings.LastIndexAny(before, "|·("); i >= 0 {
		before = before[i+1:]
	}
	for word := range strings.FieldsSeq(before) {
		if word = strings.ToLower(scan.TrimMarks(word)); word != "" && !metadata.Modifiers[word] {
			return false
		}
	}
	return true
}

// maxBranchLabel is how far behind the word a colon ends a label: "Branch at
// handoff:".
const maxBranchLabel = 16

// placeWords come before the branch on which commits are.
var placeWords = []string{"on `", "on local `", "pushed to ", "push to "}

// ownWork are in a line that says where the commits of a session are.
var ownWork = []string{"ommits ", "unpushed", "UNPUSHED", "NOT pushed", "all pushed", "(pushed", "ahead of"}

// branchPlaced is the branch on which line n of a text says that commits are.
func branchPlaced(line string, n int) string {
	if n > branchLines || !scan.ContainsAny(line, ownWork) {
		return ""
	}
	for _, word := range placeWords {
		_, rest, ok := strings.Cut(line, word)
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(strings.TrimLeft(rest, "`*"), "origin/")
		if name := branchName(rest); trunks[name] || strings.HasPrefix(word, "on") && strings.Contains(name, "/") && !strings.Contains(name, ".") && isBranch(name) {
			return name
		}
	}
	return ""
}

// branchAt reads "feat/x @ 936d147", as prompts of shells have it.
func branchAt(line string) string {
	before, after, ok := strings.Cut(line, " @ ")
	if !ok {
		return ""
	}
	before = strings.TrimRight(before, "`*")
	name := before[strings.LastIndexAny(before, " \t(`*")+1:]
	if hash, _ := hashIn(after[:min(len(after), 14)]); hash == "" || !isBranch(name) {
		return ""
	}
	return name
}

// isOwnBranch reports whether what is before the word leaves it to mean the
// branch that the work is on.
func isOwnBranch(before string) bool {
	before = strings.TrimRight(before, " *_-")
	if before == "" {
		return true
	}
	return !slices.ContainsFunc(notOwn, func(w string) bool {
		return len(before) >= len(w) && strings.EqualFold(before[len(before)-len(w):], w)
	})
}

// looksLikeBranch reports whether text begins with a name that is a branch's
// even without quotes.
func looksLikeBranch(text string) bool {
	name := branchName(text)
	return trunks[name] || strings.Contains(name, "/")
}

var trunks = scan.Set("main", "master", "develop", "dev", "trunk", "staging")

// isBranch reports whether a name can be a branch's, which git's rules allow.
func isBranch(name string) bool {
	return len(name) > 1 && len(name) < 120 && !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "/") && !strings.Contains(name, "..") && !strings.ContainsAny(name, "~^:?*[\\{}$=") &&
		strings.ContainsFunc(name, unicode.IsLetter)
}

// startWords come, at the beginning of a text, before the hash of the commit that a
// work tree is at, and so does HEAD anywhere.
var startWords = []string{"@ ", "SHA", "sha:", "HEAD"}

// findCommit is the commit a text says its work ends with, and where it is:
// the one it calls HEAD or the last; else the last of the first list or sentence
// that names commits.
func findCommit(text string) (string, int) {
	if hash, at := commitBehind(text[:min(len(text), factsStart)], startWords); hash != "" {
		return hash, at
	}
	if hash, at := commitBehind(text, []string{"HEAD"}); hash != "" {
		return hash, at
	}
	first, found := "", 0
	for from, n := 0, 0; n < maxCommitWords; n++ {
		i := strings.Index(text[from:], "ommit")
		if i < 0 {
			break
		}
		from += i + len("ommit")
		start := scan.LineStart(text, from)
		if before := text[start:from]; strings.HasSuffix(before, "ast commit") || strings.HasSuffix(before, "atest commit") {
			if hash, at := hashBehind(text, from); hash != "" {
				return hash, at
			}
		}
		if first == "" {
			first, found = commitRun(text, start)
		}
	}
	return first, found
}

// maxCommitWords is how many times the word is followed, maxGap how far behind it
// the commit begins, maxHash how long that is.
const (
	maxCommitWords = 100
	maxGap         = 33
	maxHash        = 40
)

// hashBehind is the commit that begins at most maxGap behind an offset, on the same
// line, and its offset.
func hashBehind(text string, from int) (string, int) {
	near, _, _ := strings.Cut(text[from:min(len(text), from+maxGap+maxHash+1)], "\n")
	if hash, at := hashIn(near); hash != "" && at <= maxGap {
		return hash, from + at
	}
	return "", 0
}

// commitBehind is the first commit that is behind one of some words.
func commitBehind(text string, words []string) (string, int) {
	best, found := "", len(text)
	for _, word := range words {
		for from := 0; from < found; {
			i := strings.Index(text[from:found], word)
			if i < 0 {
				break
			}
			from += i + len(word)
			if hash, at := hashBehind(text, from); hash != "" {
				best, found = hash, at
			}
		}
	}
	return best, found
}

// commitRun is the last commit of the line that starts at an offset and of those
// that follow it at once; or, below a heading, of the first lines that have any.
func commitRun(text string, start int) (string, int) {
	hash, found := "", 0
	heading := strings.HasPrefix(text[start:], "#")
	for at := start; at < len(text); {
		end := scan.LineEnd(text, at)
		line := text[at:end]
		if at > start && strings.HasPrefix(line, "#") {
			break
		}
		switch h, i := lastHash(line); {
		case h != "":
			hash, found = h, at+i
		case hash != "" && strings.Trim(line, "|-: \n") != "", hash == "" && !heading:
			return hash, found
		}
		at = end
	}
	return hash, found
}

// lastHash is the last commit in a line, and where it is.
func lastHash(line string) (string, int) {
	last, at := "", 0
	for from := 0; from < len(line); {
		hash, i := hashIn(line[from:])
		if hash == "" {
			break
		}
		last, at, from = hash, from+i, from+i+len(hash)
	}
	return last, at
}

var (
	sessionInTitle = scan.Pattern(`(?i)^(?:\W*)(?:session|sess\.?|sitzung|sessão|sesión|세션)\s*#?\s*([0-9]{1,4}[a-z]?)(?:[^0-9A-Za-z-]|$)`)
	sessionInName  = scan.Pattern(`(?i)(?:^|[-_ ])session[-_ ]?([0-9]{1,4})(?:[-_. ]|$)`)
)

// sessionNumber takes the number of the session from the title or the file's
// name.
func (r *reader) sessionNumber(d *Document) {
	if m := sessionInTitle().FindStringSubmatch(r.heading); m != nil {
		d.Fields = append(d.Fields, Field{Key: "session", Label: "session", Value: m[1], Span: r.titleSpan(d, m[1])})
		return
	}
	if d.Key != "" {
		return
	}
	name := r.src.Path[strings.LastIndexByte(r.src.Path, '/')+1:]
	if m := sessionInName().FindStringSubmatch(name); m != nil {
		d.Fields = append(d.Fields, Field{Key: "session", Label: "session", Value: m[1]})
	}
}
