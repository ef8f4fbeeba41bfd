package render_test

import (
	"testing"
	"unicode/utf8"

	"github.com/OWNER/handex/cmd/internal/render"
)

func TestClean(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"plain text, tabs\tand\nlines", "plain text, tabs\tand\nlines"},
		{"naïve Łódź 日本語 🚀 ⚠️ e\u0301", "naïve Łódź 日本語 🚀 ⚠️ e\u0301"},
		{"\x1b[31mred\x1b[0m", "^[[31mred^[[0m"},
		{"title\x1b]0;owned\x07", "title^[]0;owned^G"},
		{"\x1b]8;;http://evil\x1b\\click", "^[]8;;http://evil^[\\click"},
		{"over\rwrite", "over^Mwrite"},
		{"back\b\bspace", "back^H^Hspace"},
		{"nul\x00byte", "nul^@byte"},
		{"del\x7f", "del^?"},
		{"c1 \u009b31m", "c1 <U+009B>31m"},
		{"bare c1 \x9b31m", `bare c1 \x9b31m`},
		{"bad \xff\xfe utf8 \xc3", `bad \xff\xfe utf8 \xc3`},
		{"replaced \uFFFD stays", "replaced \uFFFD stays"},
		{"bidi \u202egnp.exe\u202c", "bidi <U+202E>gnp.exe<U+202C>"},
		{"isolate \u2066x\u2069", "isolate <U+2066>x<U+2069>"},
		{"zero\u200bwidth\u200d\ufeff", "zero<U+200B>width<U+200D><U+FEFF>"},
		{"tags \U000E0041\U000E007F", "tags <U+E0041><U+E007F>"},
		{"private \ue000\U000F0000", "private <U+E000><U+F0000>"},
		{"selector \U000E0100", "selector <U+E0100>"},
		{"fillers \u3164\uffa0\u115f", "fillers <U+3164><U+FFA0><U+115F>"},
		{"separators \u2028\u2029", "separators <U+2028><U+2029>"},
		{"soft\u00adhyphen", "soft<U+00AD>hyphen"},
		{"unassigned \U0003FFFE", "unassigned <U+3FFFE>"},
	}
	for _, test := range tests {
		if got := render.Clean(test.text); got != test.want {
			t.Errorf("Clean(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func TestLine(t *testing.T) {
	tests := []struct{ text, want string }{
		{"  a \t b\r\n\nc ", "a b c"},
		{"nbsp\u00a0here\u2028there", "nbsp here there"},
		{"\x1b[2J", "^[[2J"},
		{"\n", ""},
	}
	for _, test := range tests {
		if got := render.Line(test.text); got != test.want {
			t.Errorf("Line(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "a\x1b[0m", "\u009b", "\xff", "\u202e", "日本\n\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := render.Clean(text)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 {
				t.Fatalf("%q holds %U", got, r)
			}
		}
		if again := render.Clean(got); again != got {
			t.Fatalf("Clean(%q) = %q", got, again)
		}
	})
}
