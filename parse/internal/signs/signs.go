// Package signs finds by the words of a line whether work is blocked, and whether a
// person is asked for something.
package signs

import (
	"strings"
	"unicode"

	"github.com/OWNER/handex/parse/internal/scan"
)

// The words of the signs.
var (
	toBe = scan.Set(`is are be remains remain still currently now hard fully partially externally stays stay work
		progress task merge deploy deployment step phase`)
	adverbs   = scan.Set("still currently now hard fully partially externally")
	blockedOn = scan.Set("on by behind until pending waiting awaiting here because due from : ： — –")
	labelEnds = scan.Set(": ： | — – is are remains remain update")
	mainWords = scan.Set(`current main top only active primary key real biggest sole remaining one open critical
		external hard secondary`)
	denials = scan.Set(`not no non never nothing none un zero 0 without isn't aren't wasn't doesn't don't didn't
		neither nor was were been previously formerly got if unless whenever would could may might can avoid prevent
		prevents should longer skip removed once had`)
	deniesAct = scan.Set(`not no never nothing none zero without doesn't don't didn't isn't aren't neither nor
		removed skip if would could longer`)
	settled = scan.Set(`none no n nothing resolved cleared closed fixed false nil null 0 lifted satisfied landed
		done gone unblocked keine aucun [`)
	actors = scan.Set(`user users user's user’s owner owner's operator operator's human human's maintainer
		stakeholder client client's founder mod moderator customer`)
	needWords = scan.Set(`need needs needed require requires requiring await awaits awaiting pending waiting waits
		wait dependency depends subject needing`)
	actWords = scan.Set(`input decision decisions decide decides approval approve approves approved confirm confirms
		confirmation review action actions sign signoff verify verifies verification provide provides test tests
		testing preference preferences voice choice ahead ok okay intervention answer answers response feedback
		direction call acceptance ratification ratify validation uat reaction reacts clicks authorization permission
		credentials login auth step steps task tasks gate`)
	actNouns = scan.Set(`action actions decision decisions approval input review signoff confirmation verification
		validation step steps task tasks uat intervention ratification acceptance gate`)
	approvals = scan.Set("decision approval signoff ratification permission clarification")
	duties    = scan.Set("must should needs has have will to reacts provides still")
	dutyVerbs = scan.Set(`need needs decide approve confirm review provide verify choose test sign run pick supply
		create rotate set manually delete do answer react add enable grant be to re restart log check click execute
		install configure reopen say authorize merge push`)
	conditions = scan.Set("until once after when unless")
	reactions  = scan.Set(`react reacts confirms confirm approves approve decides decide verifies verify reviews
		review tests signs provides says chooses answers responds ratifies has is reopens merges`)
	needed = scan.Set("required needed pending outstanding remain remains awaiting await missing")
)

// saysBlocked reports whether word i says that something stops the work now.
func (p phrase) saysBlocked(i int) bool {
	before, next := p.at(i-1), p.at(i+1)
	switch p[i] {
	case "blocked":
		return (p.before(i, 1, toBe) && (!adverbs[before] || p.ends(i+1)) || blockedOn[next] || p.alone(i) ||
			before == "[" && next == "]" || before == ":" && (i < 4 || p.at(i-2) == "status")) &&
			!p.denied(i, denials) && !p.settledAfter(i)
	case "blocker", "blockers":
		return mainWords[before] && !p.denied(i-1, denials) && !p.before(i, 4, settled) && labelEnds[next] &&
			!p.settledAfter(i)
	case "blocks", "blocking":
		return next == ":" && p.at(i+2) == "true" || next == "deployment" && p.at(i+3) == "true"
	case "await", "awaits", "awaiting":
		isCode := p[i] == "await" && (before == "=" || p.at(i+2) == "(" || p.at(i+2) == ".")
		return !p.ends(i+1) && next != "next" && !isCode && !p.denied(i, denials)
	case "waiting":
		return (next == "on" || next == "for") && !p.ends(i+2) && !p.denied(i, denials)
	case "hold":
		return (before == "on" && p.ends(i+1) || p.alone(i) || before == ":") && !p.denied(i-1, denials)
	case "stuck":
		return (next == "on" || next == "at" || next == "behind" || next == "until") && !p.denied(i, denials)
	case "proceed":
		return (before == "cannot" || before == "can't") && (next == "until" || next == "without" || next == "before")
	case "nothing":
		return next == "until" && (i == 0 || before == ".") && i < 4
	case "gated":
		return blockedOn[next] && toBe[before] && !p.denied(i, denials)
	}
	return false
}

// isPossible begin a line about what may happen.
var isPossible = scan.Set("if when whenever unless falls wenn si se")

// namesPossibility reports whether the phrase is about what may happen.
func (p phrase) namesPossibility() bool {
	return isPossible[p.at(0)] || isPossible[p.at(1)] && !unicode.IsLetter([]rune(p.at(0) + " ")[0])
}

// saysWaiting reports whether word i, with those beside it, asks a person for something.
func (p phrase) saysWaiting(i int) bool {
	before, next := p.at(i-1), p.at(i+1)
	switch w := p[i]; {
	case actors[w]:
		return p.asksActor(i)
	case w == "your":
		return p.before(i, 3, needWords) && p.after(i, 3, actWords) && !p.denied(i, deniesAct) || next == "call" &&
			p.ends(i+2)
	case approvals[w], w == "off" && before == "sign", w == "ahead" && before == "go", w == "input":
		return p.asksApproval(i, w)
	case w == "action" || w == "actions":
		return (next == "required" || next == "needed") && !p.denied(i, deniesAct) && p.ends(i+2)
	case w == "manual" || w == "manually":
		return p.before(i, 2, needWords) && p.after(i, 2, actWords) && !p.denied(i, deniesAct)
	case (w == "ok" || w == "hands") && strings.HasSuffix(before, "'s"):
		return p.before(i, 4, needWords) || w == "hands" && p.at(i-2) == "("
	}
	return p[i] == "@" && next == "human" || (p[i] == "valider" || p[i] == "décider") && before == "à"
}

// asksActor reports whether the person that word i names is asked for something.
func (p phrase) asksActor(i int) bool {
	if p.denied(i, deniesAct) || p.at(i-1) == "per" || p.at(i-2) == "per" {
		return false
	}
	next := p.at(i + 1)
	switch {
	case p.before(i, 4, needWords) && (p.ends(i+1) || p.after(i, 8, actWords)):
		return true
	case p.at(i) == "human" && p.at(i-1) == "a" && p.before(i-1, 3, needWords):
		return true
	case p.at(i-1) == ":" && p.at(i-2) == "owner", p.at(i-1) == "ask", p.at(i-1) == "the" && p.at(i-2) == "ask":
		return true
	case duties[next] && (dutyVerbs[p.at(i+2)] || next == "reacts") || next == "has" && p.at(i+2) == "not" &&
		p.after(i, 5, actWords):
		return true
	case actNouns[next] && (p.after(i+1, 4, needed) || p.at(i+2) == "" || p.at(i+2) == ":" && p.at(i+3) != "none"):
		return true
	case next == "next" && p.ends(i+2):
		return true
	}
	before := i - 1
	if p.at(before) == "the" {
		before--
	}
	return conditions[p.at(before)] && reactions[next]
}

// rulesOf begin what a program does, or is to do.
var rulesOf = scan.Set("should must would always per")

// asksApproval reports whether a person is asked for the decision or approval that word i
// names; w is this word.
func (p phrase) asksApproval(i int, w string) bool {
	if p.denied(i, deniesAct) || p.before(i, 3, rulesOf) {
		return false
	}
	next := p.at(i + 1)
	if w == "input" {
		return needed[next] || p.at(i-1) == "needs"
	}
	return p.before(i, 3, needWords) && !p.settledAfter(i) || needed[next] || w != "decision" && next == "from" &&
		!p.before(i, 3, settled)
}

// easternBlocked and easternWaiting are the signs in scripts without blanks, found
// anywhere in a line; easternDenied cancels them.
var (
	easternBlocked = scan.Phrases("阻塞|卡在|正在等待|等待中|等待外部|等待上游|等待用户|대기 중|대기중|待ち|できていない|заблокирован|ожидает")
	easternWaiting = scan.Phrases(`사용자 직접|사용자가 직접|사용자 확인|사용자 결정|사용자 승인|사용자 통지|사용자 검토|사용자 입력|사용자 판단|결정 대기|ユーザーに|ユーザに|
		ユーザーの判断|ユーザーの確認|ユーザーの承認|要確認|判断待ち|承認待ち|確認待ち|需要用户|需要你|需要人工|等待用户|待用户|请用户|用户确认|用户决定|用户提供|用户批准|人工确认|人工审核|人工操作|
		ждёт решения|нужно решение`)
	easternDenied = scan.Phrases("非阻塞|可能阻塞|无阻塞|无硬阻塞|没有阻塞|不阻塞|不需要|无需|不要|없|無し|なし|不可|完了")
)

// latinBlocked and latinWaiting are words of other languages by the words that
// follow them; "" is any.
var (
	latinBlocked = map[string]string{
		"bloqué": "par sur en", "bloquée": "par sur en", "bloqueado": "por en até", "bloqueada": "por en até",
		"blockiert": "durch von bis", "blockeras": "av", "blockerad": "av", "bloccato": "da su", "bloccata": "da su",
		"aguardando": "", "wartet": "auf", "warten": "auf", "attesa": "di", "attente": "de d' d’ du", "väntar": "på",
	}
	latinWaiting = map[string]string{
		"validation": "par", "valider": "par", "manuels": "requis", "precisa": "de", "kräver": "beslut godkännande",
		"freigabe": "durch von nötig erforderlich ausstehend", "approvare": "",
		"entscheidung": "durch von nötig erforderlich ausstehend",
	}
)

// hasLatin reports whether the phrase contains a sign that nothing denies: a word of signs,
// followed by one of the words that signs has for it.
func (p phrase) hasLatin(signs map[string]string) bool {
	return p.some(func(i int) bool {
		next, ok := signs[p[i]]
		return ok && (next == "" || scan.Set(next)[p.at(i+1)]) && !p.denied(i, deniesAct)
	})
}

// hasEastern reports whether a line contains one of signs, and nothing in it that cancels
// them.
func hasEastern(line string, signs []string) bool {
	return scan.ContainsAny(line, signs) && !scan.ContainsAny(line, easternDenied)
}

// A Reader reads the signs of lines, one after the other.
type Reader struct{ words phrase }

// Read reports whether a line says that something stops the work now, and whether
// it asks a person for something. A line that is struck through or ticked says
// nothing of now. Only a line with a trigger has signs.
func (r *Reader) Read(line string) (blocked, waiting bool) {
	r.words = appendPhrase(r.words[:0], line)
	eastern := scan.IsEastern(line)
	p := r.words
	blocked = p.some(p.saysBlocked) || p.hasLatin(latinBlocked) || eastern && hasEastern(line, easternBlocked)
	waiting = !p.namesPossibility() && p.some(p.saysWaiting) || p.hasLatin(latinWaiting) ||
		eastern && hasEastern(line, easternWaiting)
	if (blocked || waiting) && (isStruck(line) || p.some(p.isDoneStatus)) {
		return false, false
	}
	return blocked, waiting
}
