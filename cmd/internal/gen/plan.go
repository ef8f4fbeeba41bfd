package gen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"time"
)

// kinds are the ways a handoff is written, with their shares. Each has a template of
// its name. The five of Markdown make 70 %.
var kinds = []struct {
	name  string
	share float64
}{
	{"classic", 0.175},
	{"fond", 0.175},
	{"bold", 0.14},
	{"frontmatter", 0.105},
	{"sessionList", shareSessionList},
	{"flow", 0.10},
	{"manifest", 0.05},
	{"act", 0.15},
}

const shareSessionList = 0.105

const (
	handoffsPerProject = 100
	medianSize         = 4217
	sizeSpread         = 0.65 // sigma of the log-normal: p10 1.8 KB, p90 9.5 KB
	minSize            = 500
	maxSize            = 31_000
)

// firstDay begins the year the handoffs are spread over.
var firstDay = time.Date(2025, time.March, 1, 0, 0, 0, 0, time.UTC)

// handoff is what is decided about a handoff before its text is written.
type handoff struct {
	kind    string
	Project string
	path    string // of the file, relative to the tree
	At      time.Time
	size    int // bytes its text aims at
	phrases []string
	Session string
	rng     *rand.Rand
}

// planner decides the paths and contents of handoffs, one after the other. A project has
// only one state file, and each manifest has its own folder.
type planner struct {
	seed     uint64
	total    int
	projects []string
	ends     []float64 // cumulative shares of the projects
	hasFlow  map[string]bool
}

// newPlanner returns a planner for n handoffs.
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

// next returns the plan of handoff i. It must be called with i counting up from 0.
func (p *planner) next(i int) handoff {
	rng := rand.New(rand.NewPCG(p.seed, uint64(i)+1))
	h := handoff{rng: rng, kind: p.kind(i), Project: p.project(rng)}
	year := 365 * 24 * float64(time.Hour)
	h.At = firstDay.Add(time.Duration(p.spread(i, 2) * year)).Truncate(time.Second)
	h.size = size(p.spread(i, 3))
	h.Session = fmt.Sprintf("%08x-%04x-4%03x-9%03x-%012x", rng.Uint32(), rng.IntN(1<<16), rng.IntN(1<<12), rng.IntN(1<<12),
		rng.Uint64()>>16)
	h.phrases = p.phrases(i, h.kind)
	h.path = p.path(i, h)
	return h
}

// spread returns a number in [0, 1) for handoff i. The numbers of consecutive handoffs are
// evenly distributed, so that shares are right in small trees, too; each purpose has its
// own sequence.
func (p *planner) spread(i, purpose int) float64 {
	roots := [...]float64{2, 3, 5, 7, 11, 13, 17, 19, 23}
	_, f := math.Modf(float64(i)*math.Sqrt(roots[purpose]) + float64(p.seed%1000)/1000)
	return f
}

// kind returns the kind in which handoff i is written.
func (p *planner) kind(i int) string {
	left := p.spread(i, 0)
	for _, k := range kinds {
		if left -= k.share; left < 0 {
			return k.name
		}
	}
	return kinds[len(kinds)-1].name
}

// project returns the name of a random project; some are drawn more often than others.
func (p *planner) project(rng *rand.Rand) string {
	at := rng.Float64() * p.ends[len(p.ends)-1]
	for i, end := range p.ends {
		if at < end {
			return p.projects[i]
		}
	}
	return p.projects[0]
}

// size returns the size in bytes at a quantile of the distribution of file sizes.
func size(quantile float64) int {
	z := math.Sqrt2 * math.Erfinv(2*quantile-1)
	return int(min(maxSize, max(minSize, medianSize*math.Exp(sizeSpread*z))))
}

// phrases returns the words with a known share that handoff i contains. Every sessionList
// has the common word in a heading, so the other kinds have it less often.
func (p *planner) phrases(i int, kind string) []string {
	const rest = (ShareCommon - shareSessionList) / (1 - shareSessionList)
	pair := p.spread(i, 5)
	var out []string
	for _, c := range []struct {
		holds  bool
		phrase string
	}{
		{(i+1)%10_000 == 0, "zqrare"},
		{(i+1)%100 == 0, "qmedium"},
		{kind != "sessionList" && p.spread(i, 4) < rest, "session"},
		{pair < SharePair+0.06, "migration"},
		{pair < SharePair || pair > 0.96, "rollback"},
		{p.spread(i, 6) < SharePhrase, "token expiry"},
		// Only the manifest is a handoff file, so its prose stays without.
		{kind != "manifest" && (i+50)%100 == 0, "HUMAN REVIEW NEEDED"},
	} {
		if c.holds {
			out = append(out, c.phrase)
		}
	}
	return out
}

// path returns the path of handoff i, relative to the tree, named as programs that write
// its format do.
func (p *planner) path(i int, h handoff) string {
	session := h.Session[:8]
	name := func(folder, layout, rest string) string {
		return path.Join(h.Project, folder, h.At.Format(layout)+rest)
	}
	switch h.kind {
	case "classic", "fond":
		return name(".bon/handoffs", "2006-01-02-1504-", session+".md")
	case "sessionList":
		return name(".claude/handoffs", "2006-01-02-150405-", session+".md")
	case "act":
		return name(".act/handoffs", "2006-01-02-1504-", fmt.Sprintf("%d.xml", i))
	case "manifest":
		return path.Join(h.Project, fmt.Sprintf("unit-%d", i), "meta/handoff.yaml")
	case "flow":
		if !p.hasFlow[h.Project] {
			p.hasFlow[h.Project] = true
			return path.Join(h.Project, ".flow-guardian/handoff.yaml")
		}
		return name("docs/handoffs", "2006-01-02_15-04_", fmt.Sprintf("%d.yaml", i))
	default:
		return name("docs/handoffs", "2006-01-02-", fmt.Sprintf("%d.md", i))
	}
}
