package pages_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/OWNER/handex/cmd/internal/pages"
)

// TestContrast holds the colours of text against what they stand on: 4.5 to 1, as
// the guidelines for accessible content want it (WCAG 2.2, AA).
func TestContrast(t *testing.T) {
	t.Parallel()
	colours := map[string][2]string{"white": {"#ffffff", "#ffffff"}, "on-heat": {"#ffffff", "#10131a"}}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)`).FindAllStringSubmatch(pages.Style, -1) {
		colours[m[1]] = [2]string{m[2], m[3]}
	}
	if len(colours) < 25 {
		t.Fatalf("%d colours", len(colours))
	}
	for _, pair := range [][2]string{
		{"ink", "ground"},
		{"ink", "sheet"},
		{"ink", "sunk"},
		{"ink", "mark"},
		{"ink", "stop-ground"},
		{"ink", "go-ground"},
		{"soft", "ground"},
		{"soft", "sheet"},
		{"soft", "sunk"},
		{"accent", "ground"},
		{"accent", "sheet"},
		{"white", "accent-ground"},
		{"go", "go-ground"},
		{"wait", "wait-ground"},
		{"stop", "stop-ground"},
		{"stop", "sheet"},
		{"sheet", "stop"},
		{"ink", "heat-1"},
		{"ink", "heat-2"},
		{"on-heat", "heat-3"},
		{"on-heat", "heat-4"},
	} {
		for i, mode := range []string{"light", "dark"} {
			text, ground := colours[pair[0]][i], colours[pair[1]][i]
			if ratio := contrast(t, text, ground); ratio < 4.5 {
				t.Errorf("%s on %s, %s: %s on %s is %.2f to 1", pair[0], pair[1], mode, text, ground, ratio)
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(fmt.Sprintf("%.2s", colour[1+2*i:]), 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
