package outline

import (
	"fmt"
	"strings"

	"github.com/OWNER/handex/parse/internal/scan"
	"github.com/OWNER/handex/parse/internal/source"
)

// A fenceLine opens or closes a block of code.
type fenceLine struct {
	start int
	// opens is 1 for a line that looks as if it opens a block, -1 for one that looks as
	// if it closes one, 0 for neither. A line that names a language counts more.
	opens int
	// inner is where a fence line in the block names a language, 0 for none.
	inner int
}

// unclosedFence returns the problem of a text from one offset on in which the fence at
// another is never closed. The fault may be earlier: a line without a partner makes each
// after it change its meaning, and so does a block that contains another.
func unclosedFence(src string, from, fence int, lines source.Lines) source.Problem {
	at, message := fence, "the code fence is never closed"
	list := fenceLines(src, from, fence)
	if i := partnerless(list); i < len(list)-1 {
		at, message = list[i].start, fmt.Sprintf("the code fence is unpaired: the one on line %d is never closed",
			lines.Line(fence))
	}
	for _, f := range list {
		if f.inner > 0 {
			at, message = f.start, fmt.Sprintf("the code fence is never closed: line %d opens another inside it",
				lines.Line(f.inner))
		}
	}
	return source.NewProblem("markdown.unclosed-fence", lines.Content(src, lines.Line(at)), "%s", message)
}

// fenceLines lists the lines from one offset to another that open and close blocks in turn.
func fenceLines(src string, from, last int) []fenceLine {
	var list []fenceLine
	var code scan.Fence
	before := ""
	for at := from; at <= last; at = scan.LineEnd(src, at) {
		line := strings.TrimSpace(src[at:scan.LineEnd(src, at)])
		after := strings.TrimSpace(src[scan.LineEnd(src, at):scan.LineEnd(src, scan.LineEnd(src, at))])
		language := strings.Trim(line, "`~") != ""
		switch was := code; {
		case language && was != "" && code.Toggles(src[at:]):
			code = was // such a line closes nothing
			list[len(list)-1].inner = at
		case code.Toggles(src[at:]):
			f := fenceLine{start: at}
			switch {
			case language:
				f.opens = 3
			case before == "" && after != "":
				f.opens = 1
			case before != "" && after == "":
				f.opens = -1
			}
			list = append(list, f)
		}
		before = line
	}
	return list
}

// partnerless returns the line that most likely has no partner: without it, the other
// lines look most as if they open and close in turn.
func partnerless(list []fenceLine) int {
	score := 0 // of the lines before, less that of those from here on with the opposite meaning
	best, at := -len(list)*4, len(list)-1
	turn := func(i int) int { return list[i].opens * (1 - 2*(i%2)) }
	for i := range list {
		score -= turn(i)
	}
	for i := range list {
		score += turn(i) // drop it from those behind
		if score >= best {
			best, at = score, i
		}
		score += turn(i)
	}
	return at
}
