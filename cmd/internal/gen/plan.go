package gen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"time"
)

// kind is the way a handoff is written.
type kind int

const (
	classic kind = iota
	fond
	bold
	frontmatter
	sessionList
	flow
	company
	act
)

// shares are how the kinds are mixed. The five of Markdown make 70 %.
var shares = [...]float64{
	classic: 0.175, fond: 0.175, bold: 0.14, frontmatter: 0.105, sessionList: 0.105,
	flow: 0.10, company: 0.05, act: 0.15,
}

const (
	handoffsPerProject = 100
	medianSize         = 4217
	sizeSpread         = 0.65 // sigma of the log-normal: p10 1.8 KB, p90 9.5 KB
	minSize            = 500
	maxSize            = 31_000
)

// firstDay begins the year the handoffs are spread over.
var firstDay = time.Date(2025, time.March, 1, 0, 0, 0, 0, time.UTC)

// handoff is what is decided of a handoff before its text is written.
type handoff struct {
	kind    kind
	project string
	path    string // of the file, relative to the tree
	at      time.Time
	size    int // bytes its text aims at
	phrases []string
	session string
	rng     *rand.Rand
}

// planner decides where handoffs lie and what they hold, one after the other:
// a project has only one state file and each manifest a folder of its own.
type planner struct {
	seed     uint64
	total    int
	projects []string
	ends     []float64 // cumulative shares of the projects
	hasFlow  map[string]bool
}

func newPlanner(n int, seed uint64) *planner {
	p := &planner{seed: seed, total: n, hasFlow: map[string]bool{}}
	rng := rand.New(rand.NewPCG(seed, 0x70726f6a))
	var sum float64
	for i := range max(1, n/handoffsPerProject) {
		p.projects = append(p.projects, fmt.Sprintf("%s-%s-%d", stem(rng), stem(rng), i))
		sum += 1 / float64(i+10)
		p.ends = append(p.ends, sum)
	}
	return p
}

// next plans the i-th handoff; it is called with i counting up from 0.
func (p *planner) next(i int) handoff {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)+1))
	h := handoff{rng: rng, kind: p.kind(i), project: p.project(rng)}
	year := 365 * 24 * float64(time.Hour)
	h.at = firstDay.Add(time.Duration(p.spread(i, 2) * year)).Truncate(time.Second)
	h.size = size(p.spread(i, 3))
	h.session = fmt.Sprintf("%08x-%04x-4%03x-9%03x-%012x", rng.Uint32(), rng.IntN(1<<16), rng.IntN(1<<12), rng.IntN(1<<12), rng.Uint64()>>16)
	h.phrases = p.phrases(i, h.kind)
	h.path = p.path(i, h)
	return h
}

// spread is a number in [0, 1) that is even over any run of i and differs
// from purpose to purpose, so that shares hold in small trees too.
func (p *planner) spread(i, purpose int) float64 {
	roots := [...]float64{2, 3, 5, 7, 11, 13, 17, 19, 23}
	_, f := math.Modf(float64(i)*math.Sqrt(roots[purpose]) + float64(p.seed%1000)/1000)
	return f
}

func (p *planner) kind(i int) kind {
	left := p.spread(i, 0)
	for k, share := range shares {
		if left -= share; left < 0 {
			return kind(k)
		}
	}
	return act
}

func (p *planner) project(rng *rand.Rand) string {
	at := rng.Float64() * p.ends[len(p.ends)-1]
	for i, end := range p.ends {
		if at < end {
			return p.projects[i]
		}
	}
	return p.projects[0]
}

func size(quantile float64) int {
	z := math.Sqrt2 * math.Erfinv(2*quantile-1)
	return int(min(maxSize, max(minSize, medianSize*math.Exp(sizeSpread*z))))
}

// phrases are the words with a known share that handoff i holds. A heading of
// sessionList has the common word anyway, so the others have it less often.
func (p *planner) phrases(i int, k kind) []string {
	rest := (ShareCommon - shares[sessionList]) / (1 - shares[sessionList])
	pair := p.spread(i, 5)
	var out []string
	for _, c := range []struct {
		holds  bool
		phrase string
	}{
		{(i+1)%10_000 == 0, "zqrare"},
		{(i+1)%100 == 0, "qmedium"},
		{k != sessionList && p.spread(i, 4) < rest, "session"},
		{pair < SharePair+0.06, "migration"},
		{pair < SharePair || pair > 0.96, "rollback"},
		{p.spread(i, 6) < SharePhrase, "token expiry"},
		// Only the manifest is a handoff file, so its prose stays without.
		{k != company && (i+50)%100 == 0, "HUMAN REVIEW NEEDED"},
	} {
		if c.holds {
			out = append(out, c.phrase)
		}
	}
	return out
}

// path gives a handoff the name its format's writers would.
func (p *planner) path(i int, h handoff) string {
	day, minute := h.at.Format("2006-01-02"), h.at.Format("1504")
	switch h.kind {
	case classic, fond:
		return path.Join(h.project, ".bon/handoffs", fmt.Sprintf("%s-%s-%s.md", day, minute, h.session[:8]))
	case sessionList:
		return path.Join(h.project, ".claude/handoffs", fmt.Sprintf("%s-%s-%s.md", day, h.at.Format("150405"), h.session[:8]))
	case act:
		return path.Join(h.project, ".act/handoffs", fmt.Sprintf("%s-%s-%d.xml", day, minute, i))
	case company:
		return path.Join(h.project, fmt.Sprintf("unit-%d", i), "meta/handoff.yaml")
	case flow:
		if !p.hasFlow[h.project] {
			p.hasFlow[h.project] = true
			return path.Join(h.project, ".flow-guardian/handoff.yaml")
		}
		return path.Join(h.project, "docs/handoffs", fmt.Sprintf("%s_%s_%d.yaml", day, h.at.Format("15-04"), i))
	default:
		return path.Join(h.project, "docs/handoffs", fmt.Sprintf("%s-%d.md", day, i))
	}
}
