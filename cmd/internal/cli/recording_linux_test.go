package cli_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const (
	recordingFile    = "../../../docs/images/session.svg"
	recordingColumns = 100
)

// recorded are the commands of the picture in the README.
var recorded = []string{
	"handex search --root examples open escalations",
	"handex search --root examples gotchas:invoice",
	"handex brief --root examples examples/pipeline --budget 1000",
	"handex search --root examples projct:webshop is:open",
}

// TestRecording runs the commands on a terminal and compares what it shows with
// the picture in the README; with -update it draws the picture.
func TestRecording(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(exampleTree(t))
	env := append(cleanEnv(t), "HANDEX_NOW=2026-02-13T12:00:00Z", "HANDEX_PAGER=cat", "TERM=xterm",
		fmt.Sprintf("COLUMNS=%d", recordingColumns))
	// Trusted, the examples are like the handoffs of one's own projects.
	tree := filepath.Join(dir, "examples")
	for _, args := range [][]string{{"trust", tree}, {"index", "--root", tree}} {
		if got := runHandex(t, env, "", args...); got.status != 0 {
			t.Fatal(got.stderr)
		}
	}
	var screen strings.Builder
	for _, command := range recorded {
		fmt.Fprintf(&screen, "\x1b[1m$ %s\x1b[0m\n", command)
		flags := " --color always"
		if strings.Contains(command, " brief ") {
			flags += " --timeout 1m" // a busy machine may need longer than a session waits
		}
		k := startTerminal(t, env, "/bin/sh", "-c", `cd "$0" && exec `+command+flags, dir)
		for text := range k.seen {
			screen.WriteString(strings.ReplaceAll(text, "\r", ""))
		}
		screen.WriteString("\n")
	}
	got := drawTerminal(fixedIDs(strings.TrimSpace(screen.String())))
	if *update {
		if err := os.WriteFile(recordingFile, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(recordingFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-file +handex); -update draws it:\n%s", recordingFile, diff)
	}
}

var madeOfPaths = regexp.MustCompile(`h_[0-9a-f]{6,12}|handex [0-9a-f]{6}>`)

// fixedIDs replaces ids, and the mark of a briefing, by others of the same form:
// they are made of the folder's path.
func fixedIDs(text string) string {
	seen := map[string]int{}
	return madeOfPaths.ReplaceAllStringFunc(text, func(id string) string {
		if strings.HasPrefix(id, "handex ") {
			return "handex 5b0c1e>"
		}
		if seen[id[:8]] == 0 {
			seen[id[:8]] = len(seen) + 1
		}
		// Multiples of a large odd number look like ids and differ.
		return "h_" + fmt.Sprintf("%012x", uint64(seen[id[:8]])*0x9e3779b97f4b%(1<<48))[:len(id)-2]
	})
}

// Sizes of the picture, in pixels: a cell of the terminal, and what is around.
const (
	cellWidth, cellHeight = 7.8, 19.0
	margin                = 18.0
)

const pictureStyle = `text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}
rect{fill:#f6f8fa;stroke:#d1d9e0}
.s1{font-weight:bold}.s2{fill:#59636e}.s31{fill:#c9182b}.s32{fill:#116329}.s33{fill:#7d4e00}.s36{fill:#0b6a75}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#0d1117;stroke:#3d444d}
.s2{fill:#9198a1}.s31{fill:#ff7b72}.s32{fill:#56d364}.s33{fill:#e3b341}.s36{fill:#56d4dd}}
`

// drawTerminal returns an SVG of what a terminal shows that is given text.
func drawTerminal(text string) string {
	var body strings.Builder
	row := 0
	for line := range strings.Lines(text) {
		row = drawLine(&body, row, strings.TrimSuffix(line, "\n")) + 1
	}
	width, height := recordingColumns*cellWidth+2*margin, float64(row)*cellHeight+2*margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%[1]g" height="%[2]g" role="img">
<title>handex in a terminal</title>
<style>
%s</style>
<rect x="0.5" y="0.5" width="%g" height="%g" rx="8"/>
%s</svg>
`, width, height, pictureStyle, width-1, height-1, body.String())
}

var sgr = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// drawLine draws a line that begins in a row, and returns the row it ends in.
func drawLine(w *strings.Builder, row int, line string) int {
	column, style := 0, ""
	for line != "" {
		code := sgr.FindStringSubmatchIndex(line)
		if code != nil && code[0] == 0 {
			style = line[code[2]:code[3]]
			line = line[code[1]:]
			continue
		}
		run := line
		if code != nil {
			run = line[:code[0]]
		}
		line = line[len(run):]
		for run != "" {
			if column == recordingColumns {
				row, column = row+1, 0
			}
			n := min(utf8.RuneCountInString(run), recordingColumns-column)
			piece := string([]rune(run)[:n])
			run = run[len(piece):]
			drawText(w, row, column, style, piece)
			column += n
		}
	}
	return row
}

// drawText draws text in one style. Its length is given, as fonts differ in width.
func drawText(w *strings.Builder, row, column int, style, text string) {
	column += utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " "))
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	class := ""
	if style != "" && style != "0" {
		class = fmt.Sprintf(` class="s%s"`, strings.ReplaceAll(style, ";", " s"))
	}
	fmt.Fprintf(w, `<text x="%.1f" y="%.1f" textLength="%.1f"%s>`, margin+float64(column)*cellWidth,
		margin+(float64(row)+0.75)*cellHeight, float64(utf8.RuneCountInString(text))*cellWidth, class)
	_ = xml.EscapeText(w, []byte(text))
	w.WriteString("</text>\n")
}
