package topic

import (
	"strings"

	"github.com/OWNER/handex/parse/internal/paths"
	"github.com/OWNER/handex/parse/internal/scan"
)

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

// bodyPoints returns the points that a section's text gives to each kind, by what its lines
// look like: boxes, verbs, paths, questions, commands.
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

// shapeOf counts what the lines at the beginning of a body look like.
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

// sentence counts the words of a line that are about work that was done.
func (s *bodyShape) sentence(line string) {
	scan.EachWord(line, func(word string) bool {
		if doneWork[strings.ToLower(word)] {
			s.work++
		}
		return true
	})
}

// doneWork are the words of a summary of work that was done.
var doneWork = scan.Set(`completed implemented shipped merged fixed built landed delivered finished migrated
	refactored deployed released wrote rewrote resurrected closed`)

// item counts what one list item looks like.
func (s *bodyShape) item(text string) {
	s.items++
	it := ReadItem(Other, text, 0)
	switch {
	case it.IsTicked():
		s.ticked++
	case it.Checked != nil, it.Mark == "☐":
		s.open++
	}
	words := strings.TrimLeft(it.Text, "*_` ")
	switch verb := scan.FirstWord(words); {
	case len(verb) > 4 && strings.HasSuffix(verb, "ed") && !notPast[verb], irregularPast[verb]:
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

// The verbs that begin items of work that was done, beside those in "ed", and of work
// that is to be done.
var (
	notPast = scan.Set(`need needed blocked required proposed suggested recommended unresolved untested deferred
		expected planned limited feed speed embed seed based related unverified unused failed indeed hundred`)
	irregularPast = scan.Set(`built wrote made ran found got new done shipped rewrote split went ajouté créé corrigé
		corregido añadido adicionado criado hinzugefügt`)
	imperatives = scan.Set(`add fix run write implement create update test verify check review merge push deploy
		remove refactor investigate decide start continue finish complete resume read build make move ship open
		close ask confirm consider document install set configure enable migrate wire port extend clean rebase
		commit tag release publish land pick do use monitor validate address resolve replace design plan draft
		define audit measure apply execute launch integrate split rename delete bump expand improve get re-run rerun
		ajouter corriger tester créer vérifier implémenter adicionar corrigir testar criar verificar`)
)

// commandWords begin the lines of shells that handoffs have in fences.
var commandWords = scan.Set(`cd git npm npx pnpm yarn go cargo python python3 pip pytest uv make docker kubectl curl
	ssh cat ls bash sh export source node bun gh just poetry mvn gradle rake bundle terraform ansible
	ansible-playbook systemctl sudo cp mv mkdir rm grep rg sqlite3 psql dotnet swift xcodebuild flutter wrangler
	vercel claude codex echo head tail ruff mypy tsx deno cmake ctest scp rsync powershell pwsh supabase`)

// isCommand reports whether a line of code begins like a command of a shell.
func isCommand(line string) bool {
	line = strings.TrimLeft(line, "$>% ")
	if strings.HasPrefix(line, "./") || strings.HasPrefix(line, "/") && !strings.HasPrefix(line, "//") {
		return true
	}
	word, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	return commandWords[word]
}
