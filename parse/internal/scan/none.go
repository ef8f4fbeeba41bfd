package scan

import "strings"

var (
	nothingWord = Pattern(`^(?i:none|n/?a|nothing|nil|null|no|empty|aucun|aucune|rien|néant|nenhum|nenhuma|nada|` +
		`ninguno|ninguna|keine|keiner|无|無|没有|暂无|なし|特になし|없음|false|0|-+|—+|–+|∅|\.{3}|…|\{\{\w*\}\})$`)
	nothingLead = Pattern(`^(?i:(?:none|n/a|nothing|aucun|aucune|nenhum|nenhuma|keine|ninguno|ninguna|no (?:known |` +
		`open |active |current |hard |major |critical |technical |new )*(?:blockers?|blocking issues?|issues?|questions?|` +
		`risks?|open questions?)))(?:\s*[.,;:!()—–-]|\s+(?:expected|planned|known|new|at|currently|right|remaining|for|` +
		`from|(?:is |are )?block(?:ed|ing)|identified|active|open|yet|now|this|today|so|that|encountered|outstanding|` +
		`pending|needed|required|found|à|en|de|pour|no|neste|bloqueurs?|blocages?|points? bloquants?|problèmes?|risques?|` +
		`bloqueios?|pendências?|blocker)\b|\s*$)`)
)

// SaysNone reports whether text means that there is nothing: "None", "Blockers: none".
func SaysNone(text string) bool {
	if IsNone(text) {
		return true
	}
	_, value, ok := KeyValue(text)
	return ok && IsNone(value)
}

// IsNone reports whether text under a heading such as Blockers means that
// there are none.
func IsNone(body string) bool {
	s := strings.TrimLeft(strings.TrimSpace(body), "-*+•>_ \t"+noMatter)
	if word := FirstWord(s); word != "" && !nothings[word] {
		return false // most texts: to try the patterns takes longer than all else
	}
	first, rest, _ := strings.Cut(strings.Trim(Plain(s), "*_[]() \t"), "\n")
	first = strings.TrimRight(first, ".!。 \t"+noMatter)
	for line := range strings.SplitSeq(rest, "\n") {
		if _, isItem := ItemText(line); isItem {
			return false
		}
	}
	return first == "" || nothingWord().MatchString(first) || nothingLead().MatchString(first)
}

// nothings are the words that the patterns begin with.
var nothings = Set(`none n na nothing nil null no empty false aucun aucune rien néant nenhum nenhuma nada ninguno
	ninguna keine keiner 無 无 没有 暂无 なし 特になし 없음`)

// noMatter are the signs people put beside "none".
const noMatter = "✅✓☑🟢👍\ufe0f"
